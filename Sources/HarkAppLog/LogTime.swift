import HarkCore

/// The times that logs write.
struct LogTime {
  /// In UTC where the text says what it is ahead of that.
  let time: Timestamp
  /// Whether the text says what the clock is ahead of UTC.
  let hasZone: Bool
  /// How many bytes it takes.
  let count: Int

  /// The time at the beginning of `line`; nil if it begins with something else.
  /// - Parameter near: Where the text has no year: the year that brings it nearest to this.
  init?(_ line: some Collection<UInt8>, near: Timestamp? = nil) {
    var text = Scanner(line.prefix(48))
    if let near, let (month, day) = text.monthAndDay(CivilDate.monthNames) {
      guard text.skip(" "), let part = text.timeOfDay() else { return nil }
      let year = CivilDate(daysSince1970: near.nanoseconds / 86_400_000_000_000).year
      let all = [year - 1, year, year + 1].compactMap {
        Self.time(CivilDate(year: $0, month: month, day: day), part)
      }
      guard let best = all.min(by: { $0.since(near).magnitude < $1.since(near).magnitude }) else {
        return nil
      }
      (time, hasZone, count) = (best, false, text.position)
      return
    }
    guard let year = text.number(4), text.skip("-"), let month = text.number(2), text.skip("-"),
      let day = text.number(2), text.skip(" ") || text.skip("T") || text.skip("t"),
      let part = text.timeOfDay(),
      let local = Self.time(CivilDate(year: year, month: month, day: day), part)
    else { return nil }
    let east = text.zone()
    (time, hasZone) = (local.adding(-(east ?? 0) * 1_000_000_000), east != nil)
    count = text.position
  }

  /// A time of day, as Console copies entries of today: of the day that brings it nearest to `near`.
  init?(ofDay line: some Collection<UInt8>, near: Timestamp) {
    var text = Scanner(line.prefix(48))
    guard let part = text.timeOfDay() else { return nil }
    let east = text.zone()
    let day = near.nanoseconds / 86_400_000_000_000
    let all = [day - 1, day, day + 1].map {
      Timestamp(seconds: $0 * 86_400, nanoseconds: part).adding(-(east ?? 0) * 1_000_000_000)
    }
    guard let best = all.min(by: { $0.since(near).magnitude < $1.since(near).magnitude }) else {
      return nil
    }
    (time, hasZone, count) = (best, east != nil, text.position)
  }

  private static func time(_ date: CivilDate, _ part: Int64) -> Timestamp? {
    date.daysSince1970.map { Timestamp(seconds: $0 * 86_400, nanoseconds: part) }
  }

  /// The bytes that are read, one after the other.
  private struct Scanner {
    let bytes: [UInt8]
    var position = 0

    init(_ bytes: some Collection<UInt8>) { self.bytes = Array(bytes) }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
      guard next == UInt8(ascii: character) else { return false }
      position += 1
      return true
    }

    private mutating func digit() -> Int? {
      guard let byte = next, byte >= 0x30, byte <= 0x39 else { return nil }
      position += 1
      return Int(byte - 0x30)
    }

    /// A number of exactly this many digits.
    mutating func number(_ count: Int) -> Int? {
      var value = 0
      for _ in 0..<count {
        guard let digit = digit() else { return nil }
        value = value * 10 + digit
      }
      return value
    }

    /// `Nov 21`, `Nov  1`.
    mutating func monthAndDay(_ months: [String]) -> (Int, Int)? {
      guard bytes.count > 6,
        let month = months.firstIndex(where: { bytes.starts(with: $0.utf8) }), bytes[3] == 0x20
      else { return nil }
      position = 4
      _ = skip(" ")
      guard let first = digit() else { return nil }
      return (month + 1, digit().map { first * 10 + $0 } ?? first)
    }

    /// `15:22:01.008417`, in nanoseconds.
    mutating func timeOfDay() -> Int64? {
      guard let hour = number(2), hour < 24, skip(":"), let minute = number(2), minute < 60,
        skip(":"), let second = number(2), second < 62
      else { return nil }
      var (part, unit): (Int64, Int64) = (0, 100_000_000)
      if skip(".") || skip(",") {
        while let digit = digit() {
          part += Int64(digit) * unit
          unit /= 10
        }
      }
      return Int64((hour * 60 + minute) * 60 + second) * 1_000_000_000 + part
    }

    /// `Z`, `+0100`, `+01:00`, in seconds east of Greenwich.
    mutating func zone() -> Int64? {
      if skip("Z") || skip("z") { return 0 }
      let start = position
      // As Console has it.
      _ = skip(" ")
      let isWest = next == UInt8(ascii: "-")
      guard skip("+") || skip("-"), let hours = number(2) else {
        position = start
        return nil
      }
      _ = skip(":")
      guard let minutes = number(2), hours < 19, minutes < 60 else {
        position = start
        return nil
      }
      let east = Int64(hours * 60 + minutes) * 60
      return isWest ? -east : east
    }
  }
}
