import HarkCore

/// How a value may stand somewhere else than in the field that it is from.
enum SecretEncoding: Hashable, Sendable {
  case raw
  case reversed
  /// Two digits a byte, with a character between them, or none (0).
  case hex(isUpper: Bool, isReversed: Bool, separator: UInt8)
  /// RFC 4648, 4 and 5: its own alphabet, and that of URLs. So many bytes of something else stand
  /// before the value in the first group of three.
  case base64(alignment: Int, isURL: Bool)
  /// Of texts.
  case utf16(isBigEndian: Bool)
  /// Of texts in JSON, where that writes them otherwise.
  case json(escapesAll: Bool)

  static func all(of kind: PersonalKind) -> [SecretEncoding] {
    var all: [SecretEncoding] = [.raw, .reversed]
    // Of texts, nobody puts anything between the digits.
    let separators: [UInt8] = kind.isText ? [0] : [0] + Array(":-_ ".utf8)
    for separator in separators {
      for isReversed in kind.isText ? [false] : [false, true] {
        all.append(.hex(isUpper: false, isReversed: isReversed, separator: separator))
        all.append(.hex(isUpper: true, isReversed: isReversed, separator: separator))
      }
    }
    for alignment in 0..<3 {
      all.append(.base64(alignment: alignment, isURL: false))
      all.append(.base64(alignment: alignment, isURL: true))
    }
    if kind.isText {
      all += [.utf16(isBigEndian: false), .utf16(isBigEndian: true)]
      all += [.json(escapesAll: false), .json(escapesAll: true)]
    }
    return all
  }

  /// The value as it would stand there; of base64 without the characters at its ends that other bytes
  /// have a part in.
  func encode(_ bytes: [UInt8]) -> [UInt8] {
    switch self {
    case .raw: return bytes
    case .reversed: return bytes.reversed()
    case .hex(let isUpper, let isReversed, let separator):
      var text: [UInt8] = []
      for byte in isReversed ? bytes.reversed() : bytes {
        if separator != 0, !text.isEmpty { text.append(separator) }
        for nibble in [byte >> 4, byte & 15] {
          text.append(nibble < 10 ? 0x30 + nibble : (isUpper ? 0x37 : 0x57) + nibble)
        }
      }
      return text
    case .base64(let alignment, let isURL):
      let whole = Base64.characters([UInt8](repeating: 0, count: alignment) + bytes, isURL: isURL)
      let end = (alignment + bytes.count) * 8 / 6
      return Array(whole[min((alignment * 8 + 5) / 6, end)..<end])
    case .utf16(let isBigEndian):
      return String(decoding: bytes, as: UTF8.self).utf16.flatMap { unit in
        let pair = [UInt8(unit >> 8), UInt8(truncatingIfNeeded: unit)]
        return isBigEndian ? pair : pair.reversed()
      }
    case .json(let escapesAll): return Self.json(bytes, escapesAll: escapesAll)
    }
  }

  /// RFC 8259, 7.
  private static func json(_ bytes: [UInt8], escapesAll: Bool) -> [UInt8] {
    var text: [UInt8] = []
    for character in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      switch character {
      case "\"", "\\": text += [0x5C, UInt8(truncatingIfNeeded: character.value)]
      case "\n": text += Array(#"\n"#.utf8)
      case "\t": text += Array(#"\t"#.utf8)
      case "/" where escapesAll: text += Array(#"\/"#.utf8)
      case _ where escapesAll && !character.isASCII:
        for unit in String(character).utf16 {
          let digits = String(unit, radix: 16)
          text += Array((#"\u"# + String(repeating: "0", count: 4 - digits.count) + digits).utf8)
        }
      default: text += Array(String(character).utf8)
      }
    }
    return text
  }

  /// Puts `new` where `encode(old)` was found, at `place`; both are of one length.
  func replace(at place: Int, by new: [UInt8], in bytes: inout [UInt8]) {
    let encoded = encode(new)
    for (index, byte) in encoded.enumerated() where place + index < bytes.count {
      bytes[place + index] = byte
    }
    guard case .base64(let alignment, let isURL) = self else { return }
    // The characters at its ends have some bits of the value.
    let padded = [UInt8](repeating: 0, count: alignment) + new + [0, 0]
    let whole = Base64.characters(padded, isURL: isURL)
    let (first, end) = (alignment * 8, (alignment + new.count) * 8)
    func mend(_ character: Int, at place: Int, keeping mask: UInt8) {
      guard bytes.indices.contains(place), let old = Base64.value(of: bytes[place]),
        let made = Base64.value(of: whole[character])
      else { return }
      bytes[place] = Base64.character(old & mask | made & ~mask & 0x3F, isURL: isURL)
    }
    if first % 6 != 0 { mend(first / 6, at: place - 1, keeping: 0x3F << UInt8(6 - first % 6)) }
    if end % 6 != 0 {
      mend(end / 6, at: place + encoded.count, keeping: 0x3F >> UInt8(end % 6))
    }
  }
}

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
}
