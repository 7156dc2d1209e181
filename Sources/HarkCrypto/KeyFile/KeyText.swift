import HarkCore

/// Reads keys written as hexadecimal digits or base64.
enum KeyText {
  /// The bytes that `text` spells. Where a text can be read both ways, the reading with one of
  /// `sizes` counts. Nil if it is neither hexadecimal nor base64.
  static func bytes(_ text: ArraySlice<UInt8>, sizes: Set<Int>) -> [UInt8]? {
    let fromHex = hex(text)
    if let fromHex, sizes.contains(fromHex.count) { return fromHex }
    let fromBase64 = base64(text)
    if let fromBase64, sizes.contains(fromBase64.count) { return fromBase64 }
    return fromHex ?? fromBase64
  }

  /// Pairs of digits; blanks, colons and hyphens between are passed over.
  private static func hex(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    var result: [UInt8] = []
    // Enough from the start: growing would leave copies of the key behind.
    result.reserveCapacity(text.count / 2 + 1)
    var high: UInt8?
    for character in text where [0x20, 0x2D, 0x3A].contains(character) == false {
      guard let nibble = Hex.value(of: character) else { return nil }
      if let first = high {
        result.append(first << 4 | nibble)
        high = nil
      } else {
        high = nibble
      }
    }
    return high == nil ? result : nil
  }

  /// RFC 4648, 4 and 5, padding optional.
  private static func base64(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    var result: [UInt8] = []
    result.reserveCapacity(text.count * 3 / 4 + 1)
    var bits: UInt32 = 0
    var count = 0
    let digits = text.prefix { $0 != UInt8(ascii: "=") }
    guard text.count - digits.count <= 2,
      text.suffix(from: digits.endIndex).allSatisfy({ $0 == 0x3D })
    else { return nil }
    for character in digits {
      guard let value = sextet(character) else { return nil }
      bits = bits << 6 | UInt32(value)
      count += 6
      if count >= 8 {
        count -= 8
        result.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    return count < 6 ? result : nil
  }

  private static func sextet(_ character: UInt8) -> UInt8? {
    switch character {
    case 0x41...0x5A: character - 0x41
    case 0x61...0x7A: character - 0x61 + 26
    case 0x30...0x39: character - 0x30 + 52
    case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
    case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
    default: nil
    }
  }
}
