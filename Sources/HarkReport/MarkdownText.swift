import HarkPresentation

/// Texts in Markdown, which devices and users may have written.
enum MarkdownText {
  /// On one line, without anything that Markdown, HTML or GitHub would take for its own.
  /// CommonMark 0.31, 2.4; GitHub Flavored Markdown, 6.9; GitHub Docs, “Autolinked references and URLs”, “Writing
  /// mathematical expressions” (between dollar signs).
  static func plain(_ content: String) -> String {
    let scalars = Array(Timeline.printable(content).unicodeScalars)
    var out = String.UnicodeScalarView()
    for (place, scalar) in scalars.enumerated() {
      let next = place + 1 < scalars.count ? scalars[place + 1] : nil
      switch scalar {
      case "\\", "`", "*", "_", "[", "]", "<", ">", "|", "&", "~", "$": out += ["\\", scalar]
      // What would begin a heading or a list.
      case "#", "-", "+", "=": out += place == 0 ? ["\\", scalar] : [scalar]
      case ".", ")":
        let isMark = scalars[..<place].allSatisfy(isDigit) && (next ?? " ") == " "
        out += isMark ? ["\\", scalar] : [scalar]
      default: out.append(scalar)
      }
      if let next, links(scalars[...place], next) { out.append(breaker) }
    }
    return String(out)
  }

  /// Lines of a block in which Markdown takes nothing for its own.
  static func lines(_ content: String) -> String {
    content.split(separator: "\n", omittingEmptySubsequences: false)
      .map { Timeline.printable(String($0)) }.joined(separator: "\n")
  }

  /// Backslashes do not keep GitHub from linking `#6` to an issue, nor from notifying `@somebody`.
  private static let breaker: Unicode.Scalar = "\u{200B}"

  /// Whether a text continues with `next` as something that GitHub makes a link.
  private static func links(
    _ text: ArraySlice<Unicode.Scalar>, _ next: Unicode.Scalar
  ) -> Bool {
    switch text.last {
    case "#": isDigit(next)
    case "@": next.properties.isAlphabetic || isDigit(next)
    case "-": isDigit(next) && ends(text, with: "gh-")
    case ":": next == "/" && ["http:", "https:", "ftp:"].contains { ends(text, with: $0) }
    case "w", "W": next == "." && ends(text, with: "www")
    default: false
    }
  }

  private static func ends(_ text: ArraySlice<Unicode.Scalar>, with word: String) -> Bool {
    text.suffix(word.unicodeScalars.count).lazy.map(\.properties.lowercaseMapping).joined()
      .elementsEqual(word)
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }
}
