import HarkCore

/// How a value may stand somewhere else than in the field that it is from.
indirect enum SecretEncoding: Hashable, Sendable {
  case raw
  case reversed
  /// Two digits a byte, with a character between them, or none (0).
  case hex(isUpper: Bool, isReversed: Bool, separator: UInt8)
  /// Two digits a byte, a character after so many of them; before the value stand others in its first group.
  case groups(of: Int, alignment: Int, separator: UInt8, isReversed: Bool)
  /// Digits in UTF-16 or UTF-32, so many bytes each, of either byte order: the zeros before the first character or after
  /// the last one are not part of it.
  case wide(of: Int, SecretEncoding)
  /// Two digits a byte, with more than a character between them.
  case joined(by: Joint, isReversed: Bool)
  /// Two or four bytes a number, as `%04x` prints the words of a key.
  /// - Parameter isSwapped: Whether a word has its least significant byte first in the value.
  case words(of: Int, by: Joint, isSwapped: Bool, isReversed: Bool)
  /// Decimal numbers, as programs print arrays; signed as in Java and Kotlin.
  case decimal(by: Comma, isSigned: Bool, isReversed: Bool)
  /// One decimal number.
  case integer(isReversed: Bool)
  /// An address as an EUI-64, and as IPv6 modifies it. RFC 4291, appendix A
  case eui64(isModified: Bool, SecretEncoding)
  /// Another form of a text; no bytes if it is the same.
  case form(TextForm, SecretEncoding)
  /// Of texts in which some characters are written by their numbers; no bytes if it has none of them.
  case escaped(TextEscape)
  /// As UUIDs are written: RFC 9562, 4.
  case uuid(isUpper: Bool)
  /// RFC 4648, 4 and 5: its own alphabet, and that of URLs. So many bytes of something else stand
  /// before the value in the first group of three.
  case base64(alignment: Int, isURL: Bool, isReversed: Bool)
  /// Base64 in JSON, where each slash has a backslash in front.
  case escapedBase64(alignment: Int, isReversed: Bool)
  /// Of texts.
  case utf16(isBigEndian: Bool)
  case utf32(isBigEndian: Bool)
  /// Of texts in JSON, where that writes them otherwise.
  case json(escapesAll: Bool)
  /// Of texts in any mixture of small and capital letters of ASCII.
  case anyCase(SecretEncoding)

  /// What arrays and strings in programs, JSON, HTML, mails and URLs have between the digits of two bytes.
  enum Joint: String, CaseIterable, Sendable {
    case space = " 0x"
    case commaAndSpace = ", 0x"
    case comma = ",0x"
    case list = ", "
    case singleQuotes = "', '"
    case doubleQuotes = #"", ""#
    case escape = #"\x"#
    case unicode = #"\u00"#
    case entity = ";&#x"
    case quotedPrintable = "="
    case percent = "%"
  }

  /// What decimal numbers have between them.
  enum Comma: String, CaseIterable, Sendable {
    case space = " "
    case comma = ","
    case commaAndSpace = ", "
    case dot = "."
  }

  /// As packets have it, in either order of octets. UUIDs of services may have the same bytes as an identifier: they
  /// stay in a capture.
  static func asSent(_ kind: PersonalKind) -> [SecretEncoding] {
    kind == .identifier ? [] : [.raw, .reversed]
  }

  /// Whether a text in it is the text itself.
  var isPlain: Bool {
    switch self {
    case .raw, .reversed, .json: true
    case .anyCase(let inner), .form(_, let inner): inner.isPlain
    case .hex, .groups, .wide, .joined, .words, .decimal, .integer, .eui64, .escaped, .uuid,
      .base64, .escapedBase64, .utf16, .utf32:
      false
    }
  }

  /// Whether it is the same in capital letters, and in a mixture of both.
  var ignoresCase: Bool {
    switch self {
    case .hex, .wide, .groups, .joined, .words, .uuid, .anyCase: true
    case .raw, .reversed, .decimal, .integer, .base64, .escapedBase64, .utf16, .utf32, .json,
      .escaped:
      false
    case .eui64(_, let inner), .form(_, let inner): inner.ignoresCase
    }
  }

  static func lowercased(_ text: [UInt8]) -> [UInt8] {
    text.map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }
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
    case .groups(let size, let alignment, let separator, let isReversed):
      let digits = Self.digits(isReversed ? bytes.reversed() : bytes)
      return digits.enumerated().flatMap { index, pair in
        index > 0 && (index + alignment) % size == 0 ? [separator] + pair : pair
      }
    case .wide(let size, let digits):
      let zeros = [UInt8](repeating: 0, count: size - 1)
      return Array(digits.encode(bytes).map { [$0] }.joined(separator: zeros))
    case .joined(let joint, let isReversed):
      let digits = Self.digits(isReversed ? bytes.reversed() : bytes)
      return Array(digits.joined(separator: Array(joint.rawValue.utf8)))
    case .words(let size, let joint, let isSwapped, let isReversed):
      guard bytes.count.isMultiple(of: size), bytes.count > size else { return [] }
      let digits = Self.digits(isReversed ? bytes.reversed() : bytes)
      let words = stride(from: 0, to: digits.count, by: size).map { start in
        let word = digits[start..<(start + size)]
        return Array((isSwapped ? word.reversed() : Array(word)).joined())
      }
      return Array(words.joined(separator: Array(joint.rawValue.utf8)))
    case .decimal(let comma, let isSigned, let isReversed):
      let numbers = (isReversed ? bytes.reversed() : bytes).map {
        Array((isSigned ? String(Int8(bitPattern: $0)) : String($0)).utf8)
      }
      return Array(numbers.joined(separator: Array(comma.rawValue.utf8)))
    case .integer(let isReversed):
      let text = Self.integerDigits(isReversed ? bytes.reversed() : bytes)
      return text.count >= Self.shortestInteger ? text : []
    case .eui64(let isModified, let inner):
      return bytes.count == 6 ? inner.encode(Self.extended(bytes, isModified: isModified)) : []
    case .form(let form, let inner): return form.apply(bytes).map(inner.encode) ?? []
    case .escaped(let escape): return escape.apply(bytes)
    case .uuid(let isUpper):
      let digits = Self.hex(isUpper: isUpper, isReversed: false, separator: 0).encode(bytes)
      return digits.enumerated().flatMap { index, digit in
        [8, 12, 16, 20].contains(index) ? [UInt8(ascii: "-"), digit] : [digit]
      }
    case .base64(let alignment, let isURL, let isReversed):
      let ordered = isReversed ? bytes.reversed() : bytes
      let whole = Base64.characters(
        [UInt8](repeating: 0, count: alignment) + ordered, isURL: isURL)
      let end = (alignment + bytes.count) * 8 / 6
      return Array(whole[min((alignment * 8 + 5) / 6, end)..<end])
    case .escapedBase64(let alignment, let isReversed):
      return Base64.escaped(
        Self.base64(alignment: alignment, isURL: false, isReversed: isReversed).encode(bytes))
    case .utf16(let isBigEndian):
      return String(decoding: bytes, as: UTF8.self).utf16.flatMap { unit in
        let pair = [UInt8(unit >> 8), UInt8(truncatingIfNeeded: unit)]
        return isBigEndian ? pair : pair.reversed()
      }
    case .utf32(let isBigEndian):
      return String(decoding: bytes, as: UTF8.self).unicodeScalars.flatMap { scalar in
        let octets = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: scalar.value >> $0) }
        return isBigEndian ? octets : octets.reversed()
      }
    case .json(let escapesAll): return Self.json(bytes, escapesAll: escapesAll)
    case .anyCase(let inner): return Self.lowercased(inner.encode(bytes))
    }
  }

  /// Fewer digits are the same by chance.
  private static let shortestInteger = 10

  /// Of up to eight bytes.
  static func integerDigits(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.count <= 8 else { return [] }
    return Array(String(bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }).utf8)
  }

  static func extended(_ address: [UInt8], isModified: Bool) -> [UInt8] {
    guard address.count == 6 else { return address }
    return [address[0] ^ (isModified ? 2 : 0)] + address[1...2] + [0xFF, 0xFE] + address[3...5]
  }

  private static func digits(_ bytes: [UInt8]) -> [[UInt8]] {
    bytes.map { hex(isUpper: false, isReversed: false, separator: 0).encode([$0]) }
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
}
