import HarkCore

/// How text looks on its way out: in color or plain, and how wide.
public struct Style: Sendable {
  /// What a piece of text is, from which its color follows.
  public enum Role: Sendable {
    case faint, strong, title, warning, error
    case host, link, security, data, keys, message, reply
  }

  /// Whether escape sequences for colors may be written.
  public var isColored: Bool
  /// The columns of the terminal; nil if lines are not to be broken.
  public var width: Int?

  public init(isColored: Bool = false, width: Int? = nil) {
    self.isColored = isColored
    self.width = width
  }

  /// No colors, no line breaks: what a pipe gets.
  public static let plain = Style()

  /// Writes what `body` writes, in the color of `role`.
  package func write(
    _ role: Role?, to out: inout TextBuffer, _ body: (inout TextBuffer) -> Void
  ) {
    guard isColored, let role else { return body(&out) }
    out.text(role.begin)
    body(&out)
    out.text(Self.end)
  }

  /// Ends a color.
  static let end: StaticString = "\u{1B}[0m"

  package func write(_ role: Role?, _ text: StaticString, to out: inout TextBuffer) {
    write(role, to: &out) { $0.text(text) }
  }
}

extension Style.Role {
  /// The escape sequence; of the 16 colors that every terminal's own theme makes readable.
  var begin: StaticString {
    switch self {
    case .faint: "\u{1B}[2m"
    case .strong: "\u{1B}[1m"
    case .title: "\u{1B}[1;4m"
    case .warning: "\u{1B}[33m"
    case .error: "\u{1B}[1;31m"
    case .host: "\u{1B}[2m"
    case .link: "\u{1B}[34m"
    case .security: "\u{1B}[35m"
    case .data: "\u{1B}[36m"
    case .keys: "\u{1B}[35m"
    case .message: "\u{1B}[1;32m"
    case .reply: "\u{1B}[1;36m"
    }
  }
}
