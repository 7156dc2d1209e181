import HarkCore

/// How the times of one log become those of the capture.
public struct AppClock: Hashable, Sendable {
  /// What the mapping rests on.
  public enum Basis: String, Hashable, Sendable {
    /// Events that the log and the capture both show.
    case matches
    /// The user gave the offset.
    case given
    /// Nothing matches: the times are as the log has them.
    case none
    /// Nothing matches, and only another time zone brings the log over the capture.
    case zone
    /// Nothing matches yet: when lines and packets of a live capture come.
    case arrival
    /// The capture can be read once only, so that nothing could be compared.
    case unread
  }

  public var basis: Basis
  /// Nanoseconds that are added to a time of the log at `reference`.
  public var offset: Int64
  /// Nanoseconds that the difference grows by in a second of the log: parts in 10⁹.
  public var drift: Int64
  /// The time of the log at which `offset` holds.
  public var reference: Timestamp
  /// Matches differ from the mapping by this much at most, in nanoseconds; nil if there are none.
  public var error: Int64?
  public var matches: Int
  /// What a clock that shows local time is ahead of UTC, in seconds.
  public var zone: Int64?
  /// Whether that is the clock of the log, and not the capture's.
  public var isZoneOfLog = false
  /// Entries far before or after the capture, which are not shown.
  public var outside = 0
  /// Events that come once in the log and once in the capture, and do not fit.
  public var misfits = 0
  /// The lines of the log that it goes for; nil if that is all of them.
  public var lines: ClosedRange<Int>?

  public init(
    _ basis: Basis, offset: Int64 = 0, drift: Int64 = 0,
    reference: Timestamp = Timestamp(nanoseconds: 0), error: Int64? = nil, matches: Int = 0,
    zone: Int64? = nil
  ) {
    (self.basis, self.offset, self.drift, self.reference) = (basis, offset, drift, reference)
    (self.error, self.matches, self.zone) = (error, matches, zone)
  }

  /// The time of the capture at a time of the log; saturates.
  public func captureTime(_ time: Timestamp) -> Timestamp {
    let seconds = Double(time.since(reference)) / 1e9
    let drifted = Int64(exactly: (seconds * Double(drift)).rounded()) ?? 0
    let (shift, a) = offset.addingReportingOverflow(drifted)
    let (sum, b) = time.nanoseconds.addingReportingOverflow(shift)
    return a || b ? time : Timestamp(nanoseconds: sum)
  }
}
