/// Base64 with padding. RFC 4648, 4. Says where the text is damaged, which Foundation does not.
enum Base64 {
  /// - Throws: `FramingProblem` for `field`.
  static func decode(_ text: String, field: String) throws(FramingProblem) -> [UInt8] {
    let characters = text.utf8
    guard characters.count.isMultiple(of: 4) else {
      throw .base64MidQuantum(field: field, characters: characters.count)
    }
    let padding = characters.suffix(2).reduce(0) { $0 + ($1 == UInt8(ascii: "=") ? 1 : 0) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(characters.count / 4 * 3)
    var quantum: UInt32 = 0
    for (offset, character) in characters.enumerated() {
      if offset < characters.count - padding {
        guard let bits = value(of: character) else {
          throw .base64Character(field: field, offset: offset)
        }
        quantum = quantum << 6 | bits
      } else {
        // `=` may only follow, also where the last but one character is `=` and the last is not.
        guard character == UInt8(ascii: "=") else {
          throw .base64Character(field: field, offset: offset)
        }
        quantum <<= 6
      }
      if offset % 4 == 3 {
        bytes.append(UInt8(truncatingIfNeeded: quantum >> 16))
        bytes.append(UInt8(truncatingIfNeeded: quantum >> 8))
        bytes.append(UInt8(truncatingIfNeeded: quantum))
        quantum = 0
      }
    }
    bytes.removeLast(min(padding, bytes.count))
    return bytes
  }

  private static func value(of character: UInt8) -> UInt32? {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a") + 26)
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0") + 52)
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
