import HarkCore
import HarkSession

/// How the times of a log become those of the capture, where its clock was set while it was written: the
/// lines before that and after it have a mapping each.
struct PiecewiseClockMap: Sendable {
  /// In the order of their lines.
  var clocks: [AppClock]
  /// The first line of the second; nil if there is one alone.
  private(set) var split: Int?

  /// One mapping for all lines.
  init(_ clock: AppClock) { clocks = [clock] }

  /// So many events have to agree on a second mapping, and it has to be so far from the first, in
  /// nanoseconds: an app that is late is no clock that was set.
  private static let least = 3
  private static let leastStep: UInt64 = 10_000_000_000

  init(_ entries: [AppLog.Entry], _ wire: [(mark: Landmark, time: Timestamp)]) {
    let marks = Array(
      entries.lazy.compactMap { entry in
        Landmark(entry.event).map { (mark: $0, time: entry.time, line: entry.event.origin.line) }
      }.prefix(Landmarks.most))
    let whole = ClockFit.mapping(marks.map { ($0.mark, $0.time) }, wire)
    clocks = [whole.clock]
    let (fitting, others) = (whole.fitting.map { marks[$0].line }, whole.misfits.map { marks[$0] })
    guard others.count >= Self.least, let first = fitting.min(), let last = fitting.max(),
      let start = others.map(\.line).min(), let end = others.map(\.line).max(),
      end < first || last < start
    else { return }
    var other = ClockFit.fit(others.map { ($0.mark, $0.time) }, wire)
    guard other.basis == .matches, other.matches >= Self.least,
      (other.offset &- whole.clock.offset).magnitude >= Self.leastStep
    else { return }
    let isBefore = end < first
    let edge = isBefore ? (end, first) : (last, start)
    let split = Self.jump(in: entries, between: edge.0, edge.1)
    let lines = entries.map(\.event.origin.line)
    let all = (min: min(lines.min() ?? split, split - 1), max: max(lines.max() ?? split, split))
    var main = whole.clock
    main.misfits = 0
    other.misfits = 0
    clocks = isBefore ? [other, main] : [main, other]
    clocks[0].lines = all.min...(split - 1)
    clocks[1].lines = split...all.max
    self.split = split
  }

  /// The line after the largest step of the times.
  private static func jump(in entries: [AppLog.Entry], between a: Int, _ b: Int) -> Int {
    let some = entries.filter { (a...b).contains($0.event.origin.line) }
      .sorted { $0.event.origin.line < $1.event.origin.line }
    var best = (step: UInt64(0), line: b)
    for (one, next) in zip(some, some.dropFirst()) {
      let step = next.time.since(one.time).magnitude
      if step > best.step { best = (step, next.event.origin.line) }
    }
    return best.line
  }

  /// Which of `clocks` goes for a line.
  func index(of line: Int) -> Int { split.map { line < $0 ? 0 : 1 } ?? 0 }
}
