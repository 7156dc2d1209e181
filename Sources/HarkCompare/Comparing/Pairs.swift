import HarkSession

/// Which devices of two captures play the same part.
enum Pairs {
  struct Pair: Sendable {
    let good: Int
    let bad: Int
  }

  /// Devices in each capture, by the order of the first.
  static func match(
    _ good: [CaptureSteps.Party], _ bad: [CaptureSteps.Party]
  ) -> [Pair] {
    var candidates: [(pair: Pair, score: Double)] = []
    for (one, mine) in good.enumerated() {
      for (other, theirs) in bad.enumerated() where mine.isHost == theirs.isHost {
        candidates.append((Pair(good: one, bad: other), likeness(mine, theirs)))
      }
    }
    candidates.sort { a, b in
      a.score != b.score
        ? a.score > b.score : (a.pair.good, a.pair.bad) < (b.pair.good, b.pair.bad)
    }
    // The only device of a capture has no other to be taken for.
    let isOnly = good.count { !$0.isHost } == 1 && bad.count { !$0.isHost } == 1
    var pairs: [Pair] = []
    for (pair, score) in candidates where score > 0.2 || isOnly || good[pair.good].isHost {
      if pairs.contains(where: { $0.good == pair.good || $0.bad == pair.bad }) { continue }
      pairs.append(pair)
    }
    return pairs.sorted { $0.good < $1.good }
  }

  /// From 0: nothing in common; the same name or address weighs more than what happened.
  private static func likeness(_ a: CaptureSteps.Party, _ b: CaptureSteps.Party) -> Double {
    let (mine, theirs) = (Set(a.steps.map(\.identity)), Set(b.steps.map(\.identity)))
    let all = mine.union(theirs).count
    var likeness = all == 0 ? 0 : Double(mine.intersection(theirs).count) / Double(all)
    if Device.name(ofLabel: a.label) == Device.name(ofLabel: b.label) { likeness += 1 }
    if !a.addresses.isDisjoint(with: b.addresses) { likeness += 1 }
    return likeness
  }
}
