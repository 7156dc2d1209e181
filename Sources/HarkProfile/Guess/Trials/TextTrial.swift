/// Whether bytes are text.
enum TextTrial {
  /// UTF-8 without control characters but those of lines and columns.
  static func isPrintable(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
      && String(validating: bytes, as: UTF8.self) != nil
  }

  static func isText(_ tails: [ArraySlice<UInt8>]) -> Bool {
    tails.reduce(0) { $0 + $1.count } >= Least.characters
      && tails.allSatisfy { !$0.isEmpty && isPrintable($0) }
  }

  /// Whether a length comes first, and then that many bytes of text.
  /// - Parameter toEnd: Whether nothing follows.
  static func isSized(
    _ tails: [ArraySlice<UInt8>], _ integer: GuessedField.Integer, toEnd: Bool
  ) -> Bool {
    var characters = 0
    for tail in tails {
      guard tail.count >= integer.size else { return false }
      let count = integer.value(tail)
      let text = tail.dropFirst(integer.size)
      guard toEnd ? count == text.count : count <= text.count, isPrintable(text.prefix(count))
      else { return false }
      characters += count
    }
    return characters >= Least.characters
  }
}
