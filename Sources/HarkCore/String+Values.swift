extension FixedWidthInteger {
  /// Reads a number that a person wrote: decimal, or hexadecimal after `0x`, in either case, with any leading zeros.
  package init?(written text: some StringProtocol) {
    let digits = text.withoutHexPrefix
    guard let first = (digits ?? text[...]).utf8.first, Hex.value(of: first) != nil,
      let value = Self(digits ?? text[...], radix: digits == nil ? 10 : 16)
    else { return nil }
    self = value
  }
}

extension BluetoothUUID {
  /// Reads a UUID that a person wrote: its usual form, or `0x180F`.
  package init?(written text: some StringProtocol) {
    guard text.withoutHexPrefix != nil else {
      self.init(text)
      return
    }
    guard let value = UInt32(written: text) else { return nil }
    self.init(value)
  }
}

extension StringProtocol {
  /// What follows `0x`, in either case. Nil if the text does not begin with it.
  package var withoutHexPrefix: SubSequence? {
    hasPrefix("0x") || hasPrefix("0X") ? dropFirst(2) : nil
  }

  /// Without leading and trailing blanks, tabs and line ends.
  package var trimmed: SubSequence {
    let isBlank = { (character: Character) in
      character == " " || character == "\t" || character.isNewline
    }
    let start = drop(while: isBlank)
    guard let last = start.lastIndex(where: { !isBlank($0) }) else { return start }
    return start[...last]
  }
}

extension ArraySlice<UInt8> {
  /// What follows `0x` in text, in either case. Nil if the text does not begin with it.
  package var withoutHexPrefix: ArraySlice<UInt8>? {
    starts(with: "0x".utf8) || starts(with: "0X".utf8) ? dropFirst(2) : nil
  }
}

extension String {
  /// Whether bytes that were decoded as text probably are text: at most a quarter of the characters are control
  /// characters or U+FFFD, which replaces what is not in the encoding. Zeros at the end do not count.
  public var isLikelyText: Bool {
    var (count, strange, zeros) = (0, 0, 0)
    for scalar in unicodeScalars {
      zeros = scalar.value == 0 ? zeros + 1 : 0
      count += 1
      switch scalar.value {
      case 0x09, 0x0A, 0x0D: break
      case 0..<0x20, 0x7F..<0xA0, 0xFFFD: strange += 1
      default: break
      }
    }
    return (strange - zeros) * 4 <= count - zeros
  }

  /// The text that bytes spell in UTF-8, or, if they are something else, their hexadecimal digits.
  package init(spelling bytes: some Collection<UInt8>) {
    let text = String(decoding: bytes, as: UTF8.self)
    self = text.isLikelyText ? text : Hex.text(bytes)
  }
}

extension String {
  /// The last part of a path, such as `session.pklg`; the path itself if it has no parts.
  package var fileName: String { split(separator: "/").last.map(String.init) ?? self }
}
