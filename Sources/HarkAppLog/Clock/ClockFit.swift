import HarkCapture
import HarkCore
import HarkSession

/// Finds what the times of a log differ by from those of a capture, by events that both show.
struct ClockFit {
  /// A landmark of the log and one of the capture that look the same.
  private struct Pair {
    let app: Int
    let wire: Int
    let difference: Int64
    /// The more of a kind there are, the less a pair says.
    let weight: Double
  }

  /// Pairs that may be looked at; of landmarks that come again and again, fewer.
  private static let mostPairs = 200_000
  /// What an app says and what goes over the air lie so far apart at most, in nanoseconds.
  private static let window: Int64 = 2_000_000_000
  /// A pair of landmarks that come once each weighs 1.
  private static let least = 0.9
  /// No clocks are further apart: about 36 years.
  private static let farthest: UInt64 = 1 << 60
  private static let zoneStep: Int64 = 900_000_000_000
  private static let mostDrift = 500_000.0

  /// The mapping that most pairs agree on; without any, none.
  static func fit(
    _ app: [(mark: Landmark, time: Timestamp)], _ wire: [(mark: Landmark, time: Timestamp)]
  ) -> AppClock {
    mapping(app, wire).clock
  }

  /// The same, with the landmarks of the log that fit, and those that come once on both sides and do not.
  static func mapping(
    _ app: [(mark: Landmark, time: Timestamp)], _ wire: [(mark: Landmark, time: Timestamp)]
  ) -> (clock: AppClock, fitting: [Int], misfits: [Int]) {
    let pairs = pairs(app, wire)
    guard let center = center(pairs) else { return (AppClock(.none), [], []) }
    let matched = matched(pairs, around: center)
    var clock = refine(matched, app, wire)
    let fitting = Set(matched.map(\.app))
    let misfits = pairs.filter { $0.weight == 1 && !fitting.contains($0.app) }.map(\.app)
    clock.misfits = misfits.count
    return (clock, fitting.sorted(), misfits.sorted())
  }

  private static func pairs(
    _ app: [(mark: Landmark, time: Timestamp)], _ wire: [(mark: Landmark, time: Timestamp)]
  ) -> [Pair] {
    var places: [Landmark: [Int]] = [:]
    for (index, one) in wire.enumerated() { places[one.mark, default: []].append(index) }
    let sessions = Set(wire.lazy.compactMap(\.mark.session))
    let app = app.map { (mark: $0.mark.compared(with: sessions), time: $0.time) }
    var counts: [Landmark: Int] = [:]
    for one in app { counts[one.mark, default: 0] += 1 }
    var pairs: [Pair] = []
    for (index, one) in app.enumerated() {
      guard let same = places[one.mark], let count = counts[one.mark],
        pairs.count + same.count <= mostPairs
      else { continue }
      for place in same {
        let difference = wire[place].time.since(one.time)
        guard difference.magnitude <= Self.farthest else { continue }
        pairs.append(
          Pair(
            app: index, wire: place, difference: difference,
            weight: 1 / Double(max(count, same.count)).squareRoot()))
      }
    }
    return pairs.sorted { ($0.difference, $0.app, $0.wire) < ($1.difference, $1.app, $1.wire) }
  }

  /// The middle of the differences that most pairs have, each landmark of the log counted once.
  private static func center(_ pairs: [Pair]) -> Int64? {
    var best: (score: Double, center: Int64)?
    var counted: [Int: Int] = [:]
    var (start, weight) = (0, 0.0)
    for (end, pair) in pairs.enumerated() {
      if counted[pair.app, default: 0] == 0 { weight += pair.weight }
      counted[pair.app, default: 0] += 1
      while pair.difference - pairs[start].difference > window {
        counted[pairs[start].app, default: 1] -= 1
        if counted[pairs[start].app] == 0 { weight -= pairs[start].weight }
        start += 1
      }
      let middle = pairs[(start + end) / 2].difference
      // Clocks that are set differ by quarters of an hour, and little more.
      let score = weight * (isNearZone(middle) ? 1.25 : 1)
      if score > (best?.score ?? 0) + 1e-9 { best = (score, middle) }
    }
    guard let best, best.score >= least else { return nil }
    return best.center
  }

