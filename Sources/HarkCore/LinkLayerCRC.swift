/// The CRC of LE packets: 24 bits over the PDU, of x^24 + x^10 + x^9 + x^6 + x^4 + x^3 + x + 1.
/// Core Specification, Vol 6, Part B, 3.1.1.
public enum LinkLayerCRC {
  /// What the register of advertising packets begins with.
  public static let advertising: UInt32 = 0x55_5555

  /// The polynomial with its bits reversed: octets go over the air least significant bit first, the
  /// CRC most significant bit first.
  private static let polynomial: UInt32 = 0xDA_6000

  /// What an octet does to a register of zeros.
  private static let table: InlineArray<256, UInt32> = {
    var table = InlineArray<256, UInt32>(repeating: 0)
    for index in 0..<256 {
      var register = UInt32(index)
      for _ in 0..<8 { register = step(register) }
      table[index] = register
    }
    return table
  }()

  @inline(__always)
  private static func step(_ register: UInt32) -> UInt32 {
    register & 1 == 1 ? register >> 1 ^ polynomial : register >> 1
  }

  /// The 24 bits of `value` in reverse.
  public static func reversed(_ value: UInt32) -> UInt32 {
    var (value, result) = (value, UInt32(0))
    for _ in 0..<24 {
      result = result << 1 | value & 1
      value >>= 1
    }
    return result
  }

  /// The three octets after the PDU `bytes[range]`, least significant first, for a register that
  /// begins with `initial`.
  public static func compute(_ bytes: RawSpan, _ range: Range<Int>, initial: UInt32) -> UInt32 {
    var register = reversed(initial & 0xFF_FFFF)
    for index in range {
      let low = Int((register ^ UInt32(bytes.byte(at: index))) & 0xFF)
      register = register >> 8 ^ table[low]
    }
    return register
  }

  /// What the register began with, if `crc` (three octets, least significant first) is that of the
  /// PDU `bytes[range]`: the CRC runs backwards as well.
  public static func initial(_ bytes: RawSpan, _ range: Range<Int>, crc: UInt32) -> UInt32 {
    var register = crc & 0xFF_FFFF
    for index in range.reversed() {
      for _ in 0..<8 {
        // The highest bit shows whether the polynomial was added.
        register =
          register & 0x80_0000 != 0
          ? (register ^ polynomial) << 1 | 1 : register << 1
      }
      register = (register ^ UInt32(bytes.byte(at: index))) & 0xFF_FFFF
    }
    return reversed(register)
  }
}
