import HarkCore

// Words of a message that is in no general encoding, such as a line of text.
extension SearchedBytes {
  /// More of a message are not looked at.
  private static let mostWords = 8
  private static let longestLead = 4

  /// What the words of a message spell in hexadecimal digits or base64, with the UUIDs beside them.
  static func words(of message: Sample, _ place: (String) -> Place) -> [SearchedBytes] {
    let bytes = message.bytes
    let words = words(in: bytes)
    let identifiers = words.filter { isUUID(bytes[$0]) }
    return words.compactMap { word in
      guard !identifiers.contains(word), let spelled = spelled(text(bytes[word])) else {
        return nil
      }
      let texts = identifiers.map { identifier in
        (
          expression: expression(
            identifier, of: bytes.count, isAfter: identifier.lowerBound > word.lowerBound),
          text: text(bytes[identifier])
        )
      }
      // A kind may come first, but not what differs from message to message.
      let lead = ([word] + identifiers).map(\.lowerBound).min() ?? 0
      return SearchedBytes(
        place: place("\(expression(word, of: bytes.count)).\(spelled.method)"),
        bytes: spelled.bytes, frame: message.frame, texts: texts,
        lead: Array(bytes[..<min(lead, longestLead)]))
    }
  }

  /// Runs of digits of base64, also of that for URLs, that are long enough for a UUID or a key.
  private static func words(in bytes: [UInt8]) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var place = 0
    while place < bytes.count, found.count < mostWords {
      let begin = place
      while place < bytes.count, Base64.value(of: bytes[place]) != nil { place += 1 }
      let isWord = place - begin >= shortestText
      // Padding.
      let end = min(bytes.count, place + (isWord ? 2 : 0))
      while place < end, bytes[place] == UInt8(ascii: "=") { place += 1 }
      if isWord { found.append(begin..<place) } else { place += 1 }
    }
    return found
  }

  /// The text of a UUID: 36 characters.
  static func isUUID(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.count == shortestText
      && bytes.enumerated().allSatisfy { index, byte in
        [8, 13, 18, 23].contains(index) ? byte == UInt8(ascii: "-") : Hex.value(of: byte) != nil
      }
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes, as: UTF8.self)
  }

  /// The text of a word that grows with the message: what follows it does not.
  private static func expression(_ word: Range<Int>, of count: Int) -> String {
    word == 0..<count
      ? "_.to_s" : "_.slice(\(word.lowerBound), \(end(count - word.upperBound))).to_s"
  }

  /// The text of a word that does not grow, before or after one that does.
  private static func expression(_ word: Range<Int>, of count: Int, isAfter: Bool) -> String {
    isAfter
      ? "_.slice(\(end(count - word.lowerBound)), \(end(count - word.upperBound))).to_s"
      : "_.slice(\(word.lowerBound), \(word.upperBound)).to_s"
  }

  private static func end(_ distance: Int) -> String {
    distance == 0 ? "_.size" : "_.size - \(distance)"
  }
}
