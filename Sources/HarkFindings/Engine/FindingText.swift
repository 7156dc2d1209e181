import HarkSession

/// A sentence of a rule. It keeps which of its words are the rule's own: the values among them are of one
/// capture, and another capture or a redacted copy has others.
///
///     "\(name) asked \(count) times"
public struct FindingText: ExpressibleByStringInterpolation, Sendable {
  public let text: String
  /// The rule's own words, with a mark in place of each value.
  let words: String

  static let mark = "\u{FFFC}"

  public init(stringLiteral text: String) { (self.text, words) = (text, text) }

  public init(stringInterpolation parts: StringInterpolation) {
    (text, words) = (parts.text, parts.words)
  }

  private init(_ text: String, _ words: String) { (self.text, self.words) = (text, words) }

  /// A value alone.
  init(_ value: String) { (text, words) = (value, Self.mark) }

  /// What the timeline says of an event.
  init(_ sentence: EventSentence) {
    let bytes = Array(sentence.text.utf8)
    var words = ""
    var place = 0
    for range in sentence.personal.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      words += String(decoding: bytes[place..<max(place, range.lowerBound)], as: UTF8.self)
      words += Self.mark
      place = max(place, range.upperBound)
    }
    words += String(decoding: bytes[place...], as: UTF8.self)
    (text, self.words) = (sentence.text, words)
  }

  static func + (a: FindingText, b: FindingText) -> FindingText {
    FindingText(a.text + b.text, a.words + b.words)
  }

  public struct StringInterpolation: StringInterpolationProtocol {
    var text = ""
    var words = ""

    public init(literalCapacity: Int, interpolationCount: Int) {
      text.reserveCapacity(literalCapacity + 8 * interpolationCount)
    }

    public mutating func appendLiteral(_ literal: String) {
      text += literal
      words += literal
    }

    public mutating func appendInterpolation(_ value: some Any) {
      text += "\(value)"
      words += FindingText.mark
    }

    public mutating func appendInterpolation(_ part: FindingText) {
      text += part.text
      words += part.words
    }
  }
}
