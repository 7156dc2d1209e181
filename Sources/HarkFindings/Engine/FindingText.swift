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

  /// The rule's own words, with an ellipsis in place of each value.
  var withoutValues: String {
    words.split(separator: Self.mark, omittingEmptySubsequences: false).joined(separator: "…")
  }

  private init(_ text: String, _ words: String) { (self.text, self.words) = (text, words) }

  /// The words between the values that are plainly words: letters alone, in lower case after the first one. Codes,
  /// digits and encoded bytes are not among them, whoever wrote them.
  public var ownWords: String {
    words.split { !$0.isLetter && !$0.isNumber }
      .filter { $0.allSatisfy(\.isLetter) && $0.dropFirst().allSatisfy(\.isLowercase) }
      .joined(separator: " ")
  }

  /// A value alone.
  init(_ value: String) { (text, words) = (value, Self.mark) }

  /// What the timeline says about an event.
  init(_ sentence: EventSentence) {
    (text, words) = (sentence.text, sentence.text(markingPersonal: Self.mark))
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

    /// A value that says nothing about people, their devices or what they wrote: a size, a time, a direction, a reason of
    /// hark's own. It counts as a word of the rule.
    public mutating func appendInterpolation(public value: some Any) {
      appendLiteral("\(value)")
    }

    public mutating func appendInterpolation(_ part: FindingText) {
      text += part.text
      words += part.words
    }
  }
}
