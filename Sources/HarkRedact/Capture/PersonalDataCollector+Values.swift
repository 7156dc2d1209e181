import HarkDissection

extension PersonalDataCollector {
  mutating func takeValue(
    _ range: Range<Int>, _ kind: PersonalKind, _ role: FieldRoles.Role, _ pieces: PDUPieces
  ) {
    let bytes = bytes(range, pieces)
    guard bytes.count == range.count else { return }
    if role.isDocument || role.isUTF16 { return takeTexts(bytes, range, role, pieces) }
    guard kind.isText || role.isText || kind == .key && Self.isPassphrase(bytes) else {
      guard let index = table.add(PersonalValue(kind: kind, bytes: bytes), isDoubtful: isDoubtful)
      else { return }
      if role.isIRK { irks.insert(index) }
      return keep(index, range, pieces)
    }
    // A text, and the rest of a longer one that it overwrote.
    let textKind = kind.isText ? kind : .text
    var start = 0
    for (end, byte) in (bytes + [0]).enumerated() where byte == 0 {
      if end > start {
        let value = PersonalValue(kind: textKind, bytes: Array(bytes[start..<end]))
        if let index = table.add(value, isDoubtful: isDoubtful) {
          keep(index, (range.lowerBound + start)..<(range.lowerBound + end), pieces)
        }
      }
      start = end + 1
    }
  }

  /// Passphrases are in the same places as keys.
  private static func isPassphrase(_ bytes: [UInt8]) -> Bool {
    let text = bytes.last == 0 ? bytes.dropLast() : bytes[...]
    return !text.isEmpty && text.allSatisfy { (0x20...0x7E).contains($0) }
  }

  /// The texts in a document, and one in UTF-16. With `share`, the words of its format stay.
  private mutating func takeTexts(
    _ bytes: [UInt8], _ range: Range<Int>, _ role: FieldRoles.Role, _ pieces: PDUPieces
  ) {
    let texts = role.texts(in: bytes)
    if level == .share, !texts.contains(where: { $0.value.kind == .file }) {
      claim(range, pieces, .structural)
    }
    for part in texts {
      let place =
        (range.lowerBound + part.range.lowerBound)..<(range.lowerBound + part.range.upperBound)
      guard let index = table.add(part.value, isDoubtful: isDoubtful) else {
        claim(place, pieces, .withheld)
        continue
      }
      keep(
        index, place, pieces, spelling: role.isUTF16 && part.value.kind.isText ? .utf16 : .plain)
    }
  }
}
