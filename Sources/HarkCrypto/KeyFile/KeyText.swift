import HarkCore

/// Reads keys written as hexadecimal digits or base64.
public enum KeyText {
  /// The bytes of a key of some kind, as people write it; nil if they are neither hexadecimal nor base64. A temporary key may
  /// be the six digits of a passkey.
  public static func bytes(_ text: [UInt8], of kind: StoredKey.Kind) -> [UInt8]? {
    (kind == .temporary ? passkey(text) : nil) ?? bytes(text[...], sizes: sizes(of: kind))
  }

  /// Vol 3, Part H, 2.3.5.3: the passkey as a number of 128 bits.
  private static func passkey(_ text: [UInt8]) -> [UInt8]? {
    guard text.count == 6, text.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    let number = text.reduce(UInt32(0)) { $0 * 10 + UInt32($1 - 0x30) }
    return [UInt8](repeating: 0, count: 12)
      + (0..<4).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * UInt32($0))) }
  }

  private static func sizes(of kind: StoredKey.Kind) -> [Int] {
    switch kind {
    case .accessory: [32, 64]
    case .session, .internet: [32]
    case .ltk, .irk, .csrk, .linkKey, .proximity, .temporary: [16]
    }
  }

  /// What is wrong with hexadecimal digits of which one is missing or mistyped; nil if the text is something else. It never
  /// contains a part of the text.
  public static func mistake(_ text: [UInt8], of kind: StoredKey.Kind) -> String? {
    mistake(text[...], sizes: sizes(of: kind))
  }

  static func mistake(_ text: ArraySlice<UInt8>, sizes: [Int]) -> String? {
    // Such a text is valid base64, too, of some other number of bytes.
    guard hex(text) == nil, Base64.decode(text).map({ sizes.contains($0.count) }) != true
    else { return nil }
    let digits = (text.withoutHexPrefix ?? text).filter { !separators.contains($0) }
    let others = digits.count { Hex.value(of: $0) == nil }
    guard digits.count >= fewestDigits, others <= 1 else { return nil }
    let wanted = sizes.map { "\($0 * 2)" }.joined(separator: " or ")
    return "\(digits.count - others) hexadecimal digits"
      + (others == 0 ? "" : " and another character") + "; a key has \(wanted)"
  }

  private static let separators: [UInt8] = [0x20, 0x2D, 0x3A]
  /// Fewer characters say nothing of what they are.
  private static let fewestDigits = 16

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
    for character in text where separators.contains(character) == false {
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
