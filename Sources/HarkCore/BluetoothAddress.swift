/// A Bluetooth Device Address: 48 bits, and whether it is a public or a random one.
/// Core Specification, Vol 6, Part B, 1.3.
public struct BluetoothAddress: Hashable, Sendable {
  public enum Kind: UInt8, Sendable {
    case `public` = 0
    case random = 1
  }

  /// The address in the low 48 bits; its first octet as written is the most significant.
  public let value: UInt64
  public let kind: Kind

  public init(_ value: UInt64, _ kind: Kind = .public) {
    self.value = value & 0xFFFF_FFFF_FFFF
    self.kind = kind
  }

  /// Takes an address type of HCI: bit 0 distinguishes random from public, identity types (2, 3) included.
  public init(_ value: UInt64, hciType: UInt8) {
    self.init(value, hciType & 1 == 1 ? .random : .public)
  }

  /// From its six octets, most significant first.
  public init(octets: some Collection<UInt8>) {
    self.init(octets.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }

  /// Its six octets, most significant first.
  public var octets: [UInt8] {
    (0..<6).map { UInt8(truncatingIfNeeded: value >> (40 - 8 * UInt64($0))) }
  }

  /// By the two most significant bits of a random address. Vol 6, Part B, 1.3.2.
  public var isResolvablePrivate: Bool { kind == .random && value >> 46 == 0b01 }
}

extension BluetoothAddress {
  /// Six octets, colons or hyphens between; nil if `text` is something else.
  public init?(_ text: some StringProtocol) {
    let letters = Array(text.utf8)
    guard letters.count == 17 else { return nil }
    var value: UInt64 = 0
    for (index, letter) in letters.enumerated() {
      if index % 3 == 2 {
        guard letter == UInt8(ascii: ":") || letter == UInt8(ascii: "-") else { return nil }
      } else {
        guard let nibble = Hex.value(of: letter) else { return nil }
        value = value << 4 | UInt64(nibble)
      }
    }
    self.init(value)
  }
}

extension BluetoothAddress: CustomStringConvertible {
  /// Six octets in capitals, colons between: `C0:DE:00:00:00:01`.
  public var description: String {
    var text = TextBuffer()
    text.address(value)
    return text.string
  }
}
