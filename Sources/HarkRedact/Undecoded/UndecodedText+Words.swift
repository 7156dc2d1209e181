import HarkCore

extension UndecodedText {
  /// The parts that are words of somebody, as far as a log of a program would not keep them either. Keys and ciphertext in
  /// hexadecimal digits or Base64 are no words, but texts in them are.
  func parts(_ words: LogWords) -> [Range<Int>] {
    let view = LogView(bytes.indices, of: bytes)
    var parts: [Range<Int>] = []
    // Such a row may have any number of words, and is looked at once.
    var row: (range: Range<Int>, isEncoded: Bool, isText: Bool) = (0..<0, false, false)
    for part in words.find(in: view, .text(constant: [])).map(\.range) {
      if !row.range.contains(part.lowerBound) || part.upperBound > row.range.upperBound {
        let range = self.row(around: part)
        row = (range, Self.isEncoded(bytes[range]), false)
        row.isText = row.isEncoded && EncodedText.isText(Array(bytes[range]))
        if row.isText { parts.append(range) }
      }
      if !row.isEncoded { parts.append(part) }
    }
    return parts
  }

  /// A part, and what Base64 consists of before and after it.
  private func row(around part: Range<Int>) -> Range<Int> {
    var (start, end) = (part.lowerBound, part.upperBound)
    while start > 0, Self.isOfBase64(bytes[start - 1]) { start -= 1 }
    while end < bytes.count, Self.isOfBase64(bytes[end]) { end += 1 }
    return start..<end
  }

  /// Whether these are a long row of digits, or of what Base64 consists of.
  private static func isEncoded(_ row: ArraySlice<UInt8>) -> Bool {
    guard row.allSatisfy(isOfBase64), row.contains(where: { 0x30...0x39 ~= $0 }),
      row.contains(where: { !(0x30...0x39 ~= $0) })
    else { return false }
    return row.count >= 20 || row.count >= 16 && row.allSatisfy { Hex.value(of: $0) != nil }
  }

  private static func isOfBase64(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2D, 0x2F, 0x3D, 0x5F: true
    default: false
    }
  }
}

/// Texts in Base64, in Base32 and in hexadecimal digits.
enum EncodedText {
  /// Whether a row spells a text, from any of its characters on: something else may precede it without a character between.
  static func isText(_ row: [UInt8]) -> Bool {
    let digits = row.filter { $0 != UInt8(ascii: "-") }
    if digits.allSatisfy({ Hex.value(of: $0) != nil }) {
      let spelt = (0...1).contains { offset in
        let nibbles = digits.dropFirst(offset).compactMap { Hex.value(of: $0) }
        return spells(
          stride(from: 0, to: nibbles.count - 1, by: 2).map { nibbles[$0] << 4 | nibbles[$0 + 1] })
      }
      if spelt { return true }
    }
    if isBase32(row) { return true }
    return (0..<4).contains { offset in
      var assembler = Base64.Assembler()
      return spells(
        row.dropFirst(offset).compactMap { character in
          Base64.value(of: character).flatMap { assembler.byte(with: $0) }
        })
    }
  }

  /// Whether a row spells a text in Base32, in letters of either case. All of its characters have to be in that alphabet:
  /// a part of a row in Base64 would often spell a text by chance. RFC 4648, 6
  private static func isBase32(_ row: [UInt8]) -> Bool {
    let characters = row.filter { !"=-".utf8.contains($0) }
    let values = characters.compactMap { character -> UInt16? in
      switch character {
      case 0x41...0x5A: UInt16(character - 0x41)
      case 0x61...0x7A: UInt16(character - 0x61)
      case 0x32...0x37: UInt16(character - 0x32) + 26
      default: nil
      }
    }
    guard values.count == characters.count else { return false }
    return (0..<8).contains { offset in
      var (bits, count): (UInt16, Int) = (0, 0)
      var bytes: [UInt8] = []
      for value in values.dropFirst(offset) {
        bits = bits << 5 | value
        count += 5
        guard count >= 8 else { continue }
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt16(count)))
      }
      return spells(bytes)
    }
  }

  /// Whether a good part of what a row spells is a text: of ciphertext, eight characters in a row are by chance in one of
  /// many rows.
  private static func spells(_ bytes: [UInt8]) -> Bool {
    let texts = UndecodedText.find(in: UndecodedBytes(bytes)) { _ in true }
    let longest = texts.map { text in
      text.encoding == .octets ? text.bytes.count : Set(text.places).count * 2
    }.max()
    return (longest ?? 0) >= max(6, bytes.count / 2)
  }
}