  private static func isNearZone(_ difference: Int64) -> Bool {
    let rest = abs(difference % zoneStep)
    return difference.magnitude < 51_000_000_000_000
      && min(rest, zoneStep - rest) < 5_000_000_000
  }

  /// Pairs near the center, each landmark in one at most, the closest first.
  private static func matched(_ pairs: [Pair], around center: Int64) -> [Pair] {
    func distance(_ pair: Pair) -> Int64 { abs(pair.difference - center) }
    var usedApp: Set<Int> = []
    var usedWire: Set<Int> = []
    let near = pairs.filter { distance($0) <= window }
    return near.sorted { (distance($0), $0.app) < (distance($1), $1.app) }.filter { pair in
      guard !usedApp.contains(pair.app), !usedWire.contains(pair.wire) else { return false }
      usedApp.insert(pair.app)
      usedWire.insert(pair.wire)
      return true
    }
  }

  /// Offset and drift by medians, which a few wrong pairs do not move.
  private static func refine(
    _ pairs: [Pair], _ app: [(mark: Landmark, time: Timestamp)],
    _ wire: [(mark: Landmark, time: Timestamp)]
  ) -> AppClock {
    guard let first = pairs.map({ app[$0.app].time }).min(),
      let last = pairs.map({ app[$0.app].time }).max()
    else { return AppClock(.none) }
    let points = pairs.map { (time: app[$0.app].time.since(first), difference: $0.difference) }
    var drift = 0.0
    var (offset, residuals) = straight(points, drift)
    if pairs.count >= 5, last.since(first) >= 60_000_000_000 {
      let slope = slope(points)
      let (other, rest) = straight(points, slope)
      // What apps are late by looks like a drift, too: it has to explain most of the differences.
      if rest[rest.count / 2] * 2 < residuals[residuals.count / 2] {
        (drift, offset, residuals) = (slope, other, rest)
      }
    }
    // Half of them are nearer than the median: those five times as far are other events.
    let limit = max(50_000_000, residuals[residuals.count / 2] * 5)
    let kept = residuals.filter { $0 <= limit }
    let at = app[pairs[0].app].time.adding(offset)
    return AppClock(
      .matches, offset: offset, drift: Int64(drift.rounded()), reference: first,
      error: kept.last, matches: kept.count,
      zone: ClockZone.guess(at, at: at.adding(-offset), before: 120, behind: 120))
  }

  /// The median of the differences without the drift, and how far the others are from it, in order.
  private static func straight(
    _ points: [(time: Int64, difference: Int64)], _ drift: Double
  ) -> (offset: Int64, residuals: [Int64]) {
    let differences = points.map {
      $0.difference - Int64((Double($0.time) / 1e9 * drift).rounded())
    }.sorted()
    let offset = differences[differences.count / 2]
    return (offset, differences.map { abs($0 - offset) }.sorted())
  }

  /// The median of the slopes between pairs that lie well apart (Theil and Sen), in nanoseconds a
  /// second.
  private static func slope(_ points: [(time: Int64, difference: Int64)]) -> Double {
    let points = points.sorted { $0.time < $1.time }
    let step = max(1, points.count / 200)
    let some = stride(from: 0, to: points.count, by: step).map { points[$0] }
    var slopes: [Double] = []
    for (index, a) in some.enumerated() {
      for b in some[(index + 1)...] where b.time - a.time >= 10_000_000_000 {
        slopes.append(Double(b.difference - a.difference) / (Double(b.time - a.time) / 1e9))
      }
    }
    guard !slopes.isEmpty else { return 0 }
    slopes.sort()
    let middle = slopes[slopes.count / 2]
    return abs(middle) <= mostDrift ? middle : 0
  }
}
