import HarkCore

/// Searches the JSON of events for words. ASCII letters match in either case.
struct Search: Sendable {
  private let needle: [UInt8]

  private static let text = Array(",\"text\":".utf8)
  private static let label = Array("\"device\":{\"label\":".utf8)

  init(_ text: String) {
    // As JSON spells it.
    var escaped = TextBuffer()
    escaped.json(text)
    needle = escaped.bytes.dropFirst().dropLast().map(Self.folded)
  }

  /// Whether the sentence of an event, its last member, or the name of its device contains the words.
  func fits(_ line: ArraySlice<UInt8>) -> Bool {
    guard !needle.isEmpty else { return false }
    // Within a string the quotes of a member's name would be escaped.
    if let start = Self.last(Self.text, in: line), contains(line[start...]) { return true }
    guard let start = Self.first(Self.label, in: line) else { return false }
    var end = start + 1
    while end < line.endIndex, line[end] != UInt8(ascii: "\"") {
      end += line[end] == UInt8(ascii: "\\") ? 2 : 1
    }
    return contains(line[start..<min(end, line.endIndex)])
  }

  private func contains(_ text: ArraySlice<UInt8>) -> Bool {
    let first = needle[0]
    return unsafe text.withUnsafeBufferPointer { bytes in
      guard bytes.count >= needle.count else { return false }
      for start in 0...(bytes.count - needle.count) {
        guard unsafe Self.folded(bytes[start]) == first else { continue }
        var count = 1
        while count < needle.count,
          unsafe Self.folded(bytes[start + count]) == needle[count]
        { count += 1 }
        if count == needle.count { return true }
      }
      return false
    }
  }

  /// The start of the text after the last `mark`.
  private static func last(_ mark: [UInt8], in line: ArraySlice<UInt8>) -> Int? {
    var start = line.endIndex - mark.count
    while start >= line.startIndex {
      if line[start] == mark[0], line[start..<(start + mark.count)].elementsEqual(mark) {
        return start + mark.count
      }
      start -= 1
    }
    return nil
  }

  private static func first(_ mark: [UInt8], in line: ArraySlice<UInt8>) -> Int? {
    var start = line.startIndex
    while start + mark.count <= line.endIndex {
      if line[start] == mark[0], line[start..<(start + mark.count)].elementsEqual(mark) {
        return start + mark.count
      }
      start += 1
    }
    return nil
  }

  private static func folded(_ byte: UInt8) -> UInt8 {
    byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
  }
}
