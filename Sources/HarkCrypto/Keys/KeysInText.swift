import HarkCore

/// Keys that somebody wrote into a comment or a log.
package enum KeysInText {
  /// Whether a text mentions a key and has one: 16 bytes or more in hexadecimal digits, or 16 or 32 in Base64.
  package static func holds(_ text: String) -> Bool { !ranges(in: Array(text.utf8)).isEmpty }

  /// The text without its keys.
  package static func masked(_ text: String) -> String {
    let bytes = Array(text.utf8)
    let ranges = ranges(in: bytes)
    guard !ranges.isEmpty else { return text }
    var masked: [UInt8] = []
    var place = 0
    for range in ranges {
      masked += bytes[place..<range.lowerBound] + Array("[key]".utf8)
      place = range.upperBound
    }
    return String(decoding: masked + bytes[place...], as: UTF8.self)
  }

  private static func ranges(in bytes: [UInt8]) -> [Range<Int>] {
    guard mentionsKey(bytes) else { return [] }
    var ranges: [Range<Int>] = []
    var place = 0
    while place < bytes.count {
      guard isOfWord(bytes[place]), place == 0 || !isOfWord(bytes[place - 1]) else {
        place += 1
        continue
      }
      let start = place
      while place < bytes.count, isOfWord(bytes[place]) { place += 1 }
      if let end = endOfDigits(from: start, in: bytes) {
        ranges.append(start..<end)
        place = end
      } else if isDigits(bytes[start..<place]) {
        ranges.append(start..<place)
      } else if let end = endOfBase64(from: start, in: bytes) {
        ranges.append(start..<end)
        place = end
      }
    }
    return ranges
  }

  private static func mentionsKey(_ bytes: [UInt8]) -> Bool {
    String(decoding: bytes, as: UTF8.self).lowercased().split { !$0.isLetter && !$0.isNumber }
      .contains {
        $0.hasPrefix("key") || $0.hasSuffix("key") || $0.hasSuffix("keys") || $0.hasSuffix("secret")
          || ["sk", "ltk", "irk", "csrk"].contains($0)
      }
  }

  private static func isOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x80...: true
    default: false
    }
  }

  private static let fewestDigits = 32
  /// More than the characters of 32 bytes.
  private static let longestBase64 = 48

  private static func isDigits(_ word: ArraySlice<UInt8>) -> Bool {
    let digits = word.withoutHexPrefix ?? word
    return digits.count >= fewestDigits && digits.allSatisfy { Hex.value(of: $0) != nil }
  }

  /// Pairs of digits, or groups of 4 to 16 as the description of a Data has them: `<0f1e2d3c 4b5a6978>`, with ` ... ` in
  /// place of those in the middle.
  private static func endOfDigits(from start: Int, in bytes: [UInt8]) -> Int? {
    endOfGroups(of: 2...2, from: start, in: bytes) { rest in
      let separator = rest.prefix(2).prefix { ":-, ".utf8.contains($0) }
      let isPrefixed = rest[separator.endIndex...].starts(with: "0x".utf8)
      return separator.isEmpty ? 0 : separator.count + (isPrefixed ? 2 : 0)
    }
      ?? endOfGroups(of: 4...16, from: start, in: bytes) { rest in
        rest.starts(with: " ... ".utf8) ? 5 : rest.first == UInt8(ascii: " ") ? 1 : 0
      }
  }

  /// - Parameter separator: The number of bytes before the next group; 0 if none follows.
  private static func endOfGroups(
    of sizes: ClosedRange<Int>, from start: Int, in bytes: [UInt8],
    separator: (ArraySlice<UInt8>) -> Int
  ) -> Int? {
    var place = bytes[start...].starts(with: "0x".utf8) ? start + 2 : start
    var (end, digits, size) = (start, 0, 0)
    while true {
      let group = bytes[place...].prefix { Hex.value(of: $0) != nil }
      if size == 0 { size = group.count }
      guard sizes ~= size, 1...size ~= group.count, group.count.isMultiple(of: 2),
        group.endIndex == bytes.count || !isOfWord(bytes[group.endIndex])
      else { break }
      (digits, end) = (digits + group.count, group.endIndex)
      let gap = separator(bytes[end...])
      // The last group may be shorter.
      guard group.count == size, gap > 0 else { break }
      place = end + gap
    }
    return digits >= fewestDigits ? end : nil
  }

  /// Keys of 16 or 32 bytes have one or two characters of padding, or lack them.
  private static func endOfBase64(from start: Int, in bytes: [UInt8]) -> Int? {
    let word = bytes[start...].prefix(longestBase64).prefix {
      Base64.value(of: $0) != nil || $0 == UInt8(ascii: "=")
    }
    if word.last == UInt8(ascii: "=") {
      guard let key = Base64.decode(word), [16, 32].contains(key.count) else { return nil }
      return word.endIndex
    }
    // Names are as long, but the last character of a key has bits that are 0, and some of them are digits.
    let unused: UInt8 = word.count == 22 ? 0x0F : 0x03
    guard word.count == 22 || word.count == 43,
      let last = word.last.flatMap(Base64.value(of:)), last & unused == 0,
      word.contains(where: { 0x30...0x39 ~= $0 }), word.contains(where: { 0x41...0x5A ~= $0 }),
      word.contains(where: { 0x61...0x7A ~= $0 })
    else { return nil }
    return word.endIndex
  }
}
