import HarkCore
import HarkPlatform

/// The time zone that the clock of a capture shows. Formats do not store one.
public final class ClockZone {
  /// As it was given: `+02:00`, `Europe/Berlin`, `UTC`.
  public let name: String
  private let kind: Kind
  /// Whether outputs do not say which zone it is.
  public let isWithheld: Bool

  private enum Kind {
    /// Seconds east of Greenwich.
    case fixed(Int64)
    /// The zone of that name, as the system's tables have it.
    case named(String)
  }

  /// The quarter of an hour that was looked up last, and seconds east of Greenwich then: no zone
  /// changes within one.
  private var looked: (quarter: Int64, seconds: Int64)?

  /// The largest offset from Greenwich, in seconds.
  private static let farthest: Int64 = 14 * 3_600

  /// - Parameter text: An offset (`+02:00`, `-0330`, `+1`), `UTC`, or the name of a zone in the
  ///   system's tables (`Europe/Berlin`); nil for any other text.
  public init?(_ text: String) {
    (name, isWithheld) = (text, false)
    if text == "UTC" || text == "Z" {
      kind = .fixed(0)
    } else if let seconds = Self.offset(text) {
      kind = .fixed(seconds)
    } else if Self.isInTables(text) {
      kind = .named(text)
    } else {
      return nil
    }
  }

  private init(withholding kind: Kind) {
    (name, isWithheld, self.kind) = ("local time", true, kind)
  }

  /// The same zone for outputs that do not say which one it is: of redacted captures.
  public var withheld: ClockZone { ClockZone(withholding: kind) }

  /// `+02:00`, `+0200`, `+2`.
  private static func offset(_ text: String) -> Int64? {
    guard let sign = text.first, sign == "+" || sign == "-" else { return nil }
    let parts = text.dropFirst().split(separator: ":", omittingEmptySubsequences: false)
    var digits = parts.joined()
    // Three digits without a colon may be one hour or two.
    if parts.count == 1 {
      guard digits.count != 3 else { return nil }
      if digits.count <= 2 { digits += "00" }
    }
    guard parts.count <= 2, parts.count == 1 || parts[1].count == 2,
      digits.count == 3 || digits.count == 4, digits.allSatisfy({ $0.isASCII && $0.isNumber }),
      let number = Int64(digits), number % 100 < 60
    else { return nil }
    let seconds = (number / 100 * 60 + number % 100) * 60
    guard seconds <= farthest else { return nil }
    return sign == "-" ? -seconds : seconds
  }

  /// tzset(3) takes anything, and UTC for what it does not know.
  private static func isInTables(_ name: String) -> Bool {
    guard let first = name.first, first.isASCII, first.isLetter, !name.contains("..") else {
      return false
    }
    let folder = unsafe getenv("TZDIR").map { unsafe String(cString: $0) } ?? "/usr/share/zoneinfo"
    let descriptor = unsafe open("\(folder)/\(name)", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var magic: [UInt8] = [0, 0, 0, 0]
    return unsafe read(descriptor, &magic, 4) == 4 && magic == Array("TZif".utf8)
  }

  /// The moment in UTC when a clock of this zone shows `time`. Clocks that were not set show none. Of
  /// an hour that comes twice, when summer time ends, the system decides which it is.
  public func utc(_ time: Timestamp) -> Timestamp {
    guard time.isDated else { return time }
    return time.adding(-secondsEast(at: time) * 1_000_000_000)
  }

  /// Seconds east of Greenwich when a clock of this zone shows `time`.
  public func secondsEast(at time: Timestamp) -> Int64 {
    guard case .named(let name) = kind else {
      if case .fixed(let seconds) = kind { return seconds }
      return 0
    }
    let seconds = time.nanoseconds / 1_000_000_000
    let quarter = seconds / 900
    if let looked, looked.quarter == quarter { return looked.seconds }
    // The process has no other use for a zone of its own: hark shows no local time.
    unsafe setenv("TZ", name, 1)
    tzset()
    var moment = time_t(seconds)
    var fields = unsafe tm()
    unsafe gmtime_r(&moment, &fields)
    unsafe fields.tm_isdst = -1
    let east = Int64(seconds) - Int64(unsafe mktime(&fields))
    looked = (quarter, east)
    return east
  }

  /// `+02:00`
  public static func text(_ secondsEast: Int64) -> String {
    let minutes = secondsEast.magnitude / 60
    func two(_ value: UInt64) -> String { value < 10 ? "0\(value)" : "\(value)" }
    return (secondsEast < 0 ? "-" : "+") + two(minutes / 60) + ":" + two(minutes % 60)
  }

  /// The message about a clock that shows local time: what it shows, and what to do.
  public static func remark(_ secondsEast: Int64) -> String {
    "seems to show local time, UTC\(text(secondsEast)); with --time-zone \(text(secondsEast)), hark shows "
      + "UTC"
  }

  /// Which zone a clock seems to be of that shows `time` at the moment `utc`: zones differ by quarters
  /// of an hour, and clocks that are set by seconds.
  /// - Parameters:
  ///   - before, after: How many seconds the clock may be off. Both below 450.
  /// - Returns: Seconds east of Greenwich; nil if the difference is that of no zone, or none.
  public static func guess(
    _ time: Timestamp, at utc: Timestamp, before: Int64, behind: Int64
  ) -> Int64? {
    guard time.isDated, utc.isDated else { return nil }
    let seconds = time.since(utc) / 1_000_000_000
    guard seconds.magnitude <= farthest.magnitude + 900 else { return nil }
    let quarters = Int64((Double(seconds) / 900).rounded())
    let zone = quarters * 900
    let isNear = seconds - zone >= -before && seconds - zone <= behind
    return isNear && zone != 0 && isInUse(quarters: quarters) ? zone : nil
  }

  /// Whether clocks anywhere show UTC plus this many quarters of an hour, summer time included. IANA Time
  /// Zone Database.
  private static func isInUse(quarters: Int64) -> Bool {
    if quarters % 4 == 0 { return (-12...14).contains(quarters / 4) }
    return [-38, -14, -10, 14, 18, 22, 23, 26, 35, 38, 42, 51, 55].contains(quarters)
  }
}

extension CaptureInfo {
  /// The zone that its clock seems to show, in seconds east of Greenwich: no file is written last
  /// before its last record came, so that its clock is ahead of this machine's; the difference shows
  /// that of a zone from one that is wrong.
  /// - Parameter last: The time of the last record.
  public func suspectedZone(_ last: Timestamp?) -> Int64? {
    guard zone == nil, let modified, let last else { return nil }
    let east = ClockZone.guess(last, at: modified, before: 120, behind: 5) ?? 0
    return east > 0 ? east : nil
  }
}
