/// A Bluetooth UUID. 16- and 32-bit UUIDs stand for 128-bit ones on the Bluetooth Base UUID, so
/// equal UUIDs compare equal whatever size they were sent in.
/// Core Specification, Vol 3, Part B, 2.5.1.
public struct BluetoothUUID: Hashable, Sendable {
  public let high: UInt64
  public let low: UInt64

  // 00000000-0000-1000-8000-00805F9B34FB
  static let baseHigh: UInt64 = 0x0000_0000_0000_1000
  static let baseLow: UInt64 = 0x8000_0080_5F9B_34FB

  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  public init(_ short: UInt16) {
    self.init(high: UInt64(short) << 32 | Self.baseHigh, low: Self.baseLow)
  }

  public init(_ short: UInt32) {
    self.init(high: UInt64(short) << 32 | Self.baseHigh, low: Self.baseLow)
  }

  /// Reads 2, 4 or 16 octets sent least significant first, as ATT and advertising data do.
  /// Any other count gives nil.
  public init?(littleEndian bytes: RawSpan) {
    switch bytes.byteCount {
    case 2: self.init(UInt16(truncatingIfNeeded: bytes.unsigned(at: 0, 2)))
    case 4: self.init(UInt32(truncatingIfNeeded: bytes.unsigned(at: 0, 4)))
    case 16: self.init(high: bytes.unsigned(at: 8, 8), low: bytes.unsigned(at: 0, 8))
    default: return nil
    }
  }

  /// Reads `1234`, `12345678` or `12345678-1234-1234-1234-123456789ABC`, in either case.
  public init?(_ text: some StringProtocol) {
    var high: UInt64 = 0
    var low: UInt64 = 0
    var digits = 0
    // One type of text: of others each character is asked for through a table.
    for character in String(text).utf8 where character != UInt8(ascii: "-") {
      guard digits < 32, let nibble = Hex.value(of: character) else { return nil }
      high = high << 4 | low >> 60
      low = low << 4 | UInt64(nibble)
      digits += 1
    }
    switch digits {
    case 4, 8: self.init(UInt32(truncatingIfNeeded: low))
    case 32: self.init(high: high, low: low)
    default: return nil
    }
  }

  /// The 16-bit form, or nil if the UUID has none.
  public var short: UInt16? {
    guard low == Self.baseLow, high & 0xFFFF_0000_FFFF_FFFF == Self.baseHigh else { return nil }
    return UInt16(truncatingIfNeeded: high >> 32)
  }
}

extension BluetoothUUID: CustomStringConvertible {
  /// `0x180F` where the UUID has a 16-bit form, otherwise the 36 characters in capitals.
  public var description: String {
    var text = TextBuffer()
    text.uuid(self)
    return text.string
  }
}
