import HarkCore

// Where the names are that keys are derived with.
extension KeySearch {
  private static let mostIdentifiers = 12
  static let identifierSize = 16
  private static let uuidCharacters = 36

  /// What may name the accessory in the message with a key, and what key files know.
  static func identifiers(
    _ key: Candidate, _ known: [String]
  ) -> [(source: Source, text: String)] {
    var found: [(source: Source, text: String)] = []
    for text in key.piece.texts { found.append((.member(text.expression), text.text)) }
    let bytes = key.piece.bytes
    let end = key.offset + key.shape.size
    for source in characters(bytes) {
      if let text = text(of: source, in: bytes), !found.contains(where: { $0.text == text }) {
        found.append((source, text))
      }
    }
    for text in known { found.append((.fixed(text), text)) }
    found.append((.fixed(""), ""))
    for offset in [key.offset - identifierSize, end, bytes.count - identifierSize, 0, 1, 2]
    where offset >= 0 && offset + identifierSize <= bytes.count
      && (offset >= end || offset + identifierSize <= key.offset)
    {
      if !found.contains(where: { $0.source == .bytes(offset) }) {
        found.append((.bytes(offset), uuid(bytes[offset..<offset + identifierSize])))
      }
    }
    return Array(found.prefix(mostIdentifiers))
  }

  /// Where the texts of UUIDs are, near the beginning and near the end.
  static func characters(_ bytes: [UInt8]) -> [Source] {
    let last = bytes.count - uuidCharacters
    guard last >= 0 else { return [] }
    let places =
      Array(0...min(reach, last))
      + (-nearest...0).filter { last + $0 >= 0 }
      .map { $0 - uuidCharacters }
    return places.map { .characters($0) }.filter { source in
      range(of: source, in: bytes).map { SearchedBytes.isUUID(bytes[$0]) } == true
    }
  }

  static func range(of source: Source, in bytes: [UInt8]) -> Range<Int>? {
    let (offset, count): (Int, Int)
    switch source {
    case .bytes(let place): (offset, count) = (place, identifierSize)
    case .characters(let place): (offset, count) = (place, uuidCharacters)
    case .member, .fixed: return nil
    }
    let begin = offset < 0 ? bytes.count + offset : offset
    return begin >= 0 && begin + count <= bytes.count ? begin..<begin + count : nil
  }

  /// What stands at a place of the message.
  static func text(of source: Source, in bytes: [UInt8]) -> String? {
    guard let range = range(of: source, in: bytes) else { return nil }
    if case .bytes = source { return uuid(bytes[range]) }
    return String(decoding: bytes[range], as: UTF8.self)
  }

  static func uuid(_ bytes: ArraySlice<UInt8>) -> String {
    let high = bytes.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let low = bytes.dropFirst(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return BluetoothUUID(high: high, low: low).long
  }
}
