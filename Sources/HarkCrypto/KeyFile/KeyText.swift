import HarkCore

/// Reads keys written as hexadecimal digits or base64.
public enum KeyText {
  /// The bytes of a key of some kind, as people write it; nil if they are neither hexadecimal nor base64.
  public static func bytes(_ text: [UInt8], of kind: StoredKey.Kind) -> [UInt8]? {
    switch kind {
    case .accessory: bytes(text[...], sizes: [32, 64])
    case .session, .internet: bytes(text[...], sizes: [32])
    case .ltk, .irk, .csrk, .linkKey, .proximity, .temporary: bytes(text[...], sizes: [16])
    }
  }

  /// The bytes that `text` spells. Where a text can be read both ways, the reading with one of
  /// `sizes` counts. Nil if it is neither hexadecimal nor base64.
  static func bytes(_ text: ArraySlice<UInt8>, sizes: [Int]) -> [UInt8]? {
    let fromHex = hex(text)
    if let fromHex, sizes.contains(fromHex.count) { return fromHex }
    let fromBase64 = Base64.decode(text)
    if let fromBase64, sizes.contains(fromBase64.count) { return fromBase64 }
    return fromHex ?? fromBase64
  }

  /// Pairs of digits, also after `0x`; blanks, colons and hyphens between are passed over.
  private static func hex(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    let text = text.withoutHexPrefix ?? text
    var result: [UInt8] = []
    // Enough from the start: growing would leave copies of the key.
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
}
