extension FixedWidthInteger {
  /// Reads a number that a person wrote: decimal, or hexadecimal after `0x`, in either case, with any leading zeros.
  package init?(written text: some StringProtocol) {
    let isHex = text.hasPrefix("0x") || text.hasPrefix("0X")
    let digits = isHex ? text.dropFirst(2) : text[...]
    guard let first = digits.utf8.first, Hex.value(of: first) != nil,
      let value = Self(digits, radix: isHex ? 16 : 10)
    else { return nil }
    self = value
  }
}

extension BluetoothUUID {
  /// The same of a UUID: as without the label, or `0x180F`.
  package init?(written text: some StringProtocol) {
    guard text.hasPrefix("0x") || text.hasPrefix("0X") else {
      self.init(text)
      return
    }
    guard let value = UInt32(written: text) else { return nil }
    self.init(value)
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
