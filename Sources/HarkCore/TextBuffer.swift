/// A growing buffer of UTF-8 text. Writers append to one buffer and flush it, because building a
/// `String` per value costs several times as much.
public struct TextBuffer: Sendable {
  public private(set) var bytes: [UInt8] = []

  @inlinable public init() {}

  public init(reserving capacity: Int) { bytes.reserveCapacity(capacity) }

  public var count: Int { bytes.count }
  public var isEmpty: Bool { bytes.isEmpty }
  public var string: String { String(decoding: bytes, as: UTF8.self) }

  public mutating func clear() { bytes.removeAll(keepingCapacity: true) }

  /// Cuts the text back to its first `count` bytes.
  public mutating func cut(to count: Int) {
    if count < bytes.count { bytes.removeLast(bytes.count - count) }
  }

  @inline(__always)
  public mutating func byte(_ byte: UInt8) { bytes.append(byte) }

  public mutating func text(_ text: StaticString) {
    if text.hasPointerRepresentation {
      unsafe bytes.append(
        contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    } else {
      string(text.description)
    }
  }

  public mutating func string(_ text: some StringProtocol) { bytes.append(contentsOf: text.utf8) }

  public mutating func append(_ other: some Sequence<UInt8>) { bytes.append(contentsOf: other) }

  public mutating func decimal(_ value: UInt64) {
    guard value > 9 else { return bytes.append(0x30 + UInt8(truncatingIfNeeded: value)) }
    let start = bytes.count
    var rest = value
    while rest > 0 {
      let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
      bytes.append(0x30 + UInt8(truncatingIfNeeded: digit))
      rest = quotient
    }
    var low = start
    var high = bytes.count - 1
    while low < high {
      bytes.swapAt(low, high)
      low += 1
      high -= 1
    }
  }

  public mutating func decimal(_ value: Int64) {
    if value < 0 { bytes.append(UInt8(ascii: "-")) }
    decimal(value.magnitude)
  }

  public mutating func decimal(_ value: Int) { decimal(Int64(value)) }

  /// Decimal digits, zeros in front up to `width`.
  public mutating func decimal(_ value: UInt64, width: Int) {
    var digits = 1
    var rest = value
    while rest > 9 {
      rest /= 10
      digits += 1
    }
    while digits < width {
      bytes.append(0x30)
      digits += 1
    }
    decimal(value)
  }

  @inline(__always)
  static func digit(_ nibble: UInt8) -> UInt8 { nibble < 10 ? 0x30 + nibble : 0x57 + nibble }

  /// Two lower-case digits.
  @inline(__always)
  public mutating func hex(_ byte: UInt8) {
    bytes.append(Self.digit(byte >> 4))
    bytes.append(Self.digit(byte & 0x0F))
  }

  /// `0x` and at least `digits` lower-case digits.
  public mutating func hex(_ value: UInt64, digits: Int) {
    text("0x")
    var count = max(digits, 1)
    while count < 16, value >> UInt64(count * 4) != 0 { count += 1 }
    while count > 0 {
      count -= 1
      bytes.append(Self.digit(UInt8(truncatingIfNeeded: value >> UInt64(count * 4)) & 0x0F))
    }
  }

  static func capital(_ nibble: UInt8) -> UInt8 { nibble < 10 ? 0x30 + nibble : 0x37 + nibble }

  mutating func capitals(_ value: UInt64, octets: Int) {
    for octet in (0..<octets).reversed() {
      let byte = UInt8(truncatingIfNeeded: value >> UInt64(octet * 8))
      bytes.append(Self.capital(byte >> 4))
      bytes.append(Self.capital(byte & 0x0F))
    }
  }

  /// Six octets in capitals, colons between.
  public mutating func address(_ value: UInt64) {
    for octet in (0..<6).reversed() {
      capitals(value >> UInt64(octet * 8) & 0xFF, octets: 1)
      if octet > 0 { bytes.append(UInt8(ascii: ":")) }
    }
  }

  /// `0x180F` where there is a 16-bit form, else 36 characters in capitals.
  public mutating func uuid(_ uuid: BluetoothUUID) {
    if let short = uuid.short {
      text("0x")
      return capitals(UInt64(short), octets: 2)
    }
    for (value, octets) in [
      (uuid.high >> 32, 4), (uuid.high >> 16, 2), (uuid.high, 2), (uuid.low >> 48, 2),
    ] {
      capitals(value, octets: octets)
      bytes.append(UInt8(ascii: "-"))
    }
    capitals(uuid.low, octets: 6)
  }

  /// `2026-11-19 10:01:02.123456`; `separator` stands between date and time.
  public mutating func dateTime(_ time: Timestamp, separator: UInt8 = 0x20) {
    let (days, inDay) = time.nanoseconds.floored(by: 86_400_000_000_000)
    let date = CivilDate(daysSince1970: days)
    decimal(UInt64(clamping: date.year), width: 4)
    byte(UInt8(ascii: "-"))
    decimal(UInt64(date.month), width: 2)
    byte(UInt8(ascii: "-"))
    decimal(UInt64(date.day), width: 2)
    byte(separator)
    clock(inDay)
  }

  /// `10:01:02.123456` for nanoseconds since midnight.
  mutating func clock(_ nanoseconds: Int64) {
    let microseconds = UInt64(nanoseconds) / 1_000
    let seconds = microseconds / 1_000_000
    decimal(seconds / 3_600, width: 2)
    byte(UInt8(ascii: ":"))
    decimal(seconds / 60 % 60, width: 2)
    byte(UInt8(ascii: ":"))
    decimal(seconds % 60, width: 2)
    byte(UInt8(ascii: "."))
    decimal(microseconds % 1_000_000, width: 6)
  }

  /// The time of day alone.
  public mutating func timeOfDay(_ time: Timestamp) {
    clock(time.nanoseconds.floored(by: 86_400_000_000_000).remainder)
  }

  /// Seconds with `decimals` (0 to 9) places, cut and not rounded.
  public mutating func seconds(_ nanoseconds: Int64, decimals: Int) {
    if nanoseconds < 0 { byte(UInt8(ascii: "-")) }
    let magnitude = nanoseconds.magnitude
    decimal(magnitude / 1_000_000_000)
    guard decimals > 0 else { return }
    byte(UInt8(ascii: "."))
    var fraction = magnitude % 1_000_000_000
    for _ in decimals..<9 { fraction /= 10 }
    decimal(fraction, width: decimals)
  }

  /// A JSON string with its quotes. Bytes that are no UTF-8 become U+FFFD.
  public mutating func json(_ text: some StringProtocol) {
    byte(UInt8(ascii: "\""))
    for character in text.utf8 { escaped(character) }
    byte(UInt8(ascii: "\""))
  }

  /// Text from a capture for a terminal: control characters are escaped (`\\n`, `\\u001b`), so that
  /// no device name can drive the reader's terminal.
  public mutating func printable(_ text: some StringProtocol) {
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x0A: self.text("\\n")
      case 0x0D: self.text("\\r")
      case 0x09: self.text("\\t")
      case 0..<0x20, 0x7F..<0xA0:
        self.text("\\u00")
        hex(UInt8(truncatingIfNeeded: scalar.value))
      default: append(UTF8.encode(scalar).map { Array($0) } ?? [])
      }
    }
  }

  mutating func escaped(_ character: UInt8) {
    switch character {
    case UInt8(ascii: "\""): text("\\\"")
    case UInt8(ascii: "\\"): text("\\\\")
    case 0x0A: text("\\n")
    case 0x0D: text("\\r")
    case 0x09: text("\\t")
    case 0..<0x20, 0x7F:
      text("\\u00")
      hex(character)
    default: byte(character)
    }
  }

  /// Spaces up to column `column` of the text that began at byte `start`.
  public mutating func pad(to column: Int, from start: Int) {
    while bytes.count - start < column { byte(0x20) }
  }
}

extension Int64 {
  /// Quotient and remainder with the remainder never negative.
  func floored(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
