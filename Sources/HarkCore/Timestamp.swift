/// A moment, in nanoseconds since 1970-01-01 00:00:00 of the capture's own clock.
///
/// Capture formats do not say which time zone that clock shows; most write UTC.
public struct Timestamp: Hashable, Comparable, Sendable {
  public var nanoseconds: Int64

  @inlinable public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// Saturates instead of overflowing: damaged files hold any number.
  @inlinable public init(microseconds: Int64) {
    let (value, overflow) = microseconds.multipliedReportingOverflow(by: 1_000)
    nanoseconds = overflow ? (microseconds < 0 ? .min : .max) : value
  }

  /// Saturates instead of overflowing.
  @inlinable public init(seconds: Int64, nanoseconds part: Int64) {
    let (whole, a) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, b) = whole.addingReportingOverflow(part)
    nanoseconds = a || b ? (seconds < 0 ? .min : .max) : sum
  }

  /// Whether it is the time of a clock that was set: since 2000. Clocks that were not count from the
  /// start of the recorder, or from a date that its maker chose.
  public var isDated: Bool { nanoseconds >= 946_684_800_000_000_000 }

  @inlinable public static func < (a: Timestamp, b: Timestamp) -> Bool {
    a.nanoseconds < b.nanoseconds
  }

  /// The time from `other` to this moment in nanoseconds, saturated.
  @inlinable public func since(_ other: Timestamp) -> Int64 {
    let (value, overflow) = nanoseconds.subtractingReportingOverflow(other.nanoseconds)
    return overflow ? (nanoseconds < 0 ? .min : .max) : value
  }

  /// The moment so many nanoseconds later, saturated.
  @inlinable public func adding(_ nanoseconds: Int64) -> Timestamp {
    let (sum, overflow) = self.nanoseconds.addingReportingOverflow(nanoseconds)
    return Timestamp(nanoseconds: overflow ? (nanoseconds < 0 ? .min : .max) : sum)
  }
}

/// A date of the proleptic Gregorian calendar, without any time zone.
public struct CivilDate: Equatable, Sendable {
  public var year: Int
  public var month: Int
  public var day: Int

  /// As logs in English write months, from January.
  public static let monthNames = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  public init(year: Int, month: Int, day: Int) {
    (self.year, self.month, self.day) = (year, month, day)
  }

  /// Days from 1970-01-01; nil if there is no such date, and outside of the years 0 to 9999.
  public var daysSince1970: Int64? {
    guard (0...9999).contains(year), (1...12).contains(month), (1...31).contains(day) else {
      return nil
    }
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let days =
      era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    // Not on 30 February.
    return CivilDate(daysSince1970: Int64(days)) == self ? Int64(days) : nil
  }

  /// The date `days` days after 1970-01-01. The days are cut into 400-year eras of 146,097 days
  /// that begin on 1 March, so that the leap day is the last of its year.
  public init(daysSince1970 days: Int64) {
    let z = days &+ 719_468
    let era = (z >= 0 ? z : z - 146_096) / 146_097
    let dayOfEra = z - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    day = Int(dayOfYear - (153 * shifted + 2) / 5 + 1)
    month = Int(shifted < 10 ? shifted + 3 : shifted - 9)
    year = Int(yearOfEra + era * 400) + (month <= 2 ? 1 : 0)
  }
}
