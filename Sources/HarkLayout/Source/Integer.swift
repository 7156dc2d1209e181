/// A whole number of a layout: from -2^63 to 2^64-1, what Kaitai's `s8` and `u8` hold together.
/// Beyond that it wraps to 64 bits, two's complement.
package struct Integer: Hashable, Sendable {
  /// The low 64 bits.
  package var bits: UInt64
  /// Whether `bits` is to be read as unsigned; only set from 2^63 on, so that equal means equal.
  package var isBig: Bool

  package init(_ value: Int64) {
    bits = UInt64(bitPattern: value)
    isBig = false
  }

  package init(unsigned value: UInt64) {
    bits = value
    isBig = value > UInt64(Int64.max)
  }

  package init(wide: Int128) {
    if wide > Int128(Int64.max), wide <= Int128(UInt64.max) {
      self.init(unsigned: UInt64(truncatingIfNeeded: wide))
    } else {
      self.init(Int64(truncatingIfNeeded: wide))
    }
  }

  package var wide: Int128 { isBig ? Int128(bits) : Int128(Int64(bitPattern: bits)) }

  /// The value if it counts or places something; nil if it is too large for that.
  package var int: Int? { isBig ? nil : Int(Int64(bitPattern: bits)) }

  package var double: Double { isBig ? Double(bits) : Double(Int64(bitPattern: bits)) }
}

extension Integer {
  /// Reads `-12`, `0x1f`, `0b101`, `0o17`, with `_` between digits; nil for anything else and for
  /// what does not fit.
  package init?(literal text: String) {
    var digits = Substring(text)
    let isNegative = digits.first == "-"
    if isNegative || digits.first == "+" { digits.removeFirst() }
    var radix: Int128 = 10
    for (prefix, base) in [("0x", 16), ("0X", 16), ("0b", 2), ("0B", 2), ("0o", 8), ("0O", 8)]
    where digits.hasPrefix(prefix) {
      radix = Int128(base)
      digits.removeFirst(2)
      break
    }
    guard let first = digits.first, first != "_" else { return nil }
    var value: Int128 = 0
    for character in digits where character != "_" {
      guard let digit = character.hexDigitValue, digit < radix, character.isASCII else {
        return nil
      }
      value = value * radix + Int128(digit)
      guard value <= Int128(UInt64.max) else { return nil }
    }
    if isNegative { value = -value }
    guard value >= Int128(Int64.min) else { return nil }
    self.init(wide: value)
  }
}

extension Integer: CustomStringConvertible {
  package var description: String { isBig ? "\(bits)" : "\(Int64(bitPattern: bits))" }
}
