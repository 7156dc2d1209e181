import HarkCore
import HarkSession

extension AppClock {
  /// Steps of time zones, in nanoseconds; the farthest ones are 14 hours ahead and 12 behind.
  private static let step: Int64 = 900_000_000_000
  private static let mostSteps: Int64 = 104

  /// The clock of a log of which no event matches: as it is, where that brings any entry near the
  /// capture; otherwise by the time zones' smallest difference that brings most of them into it.
  /// - Parameters:
  ///   - times: Of the log's entries.
  ///   - span: Of the capture.
  static func none(_ times: [Timestamp], _ span: ClosedRange<Timestamp>) -> AppClock {
    func isNear(_ time: Timestamp) -> Bool {
      span.lowerBound.since(time) <= AppSide.margin && time.since(span.upperBound) <= AppSide.margin
    }
    guard !times.isEmpty, !times.contains(where: isNear) else { return AppClock(.none) }
    let step = max(1, times.count / 1_000)
    let some = stride(from: 0, to: times.count, by: step).map { times[$0] }
    var best: (count: Int, steps: Int64)?
    for steps in (1...mostSteps).flatMap({ [$0, -$0] }) {
      let count = some.count { span.contains($0.adding(steps * Self.step)) }
      if count > best?.count ?? 0 { best = (count, steps) }
    }
    guard let best else { return AppClock(.none) }
    return AppClock(.zone, offset: best.steps * Self.step)
  }
}
