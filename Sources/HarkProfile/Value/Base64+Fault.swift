import HarkCore

extension Base64 {
  /// RFC 4648, section 4, with padding. Says where the text is damaged.
  static func decode(_ text: String) throws(Evaluator.Fault) -> [UInt8] {
    let characters = text.utf8.span
    let count = characters.count
    guard count.isMultiple(of: 4) else { throw .characters(count) }
    let padding = padding(text)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count / 4 * 3)
    var assembler = Assembler()
    for offset in 0..<count {
      let character = characters[offset]
      if offset < count - padding {
        guard character != UInt8(ascii: "-"), character != UInt8(ascii: "_"),
          let value = value(of: character)
        else { throw .character(offset) }
        if let byte = assembler.byte(with: value) { bytes.append(byte) }
      } else if character != UInt8(ascii: "=") {
        // `=` may only follow, also where the last but one is `=` and the last is not.
        throw .character(offset)
      }
    }
    return bytes
  }

  /// How many bytes it spells, without reading them.
  static func size(_ text: String) -> Int { max(0, text.utf8.count / 4 * 3 - padding(text)) }

  private static func padding(_ text: String) -> Int {
    text.utf8.suffix(2).reduce(0) { $0 + ($1 == UInt8(ascii: "=") ? 1 : 0) }
  }
}
