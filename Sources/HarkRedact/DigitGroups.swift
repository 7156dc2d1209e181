import HarkCore

/// Groups of hexadecimal digits with a hyphen or a colon between any two, as UUIDs and addresses are written.
struct DigitGroups {
  private(set) var parts: [Range<Int>] = []

  var range: Range<Int> { parts[0].lowerBound..<parts[parts.count - 1].upperBound }

  /// - Parameter isOfWord: Whether a letter or digit is at a place.
  /// - Returns: Nil if fewer than two begin there.
  init?(at place: Int, in text: [UInt8], _ isOfWord: (Int) -> Bool) {
    var place = place
    while true {
      var end = place
      while end < text.count, isOfWord(end) { end += 1 }
      guard end > place, text[place..<end].allSatisfy({ Hex.value(of: $0) != nil })
      else { break }
      parts.append(place..<end)
      guard end + 1 < text.count, [0x2D, 0x3A].contains(text[end]) else { break }
      place = end + 1
    }
    guard parts.count > 1 else { return nil }
  }

  /// The bytes of the UUID; nil if the groups are not those of one. RFC 9562, 4
  func uuid(in text: [UInt8]) -> [UInt8]? {
    guard parts.map(\.count) == [8, 4, 4, 4, 12] else { return nil }
    return Hex.bytes(
      parts.map { String(decoding: text[$0], as: UTF8.self) }.joined())
  }

  /// Whether it is written like an address or a fingerprint: at least six octets.
  var isAddress: Bool { parts.count >= 6 && parts.allSatisfy { $0.count == 2 } }
}
