import HarkCore

/// How the times of a log are converted to those of the capture.
public struct AppClock: Hashable, Sendable {
  /// What the mapping rests on.
  public enum Basis: String, Hashable, Sendable {
    /// Events that both the log and the capture contain.
    case matches
    /// The user gave the offset.
    case given
    /// Nothing matches: the times of the log are unchanged.
    case none
    /// Nothing matches, and only a different time zone makes the log overlap the capture.
    case zone
    /// Nothing matches yet: lines and packets of a live capture are ordered by their arrival.
    case arrival
    /// The capture can be read only once, so a comparison was impossible.
    case unread
  }

  public var basis: Basis
  /// Nanoseconds that are added to a time of the log at `reference`.
  public var offset: Int64
  /// How many nanoseconds the difference grows per second of the log: parts in 10⁹.
  public var drift: Int64
  /// The time of the log at which `offset` holds.
  public var reference: Timestamp
  /// The maximum difference of a match from the mapping, in nanoseconds; nil if there are no matches.
  public var error: Int64?
  public var matches: Int
  /// How far a clock with local time is ahead of UTC, in seconds.
  public var zone: Int64?
  /// Whether this is the log's clock, rather than the capture's.
  public var isZoneOfLog = false
  /// Entries far before or after the capture, which are not shown.
  public var outside = 0
  /// From the first to the last line of the log, whatever process wrote them, by the capture's clock; nil if unknown.
  public var covers: ClosedRange<Timestamp>?
  /// How many entries hark kept of the log; nil if unknown.
  public var kept: Int?
  /// The lines of the log, and those that hark could not read.
  public var lineCount = 0
  public var damagedCount = 0
  /// Events that occur once in the log and once in the capture, and do not match.
  public var misfits = 0
  /// The lines of the log to which it applies; nil for all of them.
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
