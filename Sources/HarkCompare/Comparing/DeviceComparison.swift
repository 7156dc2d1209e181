import HarkCore

/// What one device did in two captures, step by step.
public struct DeviceComparison: Sendable {
  let good: CaptureSteps.Party
  let bad: CaptureSteps.Party
  /// In the order of what happened.
  package private(set) var differences: [Difference] = []
  /// Steps that both have, changed or not.
  private(set) var common = 0

  /// The last packet of the bad capture that was looked at; before the first step the packet of that.
  private var place: PacketID

  /// The first in which what happened is not the same; that something took longer does not count, and what a
  /// capture cannot show only where there is nothing else.
  var divergence: Difference? {
    let some = differences.filter { $0.kind != .slower }
    return some.first { $0.beyond == nil } ?? some.first
  }

  init(_ good: CaptureSteps.Party, _ bad: CaptureSteps.Party) {
    (self.good, self.bad) = (good, bad)
    place = bad.steps.first?.frames.first ?? PacketID(0)
    let (mine, theirs) = (good.steps, bad.steps)
    // By Myers's algorithm: E. W. Myers, “An O(ND) Difference Algorithm and Its Variations”, 1986.
    let edits = theirs.map(\.identity).difference(from: mine.map(\.identity))
    var (removed, inserted): (Set<Int>, Set<Int>) = ([], [])
    for edit in edits {
      switch edit {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): inserted.insert(offset)
      }
    }
    var (one, other) = (0, 0)
    var last: (good: Step, bad: Step)?
    // The last step that both have.
    var anchor = mine.first.flatMap { mine in theirs.first.map { (good: mine, bad: $0) } }
    while one < mine.count || other < theirs.count {
      var (lacking, added): ([Step], [Step]) = ([], [])
      while removed.contains(one) {
        lacking.append(mine[one])
        one += 1
      }
      while inserted.contains(other) {
        added.append(theirs[other])
        other += 1
      }
      if !lacking.isEmpty || !added.isEmpty {
        let (start, isFirst) = (differences.count, common == 0)
        report(lacking, added)
        let isLast = one == mine.count && other == theirs.count
        judge(from: start, isFirst: isFirst, after: isLast ? anchor : nil)
        last = nil
      }
      guard one < mine.count, other < theirs.count else { continue }
      common += 1
      compare(mine[one], theirs[other], after: last)
      last = (mine[one], theirs[other])
      anchor = last
      (one, other) = (one + 1, other + 1)
    }
    for index in differences.indices { differences[index].judgeLimits(good, bad) }
  }

  /// Finds out what of the differences from `start` on may have happened where a capture does not reach.
  /// - Parameter anchor: The last step that both have, if nothing of both follows.
  private mutating func judge(
    from start: Int, isFirst: Bool, after anchor: (good: Step, bad: Step)?
  ) {
    let good = anchor.flatMap { self.good.room(after: $0.good) }
    let bad = anchor.flatMap { self.bad.room(after: $0.bad) }
    for index in differences[start...].indices {
      let difference = differences[index]
      // Who has it not, or knows the link only from its middle.
      let other: CaptureSteps.Party
      switch difference.kind {
      case .missing: other = self.bad
      case .additional: other = self.good
      case .changed where difference.bad?.act == .linkInferred: other = self.bad
      case .changed where difference.good?.act == .linkInferred: other = self.good
      default: continue
      }
      if isFirst, other.beginsLate {
        differences[index].beyond = .beginning
      } else if other.endsEarly, difference.kind != .changed, let anchor, let good, let bad {
        let isBeyond =
          difference.kind == .missing
          ? bad < good && difference.good.map { $0.isAfter(bad, since: anchor.good) } ?? false
          : good < bad && difference.bad.map { $0.isAfter(good, since: anchor.bad) } ?? false
        if isBeyond { differences[index].beyond = .end }
      }
    }
  }

  /// Reports what differs between both at the same place.
  private mutating func report(_ lacking: [Step], _ added: [Step]) {
    var rest = added[...]
    for step in lacking {
      guard let place = rest.firstIndex(where: step.mayBe) else {
        report(.missing, step, nil)
        continue
      }
      for other in rest[..<place] { report(.additional, nil, other) }
      report(.changed, step, rest[place], step.changes(to: rest[place]))
      common += 1
      rest = rest[(place + 1)...]
    }
    for other in rest { report(.additional, nil, other) }
  }

  private mutating func report(
    _ kind: Difference.Kind, _ good: Step?, _ bad: Step?, _ changes: [Difference.Change] = [],
    durations: (good: Int64, bad: Int64)? = nil
  ) {
    if let bad { place = bad.frames.last }
    differences.append(
      Difference(
        kind: kind, good: good, bad: bad, place: place, changes: changes, durations: durations))
  }

  private mutating func compare(_ good: Step, _ bad: Step, after last: (good: Step, bad: Step)?) {
    place = bad.frames.last
    let changes = good.changes(to: bad)
    if !changes.isEmpty { report(.changed, good, bad, changes) }
    var durations: (good: Int64, bad: Int64)?
    if let mine = good.latency, let theirs = bad.latency {
      durations = (mine, theirs)
    } else if let last, good.isReaction(to: last.good), bad.isReaction(to: last.bad) {
      if let mine = good.elapsed(since: last.good), let theirs = bad.elapsed(since: last.bad) {
        durations = (mine, theirs)
      }
    }
    guard let durations, durations.good >= 0 else { return }
    let (twice, overflows) = durations.good.multipliedReportingOverflow(by: Difference.slowerTimes)
    let by = durations.bad.subtractingReportingOverflow(durations.good)
    if !overflows, durations.bad >= twice, !by.overflow, by.partialValue >= Difference.slowerBy {
      report(.slower, good, bad, durations: durations)
    }
  }
}

extension CaptureSteps.Party {
  /// How long the capture continues after a step, in nanoseconds; nil if its clock was set meanwhile.
  fileprivate func room(after step: Step) -> Int64? {
    step.clockStep == clockStep ? end.map { $0.since(step.time) } : nil
  }
}

extension Step {
  /// How long before the end of a capture a step may begin and not be in it, because its answer follows: 1 s.
  private static let longestAnswer: Int64 = 1_000_000_000

  /// Whether a capture that ends so long after `step` cannot contain this one.
  fileprivate func isAfter(_ room: Int64, since step: Step) -> Bool {
    guard let elapsed = elapsed(since: step) else { return false }
    let (latest, overflows) = elapsed.addingReportingOverflow(Self.longestAnswer)
    return overflows || latest >= room
  }
}
