import ArgumentParser

/// Completions of values that the program finds. bash and zsh pass words as they were typed, with quotation marks and
/// backslashes, and read the candidates by rules of their own; fish does neither.
enum ShellCompletion {
  /// - Parameter candidates: The candidates, from the words of the command line and the beginning of the last one.
  static func of(_ candidates: @escaping @Sendable ([String], String) -> [String])
    -> CompletionKind
  {
    .custom { words, _, prefix in
      let shell = CompletionShell.requesting
      guard shell == .bash || shell == .zsh else { return candidates(words, prefix) }
      let beginning = shell == .zsh && isQuoted(words.last) ? words.last ?? "" : prefix
      return candidates(words.map(unquoted), unquoted(beginning))
        .map { shell == .zsh ? escapedForZsh($0) : escapedForBash($0) }
    }
  }

  /// Names in a list with commas: completes the last one, and omits those before it.
  static func list(_ names: [String]) -> CompletionKind {
    of { last(of: $1, among: names) }
  }

  static func last(of text: String, among names: [String]) -> [String] {
    let start = text.lastIndex(of: ",").map { text.index(after: $0) } ?? text.startIndex
    let named = Set(text[..<start].split(separator: ",").map(String.init))
    return names.filter { $0.hasPrefix(text[start...]) && !named.contains($0) }
      .map { text[..<start] + $0 }
  }

  /// In quotes, zsh counts the cursor's position from the last blank.
  private static func isQuoted(_ word: String?) -> Bool {
    word?.first == "'" || word?.first == "\""
  }

  /// What the shell makes of a word, or of its beginning.
  static func unquoted(_ word: String) -> String {
    var (plain, quote) = ("", Character?.none)
    var rest = word[...]
    while let letter = rest.popFirst() {
      if letter == quote {
        quote = nil
      } else if quote == nil, letter == "'" || letter == "\"" {
        quote = letter
      } else if letter == "\\", quote != "'", let next = rest.first,
        quote == nil || "\"\\$`".contains(next)
      {
        plain.append(rest.removeFirst())
      } else {
        plain.append(letter)
      }
    }
    return plain
  }

  /// A colon begins a description.
  private static func escapedForZsh(_ text: String) -> String {
    String(text.flatMap { "\\:".contains($0) ? ["\\", $0] : [$0] })
  }

  /// `compgen -W` reads its list as a shell does.
  private static func escapedForBash(_ text: String) -> String {
    String(text.flatMap { "\\\"'$`".contains($0) ? ["\\", $0] : [$0] })
  }
}
