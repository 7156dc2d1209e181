/// Base64, RFC 4648, sections 4 and 5: its alphabets, and bytes put together of their characters.
package enum Base64 {
  package static func character(_ value: UInt8, isURL: Bool) -> UInt8 {
    switch value {
    case 0..<26: 0x41 + value
    case 26..<52: 0x61 + value - 26
    case 52..<62: 0x30 + value - 52
    case 62: isURL ? UInt8(ascii: "-") : UInt8(ascii: "+")
    default: isURL ? UInt8(ascii: "_") : UInt8(ascii: "/")
    }
  }

  /// Six bits; nil if it is a character of neither alphabet.
  package static func value(of character: UInt8) -> UInt8? {
    switch character {
    case 0x41...0x5A: character - 0x41
    case 0x61...0x7A: character - 0x61 + 26
    case 0x30...0x39: character - 0x30 + 52
    case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
    case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
    default: nil
    }
  }

  /// Without padding.
  package static func characters(_ bytes: [UInt8], isURL: Bool) -> [UInt8] {
    var characters: [UInt8] = []
    characters.reserveCapacity((bytes.count * 4 + 2) / 3)
    var (word, bits): (UInt32, UInt32) = (0, 0)
    for byte in bytes {
      word = word << 8 & 0xFFFF | UInt32(byte)
      bits += 8
      while bits >= 6 {
        bits -= 6
        characters.append(character(UInt8(word >> bits & 0x3F), isURL: isURL))
      }
    }
    if bits > 0 { characters.append(character(UInt8(word << (6 - bits) & 0x3F), isURL: isURL)) }
    return characters
  }

  /// The bytes that a text of either alphabet spells; nil if it spells none. Padding may be left out.
  package static func decode(_ text: some BidirectionalCollection<UInt8>) -> [UInt8]? {
    var assembler = Assembler()
    var bytes: [UInt8] = []
    // Enough from the start: growing would leave copies of a key.
    bytes.reserveCapacity(text.count / 4 * 3 + 3)
    var padding = 0
    for character in text {
      if character == UInt8(ascii: "=") {
        padding += 1
      } else {
        guard padding == 0, let value = value(of: character) else { return nil }
        if let byte = assembler.byte(with: value) { bytes.append(byte) }
      }
    }
    return assembler.isWhole && padding <= assembler.missing ? bytes : nil
  }

  /// Puts bytes together of six bits each.
  package struct Assembler {
    private var bits: UInt32 = 0
    /// Of `bits`, how many are of no byte yet.
    private var count: UInt32 = 0

    package init() {}

    /// The byte that is whole with these six bits.
    package mutating func byte(with value: UInt8) -> UInt8? {
      bits = bits << 6 | UInt32(value)
      count += 6
      guard count >= 8 else { return nil }
      count -= 8
      return UInt8(truncatingIfNeeded: bits >> count)
    }

    /// Whether only bits are left that fill up the last character.
    var isWhole: Bool { count < 6 }
    /// Characters of padding after what was put together.
    var missing: Int { Int(count / 2) }
  }
}
