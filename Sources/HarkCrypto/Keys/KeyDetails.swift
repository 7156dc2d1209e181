import HarkCore

/// What is known about a key besides the key itself.
public struct KeyDetails: Hashable, Sendable {
  /// Shown where the key is used.
  public var name: String?
  public var note: String?
  /// What it was imported from.
  public var source: String?
  /// The device whose key it is; with an IRK the identity address.
  public var address: BluetoothAddress?
  /// From when the key was in use, and until when. UTC.
  public var since: Timestamp?
  public var until: Timestamp?

  public init(
    name: String? = nil, note: String? = nil, source: String? = nil,
    address: BluetoothAddress? = nil, since: Timestamp? = nil, until: Timestamp? = nil
  ) {
    (self.name, self.note, self.source) = (name, note, source)
    (self.address, self.since, self.until) = (address, since, until)
  }

  /// Whether the key was in use then; captures of clocks that were never set have no date to compare.
  public func covers(_ time: Timestamp) -> Bool {
    guard time.isDated else { return true }
    return (since.map { $0 <= time } ?? true) && (until.map { time <= $0 } ?? true)
  }
}

/// Dates of keys: `2026-11-20` or `2026-11-20T16:41:00Z`.
public enum KeyDate {
  /// Nil if `text` is neither.
  public static func time(_ text: some StringProtocol) -> Timestamp? {
    let characters = Array(text.utf8)
    func number(_ range: Range<Int>) -> Int? {
      guard characters[range].allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
      return Int(String(decoding: characters[range], as: UTF8.self))
    }
    func has(_ character: Unicode.Scalar, at places: Int...) -> Bool {
      places.allSatisfy { characters[$0] == UInt8(ascii: character) }
    }
    guard characters.count == 10 || characters.count == 20, has("-", at: 4, 7),
      let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
      let days = CivilDate(year: year, month: month, day: day).daysSince1970
    else { return nil }
    guard characters.count == 20 else { return Timestamp(seconds: days * 86_400, nanoseconds: 0) }
    guard has("T", at: 10), has(":", at: 13, 16), has("Z", at: 19), let hour = number(11..<13),
      let minute = number(14..<16), let second = number(17..<19), hour < 24, minute < 60,
      second < 60
    else { return nil }
    return Timestamp(
      seconds: days * 86_400 + Int64(hour * 3_600 + minute * 60 + second), nanoseconds: 0)
  }

  /// To the second.
  public static func text(_ time: Timestamp) -> String {
    var text = TextBuffer()
    text.dateTime(time, separator: UInt8(ascii: "T"))
    return text.string.prefix(19) + "Z"
  }
}
