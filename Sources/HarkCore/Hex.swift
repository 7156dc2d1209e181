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
  public static func text(_ bytes: some Sequence<UInt8>) -> String { text(Array(bytes)) }

  /// Lower-case digits.
  /// - Parameter separator: An ASCII character between two bytes; nil for nothing.
  public static func text(_ bytes: [UInt8], separator: UInt8? = nil) -> String {
    guard !bytes.isEmpty else { return "" }
    let count = bytes.count * 2 + (separator == nil ? 0 : bytes.count - 1)
    return unsafe String(unsafeUninitializedCapacity: count) { text in
      var place = 0
      for (index, byte) in bytes.enumerated() {
        if index > 0, let separator {
          unsafe text[place] = separator
          place += 1
        }
        unsafe text[place] = digit(byte >> 4)
        unsafe text[place + 1] = digit(byte & 0x0F)
        place += 2
      }
      return place
    }
  }

  private static func digit(_ nibble: UInt8) -> UInt8 { nibble + (nibble < 10 ? 0x30 : 0x57) }
}
