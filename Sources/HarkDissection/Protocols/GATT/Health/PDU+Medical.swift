import HarkCore

// Numbers with a decimal exponent. IEEE 11073-20601, F.1 and F.2; GATT Specification Supplement,
// 3.1.2: medfloat16, medfloat32.
extension PDU {
  /// An SFLOAT: 4 bits of exponent, 12 of mantissa.
  mutating func sfloat(_ field: @autoclosure () -> Field) throws(Malformed) {
    let word = try word(2, of: field())
    let mantissa = Int(word & 0xFFF)
    let special: Double? =
      switch mantissa {
      case 0x7FE: .infinity
      case 0x802: -.infinity
      case 0x7FF, 0x800, 0x801: .nan
      default: nil
      }
    let exponent = Int(word >> 12) - (word >> 15 == 1 ? 16 : 0)
    let value =
      special ?? Medical.value(mantissa - (mantissa >> 11 == 1 ? 0x1000 : 0), exponent)
    if Out.wantsFields {
      out.found(field(), value.bitPattern, at: (position &- 2)..<position, isPart: false)
    }
  }

  /// A FLOAT: 8 bits of exponent, 24 of mantissa.
  mutating func medicalFloat(_ field: @autoclosure () -> Field) throws(Malformed) {
    let word = try word(4, of: field())
    let mantissa = Int(word & 0xFF_FFFF)
    let special: Double? =
      switch mantissa {
      case 0x7F_FFFE: .infinity
      case 0x80_0002: -.infinity
      case 0x7F_FFFF, 0x80_0000, 0x80_0001: .nan
      default: nil
      }
    let exponent = Int(Int8(truncatingIfNeeded: word >> 24))
    let value =
      special ?? Medical.value(mantissa - (mantissa >> 23 == 1 ? 0x100_0000 : 0), exponent)
    if Out.wantsFields {
      // Fields of four octets hold their value in single precision.
      out.found(
        field(), UInt64(Float(value).bitPattern), at: (position &- 4)..<position, isPart: false)
    }
  }
}

enum Medical {
  /// `mantissa` times ten to the power of `exponent`, of -128 to 127.
  static func value(_ mantissa: Int, _ exponent: Int) -> Double {
    var power = 1.0
    for _ in 0..<exponent.magnitude { power *= 10 }
    // Dividing by a power of ten rounds once: 364 and -1 are 36.4 and not 36.400000000000006.
    return exponent < 0 ? Double(mantissa) / power : Double(mantissa) * power
  }
}
