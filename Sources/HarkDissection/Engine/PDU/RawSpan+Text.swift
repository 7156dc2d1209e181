import HarkCore

extension RawSpan {
  /// The text of `range`, in UTF-8, up to its first NUL. Invalid UTF-8 becomes U+FFFD.
  package func utf8(_ range: Range<Int>) -> String {
    String(decoding: array(range).prefix { $0 != 0 }, as: UTF8.self)
  }

  /// The text of `range`, in UTF-16 with the most significant octet first, up to its first NUL.
  package func utf16(_ range: Range<Int>) -> String {
    let text = array(range)
    let units = stride(from: 0, to: text.count - 1, by: 2)
      .map { UInt16(text[$0]) << 8 | UInt16(text[$0 + 1]) }
    return String(decoding: units.prefix { $0 != 0 }, as: UTF16.self)
  }
}
