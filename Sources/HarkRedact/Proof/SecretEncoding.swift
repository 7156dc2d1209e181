import HarkCore

/// How a value may stand somewhere else than in the field that it is from.
indirect enum SecretEncoding: Hashable, Sendable {
  case raw
  case reversed
  /// Two digits a byte, with a character between them, or none (0).
  case hex(isUpper: Bool, isReversed: Bool, separator: UInt8)
  /// Two digits a byte, a character after so many of them; before the value stand others in its first group.
  case groups(of: Int, alignment: Int, separator: UInt8, isReversed: Bool)
  /// Digits in UTF-16 of either byte order: the zero before the first character or after the last one is not part of it.
  case wide(SecretEncoding)
  /// Two digits a byte, with more than a character between them.
  case joined(by: Joint, isReversed: Bool)
  /// Decimal numbers, as programs print arrays, with a space after each comma or not.
  case decimal(hasSpaces: Bool, isReversed: Bool)
  /// As UUIDs are written: RFC 9562, 4.
  case uuid(isUpper: Bool)
  /// RFC 4648, 4 and 5: its own alphabet, and that of URLs. So many bytes of something else stand
  /// before the value in the first group of three.
  case base64(alignment: Int, isURL: Bool, isReversed: Bool)
  /// Base64 in JSON, where each slash has a backslash in front.
  case escapedBase64(alignment: Int, isReversed: Bool)
  /// Of texts.
  case utf16(isBigEndian: Bool)
  /// Of texts in JSON, where that writes them otherwise.
  case json(escapesAll: Bool)
  /// Of texts in small or capital letters; no bytes if that changes their number.
  case letters(isUpper: Bool)
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

  /// As packets have it, in either order of octets. UUIDs of services may have the same bytes as an identifier: they
  /// stay in a capture.
  static func asSent(_ kind: PersonalKind) -> [SecretEncoding] {
    kind == .identifier ? [] : [.raw, .reversed]
  }

  static func all(of kind: PersonalKind) -> [SecretEncoding] {
    if kind == .identifier {
      return [.uuid(isUpper: false), .hex(isUpper: false, isReversed: false, separator: 0)]
    }
    var all = asSent(kind)
    for isReversed in [false, true] {
      var digits: [SecretEncoding] = ([0] + Array(":-_ ,.".utf8)).map {
        .hex(isUpper: false, isReversed: isReversed, separator: $0)
      }
      // As routers have addresses: `3c5a.b491.e720`; and the maker's half of one, with the device's.
      for (size, separators) in [(2, ".:-"), (3, ":-")] {
        digits += separators.utf8.map {
          .groups(of: size, alignment: 0, separator: $0, isReversed: isReversed)
        }
      }
      all += digits + digits.map { .wide($0) }
      // As xxd has them, and descriptions of NSData.
      for size in [2, 4] {
        for alignment in 0..<size {
          all.append(
            .groups(
              of: size, alignment: alignment, separator: UInt8(ascii: " "), isReversed: isReversed))
        }
      }
      for joint in Joint.allCases { all.append(.joined(by: joint, isReversed: isReversed)) }
      for hasSpaces in [false, true] {
        all.append(.decimal(hasSpaces: hasSpaces, isReversed: isReversed))
      }
    }
    // Texts are in no other order.
    for isReversed in kind.isText ? [false] : [false, true] {
      for alignment in 0..<3 {
        all.append(.base64(alignment: alignment, isURL: false, isReversed: isReversed))
        all.append(.base64(alignment: alignment, isURL: true, isReversed: isReversed))
        all.append(.escapedBase64(alignment: alignment, isReversed: isReversed))
      }
    }
    if kind.isText {
      all += [.utf16(isBigEndian: false), .utf16(isBigEndian: true)]
      all += [.json(escapesAll: false), .json(escapesAll: true)]
    }
    return all
  }

  /// Texts in another letter case than in their field: `ACME BUDS`.
  static let textsInAnyCase: [SecretEncoding] = [
    .anyCase(.raw), .anyCase(.letters(isUpper: false)), .anyCase(.letters(isUpper: true)),
    .anyCase(.utf16(isBigEndian: false)), .anyCase(.utf16(isBigEndian: true)),
  ]

  /// Whether a text in it is the text itself.
  var isPlain: Bool {
    switch self {
    case .raw, .reversed, .json: true
    case .anyCase(let encoding): encoding.isPlain
    case .hex, .groups, .wide, .joined, .decimal, .uuid, .base64, .escapedBase64, .utf16, .letters:
      false
    }
  }

  /// Whether it is the same in capital letters, and in a mixture of both.
  var ignoresCase: Bool {
    switch self {
    case .hex, .wide, .groups, .joined, .uuid, .anyCase: true
    case .raw, .reversed, .decimal, .base64, .escapedBase64, .utf16, .json, .letters: false
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
    case .wide(let digits):
      return Array(digits.encode(bytes).map { [$0] }.joined(separator: [0]))
    case .joined(let joint, let isReversed):
      let digits = Self.digits(isReversed ? bytes.reversed() : bytes)
      return Array(digits.joined(separator: Array(joint.rawValue.utf8)))
    case .decimal(let hasSpaces, let isReversed):
      let numbers = (isReversed ? bytes.reversed() : bytes).map { Array(String($0).utf8) }
      return Array(numbers.joined(separator: Array((hasSpaces ? ", " : ",").utf8)))
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
    case .json(let escapesAll): return Self.json(bytes, escapesAll: escapesAll)
    case .letters(let isUpper):
      let text = String(decoding: bytes, as: UTF8.self)
      let changed = Array((isUpper ? text.uppercased() : text.lowercased()).utf8)
      return changed.count == bytes.count ? changed : []
    case .anyCase(let inner): return Self.lowercased(inner.encode(bytes))
    }
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

  /// Decimal numbers of as many digits as those at `place`.
  private static func replaceNumbers(at place: Int, by new: [UInt8], in bytes: inout [UInt8]) {
    var place = place
    for byte in new {
      let digits = bytes[place...].prefix { 0x30...0x39 ~= $0 }.count
      var number =
        switch digits {
        case 3...: 100 + Int(byte) % 156
        case 2: 10 + Int(byte) % 90
        default: Int(byte) % 10
        }
      for index in (place..<(place + digits)).reversed() {
        bytes[index] = 0x30 + UInt8(number % 10)
        number /= 10
      }
      place += digits
      while place < bytes.count, bytes[place] == 0x20 || bytes[place] == 0x2C { place += 1 }
    }
  }

  /// Puts `new` where `encode(old)` was found, at `place`; both are of one length.
  func replace(at place: Int, by new: [UInt8], in bytes: inout [UInt8]) {
    if case .decimal(_, let isReversed) = self {
      Self.replaceNumbers(at: place, by: isReversed ? new.reversed() : new, in: &bytes)
      return
    }
    if case .escapedBase64(let alignment, let isReversed) = self {
      let characters = Self.base64(alignment: alignment, isURL: false, isReversed: isReversed)
        .encode(new)
      let old = Base64.unescaped(bytes[place...], count: characters.count)
      let encoded = Base64.escaped(characters, like: old)
      bytes.replaceSubrange(place..<(place + encoded.count), with: encoded)
      return
    }
    if case .anyCase(let inner) = self {
      // Other letters may take other numbers of bytes.
      let letters = inner.encode(new)
      for (index, byte) in zip(place..<bytes.count, letters.isEmpty ? new : letters) {
        bytes[index] =
          switch (bytes[index], byte) {
          case (0x41...0x5A, 0x61...0x7A): byte & 0xDF
          case (0x61...0x7A, 0x41...0x5A): byte | 0x20
          default: byte
          }
      }
      return
    }
    let encoded = encode(new)
    let range = place..<min(place + encoded.count, bytes.count)
    let isUpper = ignoresCase && bytes[range].contains { 0x41...0x46 ~= $0 }
    for (index, byte) in zip(range, encoded) {
      bytes[index] = isUpper && 0x61...0x66 ~= byte ? byte & 0xDF : byte
    }
    guard case .base64(let alignment, let isURL, let isReversed) = self else { return }
    // The characters at its ends have some bits of the value.
    let ordered = isReversed ? new.reversed() : new
    let padded = [UInt8](repeating: 0, count: alignment) + ordered + [0, 0]
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
