/// What is wrong with the text of a filter, and where.
public struct FilterError: Error, Sendable, CustomStringConvertible {
  /// The text of the filter.
  public let text: String
  /// The place, in bytes of its UTF-8.
  public let range: Range<Int>
  private let makeMessage: @Sendable () -> String

  /// One sentence without a full stop.
  public var message: String { makeMessage() }

  init(_ text: String, _ range: Range<Int>, _ message: String) {
    self.init(text, range) { message }
  }

  /// - Parameter message: Called when the error is shown: to find what was meant takes milliseconds.
  init(_ text: String, _ range: Range<Int>, _ message: @escaping @Sendable () -> String) {
    (self.text, self.range, makeMessage) = (text, range, message)
  }

  /// How much of the text is shown before and after the place.
  private static let context = 60

  /// The sentence, the text, and carets under the place.
  public var description: String {
    let bytes = Array(text.utf8)
    var range = range.clamped(to: 0..<bytes.count)
    range = range.lowerBound..<min(range.upperBound, range.lowerBound + Self.context)
    let start = max(0, range.lowerBound - Self.context)
    let end = min(bytes.count, max(range.upperBound, range.lowerBound) + Self.context)
    let before = Self.shown(bytes[start..<range.lowerBound])
    let place = Self.shown(bytes[range])
    let after = Self.shown(bytes[range.upperBound..<max(end, range.upperBound)])
    let cutBefore = start > 0 ? "…" : ""
    let cutAfter = end < bytes.count ? "…" : ""
    let blanks = String(repeating: " ", count: cutBefore.count + before.unicodeScalars.count)
    let carets = String(repeating: "^", count: max(1, place.unicodeScalars.count))
    return "\(message)\n  \(cutBefore)\(before)\(place)\(after)\(cutAfter)\n  \(blanks)\(carets)"
  }

  /// Bytes as text of one line: what could move the cursor is a blank.
  private static func shown(_ bytes: ArraySlice<UInt8>) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse:
        scalars.append(" ")
      default: scalars.append(scalar)
      }
    }
    return String(scalars)
  }
}
