import HarkCore

// In JSON.
extension Base64 {
  private static let slash: UInt8 = 0x2F
  private static let backslash: UInt8 = 0x5C

  /// As JSONEncoder and others write it.
  static func escaped(_ characters: [UInt8]) -> [UInt8] {
    characters.flatMap { $0 == slash ? [backslash, slash] : [$0] }
  }

  /// `characters` in the same number of bytes as `old` has, both without backslashes in them. JSON may have a
  /// backslash before a slash, which takes two bytes then: as many slashes have one as `old` has. Where there are
  /// fewer, those of `old` stay.
  static func escaped(_ characters: [UInt8], like old: [UInt8]) -> [UInt8] {
    let counts = [characters, old].map { $0.count { $0 == slash } }
    guard counts[0] >= counts[1] else {
      return escaped(
        zip(characters, old).map { new, old in
          old == slash ? slash : new == slash ? UInt8(ascii: "+") : new
        })
    }
    var left = counts[1]
    return characters.flatMap { character in
      guard character == slash, left > 0 else { return [character] }
      left -= 1
      return [backslash, slash]
    }
  }

  /// The first `count` characters of `text`.
  static func unescaped(_ text: ArraySlice<UInt8>, count: Int) -> [UInt8] {
    Array(text.prefix(2 * count).filter { $0 != backslash }.prefix(count))
  }
}
