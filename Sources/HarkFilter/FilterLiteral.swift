import HarkCore

/// Reads values as they are written in filters.
enum FilterLiteral {
  /// `27`, `-3`, `0x1b`, `033` (octal, as in Wireshark), `true`; nil if it is no number, or one that does not fit.
  static func number(_ text: String) -> (magnitude: UInt64, isNegative: Bool)? {
    switch text.lowercased() {
    case "true": return (1, false)
    case "false": return (0, false)
    default: break
    }
    let isNegative = text.hasPrefix("-")
    let digits = isNegative ? text.dropFirst() : text[...]
    let isOctal = digits.hasPrefix("0") && digits.allSatisfy { $0.isASCII && $0.isNumber }
    return (isOctal ? UInt64(digits, radix: 8) : UInt64(written: digits)).map { ($0, isNegative) }
  }

  static func signed(_ text: String) -> Int64? {
    guard let (magnitude, isNegative) = number(text) else { return nil }
    if isNegative { return magnitude <= 1 << 63 ? Int64(truncatingIfNeeded: 0 &- magnitude) : nil }
    return Int64(exactly: magnitude)
  }

  /// Digits, a point, digits, an exponent.
  static func float(_ text: String) -> Double? {
    guard let last = text.utf8.last, 0x30...0x39 ~= last,
      text.utf8.allSatisfy({ 0x30...0x39 ~= $0 || ".-eE".utf8.contains($0) })
    else { return number(text).map { Double($0.magnitude) * ($0.isNegative ? -1 : 1) } }
    return Double(text)
  }

  /// Seconds with up to nine decimals, in nanoseconds.
  static func nanoseconds(_ text: some StringProtocol) -> Int64? {
    let isNegative = text.hasPrefix("-")
    let parts = text.dropFirst(isNegative ? 1 : 0).split(
      separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = digits(parts[0], most: 10), let value = Int64(exactly: whole) else {
      return nil
    }
    var fraction: Int64 = 0
    if parts.count == 2 {
      guard let part = digits(parts[1], most: 9) else { return nil }
      fraction = Int64(part)
      for _ in parts[1].utf8.count..<9 { fraction *= 10 }
    }
    let (seconds, overflow) = value.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, overflow2) = seconds.addingReportingOverflow(fraction)
    guard !overflow, !overflow2 else { return nil }
    return isNegative ? -sum : sum
  }

  private static func digits(_ text: some StringProtocol, most: Int) -> UInt64? {
    guard (1...most).contains(text.utf8.count), text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else {
      return nil
    }
    return UInt64(text)
  }

  enum Moment: Equatable {
    case date(Int64)
    case timeOfDay(Int64)
  }

  /// `2026-11-21`, `2026-11-21 10:20:30.5`, `2026-11-21T10:20`, `10:20:30`, or seconds since 1970.
  static func moment(_ text: String) -> Moment? {
    if let time = nanoseconds(text) { return .date(time) }
    if let time = timeOfDay(text) { return .timeOfDay(time) }
    let text = text.last == "Z" ? text.dropLast() : text[...]
    let parts = text.split(maxSplits: 1, omittingEmptySubsequences: false) {
      $0 == "T" || $0 == " "
    }
    let date = parts[0].split(separator: "-", omittingEmptySubsequences: false)
    guard date.count == 3, date[0].utf8.count == 4, let year = digits(date[0], most: 4),
      let month = digits(date[1], most: 2), let day = digits(date[2], most: 2),
      (1...12).contains(month), (1...31).contains(day),
      let time = parts.count == 2 ? timeOfDay(parts[1]) : 0
    else { return nil }
    // Not on 30 February.
    guard let days = CivilDate(year: Int(year), month: Int(month), day: Int(day)).daysSince1970
    else { return nil }
    return .date(Timestamp(seconds: days * 86_400, nanoseconds: time).nanoseconds)
  }

  /// `10:20`, `10:20:30`, `10:20:30.123`, in nanoseconds.
  private static func timeOfDay(_ text: some StringProtocol) -> Int64? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), let hour = digits(parts[0], most: 2), hour < 24,
      let minute = digits(parts[1], most: 2), minute < 60,
      let second = parts.count == 3 ? nanoseconds(parts[2]) : 0,
      (0..<61_000_000_000).contains(second)
    else { return nil }
    return Int64(hour * 60 + minute) * 60_000_000_000 + second
  }

  /// `aa:bb:cc`, `aa-bb-cc`, `aabbcc`, `0xaabbcc`; a single digit is a byte.
  static func bytes(_ text: String) -> [UInt8]? {
    let digits = text.withoutHexPrefix ?? text[...]
    if digits.utf8.count == 1 { return Hex.bytes("0" + digits) }
    if digits.utf8.contains(where: { ":-".utf8.contains($0) }) {
      let parts = digits.split(omittingEmptySubsequences: false) { $0 == ":" || $0 == "-" }
      guard parts.allSatisfy({ $0.utf8.count == 2 }) else { return nil }
    }
    return digits.isEmpty ? nil : Hex.bytes(digits)
  }

  /// Six octets.
  static func address(_ text: String) -> UInt64? {
    guard text.utf8.count == 17 || text.utf8.count == 12, let octets = bytes(text),
      octets.count == 6
    else { return nil }
    return octets.reduce(0) { $0 << 8 | UInt64($1) }
  }
}
