import HarkCore
import HarkSession

/// How the times of a log that grows become those of a live capture. It begins with when lines and packets
/// come, and goes over to events that both show.
struct LiveClock: Sendable {
  typealias Mark = (mark: Landmark, time: Timestamp)

  /// Events of either side that are kept to be compared.
  static let most = 2_000
  /// Clocks that differ by less, in nanoseconds, show the same time: lines take so long to arrive.
  private static let least: UInt64 = 2_000_000_000
  /// The arrival of lines determines a clock no more exactly than this.
  private static let exactness: Int64 = 20_000_000_000
  private static let zoneStep: Int64 = 900_000_000_000

  private(set) var clock: AppClock
  private var marks: [Mark] = []
  /// What the log's clock is behind this machine's at least, in nanoseconds.
  private var lag: Int64?
  private var isNew = false
  /// What was reported about it.
  private var reported: AppClock?

  /// - Parameter offset: As the user gives it.
  init(offset: Int64?) {
    clock = offset.map { AppClock(.given, offset: $0) } ?? AppClock(.none)
  }

  /// Takes the time of a line that has just been written.
  mutating func came(_ time: Timestamp, at now: Timestamp) {
    lag = min(lag ?? .max, now.since(time))
  }

  mutating func note(_ entry: AppLog.Entry) {
    guard let mark = Landmark(entry.event) else { return }
    if marks.count >= Self.most { marks.removeFirst(Self.most / 2) }
    marks.append((mark, entry.time))
    isNew = true
  }

  /// Compares the clocks again.
  /// - Parameters:
  ///   - wire: What the capture shows, and whether there is something new among it.
  ///   - captureLag: What the capture's clock is behind this machine's at least.
  mutating func compare(_ wire: [Mark], isNew isNewOnWire: Bool, captureLag: Int64?) {
    guard clock.basis != .given else { return }
    let arrival = arrival(captureLag)
    if isNew || isNewOnWire, !marks.isEmpty, !wire.isEmpty {
      isNew = false
      let fit = ClockFit.fit(marks, wire)
      if fit.basis == .matches, isPlausible(fit, arrival) {
        clock = fit
        return
      }
    }
    guard clock.basis != .matches, let arrival else { return }
    clock = arrival == 0 ? AppClock(.none) : AppClock(.arrival, offset: arrival)
  }

  /// One event that looks the same may be another one; a few that agree are not.
  private func isPlausible(_ fit: AppClock, _ arrival: Int64?) -> Bool {
    if fit.matches >= 3 { return true }
    let (distance, overflow) = fit.offset.subtractingReportingOverflow(arrival ?? 0)
    return !overflow && distance.magnitude <= UInt64(Self.exactness)
  }

  /// The difference of the clocks by when lines and packets come; nil if that is not known.
  private func arrival(_ captureLag: Int64?) -> Int64? {
    guard let lag, let captureLag else { return nil }
    let (offset, overflow) = lag.subtractingReportingOverflow(captureLag)
    guard !overflow, offset.magnitude >= Self.least else { return overflow ? nil : 0 }
    let half = offset < 0 ? -Self.zoneStep / 2 : Self.zoneStep / 2
    let (sum, isTooFar) = offset.addingReportingOverflow(half)
    guard !isTooFar else { return offset }
    let zone = sum / Self.zoneStep * Self.zoneStep
    // Less than a step is the time that lines take.
    return abs(offset - zone) <= Self.exactness ? zone : offset
  }

  /// The clock, if it is to be reported: the first time, and when it changes.
  mutating func news() -> AppClock? {
    if let reported, reported.basis == clock.basis,
      (reported.offset &- clock.offset).magnitude < Self.least / 2
    {
      return nil
    }
    reported = clock
    return clock
  }
}
