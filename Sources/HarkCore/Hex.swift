/// Hexadecimal text.
public enum Hex {
  /// The value of an ASCII digit, or nil.
  @inlinable
  public static func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case 0x30...0x39: digit - 0x30
    case 0x41...0x46: digit - 0x37
    case 0x61...0x66: digit - 0x57
    default: nil
    }
  }

  /// The bytes that `text` spells; blanks, colons and hyphens between digits are passed over.
  /// Nil if there is any other character or an odd number of digits.
  public static func bytes(_ text: some StringProtocol) -> [UInt8]? {
    var result: [UInt8] = []
    var pending: UInt8?
    for character in text.utf8 {
      if [0x20, 0x09, 0x0A, 0x0D, 0x2D, 0x3A].contains(character) { continue }
      guard let nibble = value(of: character) else { return nil }
      if let high = pending {
        result.append(high << 4 | nibble)
        pending = nil
      } else {
        pending = nibble
      }
    }
    return pending == nil ? result : nil
  }

  /// Lower-case digits, nothing between.
  public static func text(_ bytes: some Sequence<UInt8>) -> String {
    var text = TextBuffer()
    for byte in bytes { text.hex(byte) }
    return text.string
  }
}
