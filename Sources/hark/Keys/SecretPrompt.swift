import HarkPlatform

/// Asks for a secret on the terminal without showing it.
enum SecretPrompt {
  /// No one types more.
  static let longest = 1_024

  /// Standard input if it is a terminal, else standard error: the sandbox opens no other.
  static var terminal: Int32? { [0, 2].first { isatty($0) == 1 } }

  enum Failure: Error {
    case noTerminal
    /// Control-C, or the end of the input.
    case interrupted
  }

  /// What was typed up to the end of the line.
  static func read(_ prompt: String) throws(Failure) -> [UInt8] {
    guard let terminal else { throw .noTerminal }
    var before = termios()
    guard unsafe tcgetattr(terminal, &before) == 0 else { throw .noTerminal }
    var quiet = before
    // Each key comes at once, signals of the keyboard too: the terminal is put right before they count.
    quiet.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
    _ = Console.write(Array(prompt.utf8), to: 2)
    let guardian = PromptSignals(restoring: before, of: terminal)
    defer { guardian.end() }
    guard unsafe tcsetattr(terminal, TCSAFLUSH, &quiet) == 0 else { throw .noTerminal }
    defer {
      unsafe tcsetattr(terminal, TCSAFLUSH, &before)
      _ = Console.write([0x0A], to: 2)
    }
    return try line(terminal)
  }

  private static func line(_ terminal: Int32) throws(Failure) -> [UInt8] {
    var text: [UInt8] = []
    // Enough from the start: growing would leave copies behind.
    text.reserveCapacity(longest)
    while true {
      var byte: UInt8 = 0
      let count = unsafe HarkPlatform.read(terminal, &byte, 1)
      if count < 0, errno == EINTR { continue }
      guard count == 1 else { throw .interrupted }
      switch byte {
      case 0x0A, 0x0D: return text
      case 0x03, 0x1C: throw .interrupted
      case 0x04:
        guard !text.isEmpty else { throw .interrupted }
        return text
      case 0x08, 0x7F:
        // A character of UTF-8 may be several bytes.
        while let last = text.popLast(), last & 0xC0 == 0x80 {}
      case 0x15: text.removeAll(keepingCapacity: true)
      default: if text.count < longest { text.append(byte) }
      }
    }
  }
}
