/// Base64 without padding, character by character: what stands around a value is not known.
enum Base64 {
  static func characters(_ bytes: [UInt8], isURL: Bool) -> [UInt8] {
    var characters: [UInt8] = []
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

  static func character(_ value: UInt8, isURL: Bool) -> UInt8 {
    switch value {
    case 0..<26: 0x41 + value
    case 26..<52: 0x61 + value - 26
    case 52..<62: 0x30 + value - 52
    case 62: isURL ? 0x2D : 0x2B
    default: isURL ? 0x5F : 0x2F
    }
  }

  static func value(of character: UInt8) -> UInt8? {
    switch character {
    case 0x41...0x5A: character - 0x41
    case 0x61...0x7A: character - 0x61 + 26
    case 0x30...0x39: character - 0x30 + 52
    case 0x2B, 0x2D: 62
    case 0x2F, 0x5F: 63
    default: nil
    }
  }

  // MARK: In JSON

  private static let slash: UInt8 = 0x2F
  private static let backslash: UInt8 = 0x5C

  /// As JSONEncoder and others write it.
  static func escaped(_ characters: [UInt8]) -> [UInt8] {
    characters.flatMap { $0 == slash ? [backslash, slash] : [$0] }
  }

  /// `characters` in the same number of bytes as `old` has, both without backslashes in them. Where
  /// they have not as many slashes, those of `old` stay: a slash has two bytes.
  static func escaped(_ characters: [UInt8], like old: [UInt8]) -> [UInt8] {
    let counts = [characters, old].map { $0.count { $0 == slash } }
    if counts[0] == counts[1] { return escaped(characters) }
    return escaped(
      zip(characters, old).map { new, old in
        old == slash ? slash : new == slash ? UInt8(ascii: "+") : new
      })
  }

  /// The first `count` characters of `text`.
  static func unescaped(_ text: ArraySlice<UInt8>, count: Int) -> [UInt8] {
    Array(text.prefix(2 * count).filter { $0 != backslash }.prefix(count))
  }
}
