/// Characters of several bytes in UTF-8, and which others may stand for them: of the same script, and of the same kind.
/// Each byte follows from those before it alone, as a text may end inside of a character.
enum WideCharacters {
  /// - Parameters:
  ///   - old: A character up to the byte in question.
  ///   - new: What the bytes before it became.
  ///   - draw: A random number.
  static func byte(in old: ArraySlice<UInt8>, after new: ArraySlice<UInt8>, _ draw: Int) -> UInt8 {
    guard let first = old.first, let byte = old.last, old.count > 1 else {
      return old.last ?? 0
    }
    let count = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    if old.count < count {
      guard let all = blocks(first, Array(old.dropFirst())) else { return byte }
      return all[draw % all.count]
    }
    return last(old, new, draw)
  }

  /// The bytes in place of a byte in the middle of a character, where a script has more than 64 characters; nil if the byte
  /// stays. The Unicode Standard, Blocks.txt
  private static func blocks(_ first: UInt8, _ rest: [UInt8]) -> [UInt8]? {
    let all: [ClosedRange<UInt8>]
    switch (first, rest.count, rest.last ?? 0) {
    // Ideographs: U+4E00 to U+9FBF, and U+20000 to U+2A67F.
    case (0xE4, 1, 0xB8...): all = [0xB8...0xBF]
    case (0xE5...0xE8, 1, _): all = [0x80...0xBF]
    case (0xE9, 1, ...0xBE): all = [0x80...0xBE]
    case (0xF0, 2, _) where 0xA0...0xA9 ~= rest[0]: all = [0x80...0xBF]
    // Hangul: U+AC00 to U+D77F.
    case (0xEA, 1, 0xB0...): all = [0xB0...0xBF]
    case (0xEB...0xEC, 1, _): all = [0x80...0xBF]
    case (0xED, 1, ...0x9D): all = [0x80...0x9D]
    // Pictures: U+1F300 to U+1F3BF, U+1F400 to U+1F5BF, and U+1F600 to U+1F63F.
    case (0xF0, 2, 0x8C...0x8E), (0xF0, 2, 0x90...0x96), (0xF0, 2, 0x98):
      guard rest[0] == 0x9F else { return nil }
      all = [0x8C...0x8E, 0x90...0x96, 0x98...0x98]
    default: return nil
    }
    return all.flatMap { Array($0) }
  }

  /// The last byte: another character of the same kind among the 64 that begin alike. What is no letter, mark, number or
  /// picture stays, as it does in ASCII.
  private static func last(
    _ old: ArraySlice<UInt8>, _ new: ArraySlice<UInt8>, _ draw: Int
  ) -> UInt8 {
    guard let byte = old.last else { return 0 }
    // Half of a pair, as some write it, is no character.
    guard let was = scalar(Array(old)) else {
      return 0x80 + UInt8((Int(byte & 0x3F) + 1 + draw % 63) % 64)
    }
    let kind = was.properties.generalCategory
    guard isReplaced(kind) else { return byte }
    var all: [UInt8] = []
    for candidate in UInt8(0x80)...0xBF {
      guard let other = scalar(new + [candidate]), other != was,
        other.properties.generalCategory == kind
      else { continue }
      all.append(candidate)
    }
    return all.isEmpty ? byte : all[draw % all.count]
  }

  private static func isReplaced(_ kind: Unicode.GeneralCategory) -> Bool {
    switch kind {
    case .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation,
      .finalPunctuation, .otherPunctuation, .connectorPunctuation, .mathSymbol, .currencySymbol,
      .modifierSymbol, .spaceSeparator, .lineSeparator, .paragraphSeparator, .format, .control,
      .surrogate:
      false
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber, .letterNumber, .otherNumber,
      .otherSymbol, .privateUse, .unassigned:
      true
    @unknown default: true
    }
  }

  private static func scalar(_ bytes: some Collection<UInt8>) -> Unicode.Scalar? {
    guard let first = bytes.first else { return nil }
    let mask: UInt8 = bytes.count == 2 ? 0x1F : bytes.count == 3 ? 0x0F : 0x07
    return Unicode.Scalar(
      bytes.dropFirst().reduce(UInt32(first & mask)) { $0 << 6 | UInt32($1 & 0x3F) })
  }
}
