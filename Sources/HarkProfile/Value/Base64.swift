/// Base64, RFC 4648. Says where the text is damaged, which Foundation does not.
enum Base64 {
  /// Section 4, with padding.
  static func decode(_ text: String) throws(Evaluator.Fault) -> [UInt8] {
    let characters = text.utf8.span
    let count = characters.count
    guard count.isMultiple(of: 4) else { throw .characters(count) }
    let padding = padding(text)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count / 4 * 3)
    let sextets = sextets
    var quantum: UInt32 = 0
    for offset in 0..<count {
      let character = characters[offset]
      if offset < count - padding {
        let bits = sextets[Int(character)]
        guard bits < 64 else { throw .character(offset) }
        quantum = quantum << 6 | UInt32(bits)
      } else {
        // `=` may only follow, also where the last but one is `=` and the last is not.
        guard character == UInt8(ascii: "=") else { throw .character(offset) }
        quantum <<= 6
      }
      if offset & 3 == 3 {
        bytes.append(UInt8(truncatingIfNeeded: quantum >> 16))
        bytes.append(UInt8(truncatingIfNeeded: quantum >> 8))
        bytes.append(UInt8(truncatingIfNeeded: quantum))
      }
    }
    bytes.removeLast(min(padding, bytes.count))
    return bytes
  }

  /// Sections 4 and 5; the padding may be left out.
  static func decodeLoosely(_ text: String) -> [UInt8]? {
    var standard = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "-": standard.unicodeScalars.append("+")
      case "_": standard.unicodeScalars.append("/")
      default: standard.unicodeScalars.append(scalar)
      }
    }
    while standard.utf8.count & 3 != 0 { standard += "=" }
    return try? decode(standard)
  }

  /// How many bytes it spells, without reading them.
  static func size(_ text: String) -> Int { max(0, text.utf8.count / 4 * 3 - padding(text)) }

  private static func padding(_ text: String) -> Int {
    text.utf8.suffix(2).reduce(0) { $0 + ($1 == UInt8(ascii: "=") ? 1 : 0) }
  }

  /// By character; 64 for those that are none of the alphabet.
  private static let sextets: [UInt8] = {
    var table = [UInt8](repeating: 64, count: 256)
    let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    for (value, character) in alphabet.utf8.enumerated() {
      table[Int(character)] = UInt8(truncatingIfNeeded: value)
    }
    return table
  }()
}
