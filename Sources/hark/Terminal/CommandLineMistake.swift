import ArgumentParser
import HarkCore
import HarkPlatform

/// Reports mistakes on the command line, which all commands do alike: what is wrong, then where to look.
enum CommandLineMistake {
  /// Ends the program with the error of a command, or with what the arguments ask for in its place: help, the
  /// version, completions.
  static func end(_ error: any Error, _ arguments: [String]) -> Never {
    let code = Hark.exitCode(for: error)
    if code.isSuccess {
      // Narrower, the argument parser would break the lines of examples; terminals wrap them so that they can be copied.
      let text = Hark.fullMessage(for: error, columns: max(80, Console.columns ?? 80))
      if !text.isEmpty { Console.show(text + "\n") }
      HarkPlatform.exit(code.rawValue)
    }
    let message = Hark.message(for: error)
    // Of an option, also where the parser did not look for it.
    if code == .validationFailure || message.contains(OptionMistake.mark) {
      let text = sentence(message)
      let complaint =
        unknownOption(before: text, arguments) ?? unknownOption(text, arguments) ?? text
      refuse(complaint, see: help(for: arguments))
    }
    if !message.isEmpty { complain(message) }
    HarkPlatform.exit(code.rawValue)
  }

  /// What hark has in place of an option of other programs; nil if it knows none, and for other mistakes.
  private static func unknownOption(_ text: String, _ arguments: [String]) -> String? {
    let start = "unknown option '"
    guard text.hasPrefix(start) else { return nil }
    let option = String(text.dropFirst(start.count).prefix { $0 != "'" })
    let word = arguments.dropFirst().first ?? ""
    let command = word.hasPrefix("-") ? "" : word
    let known = "\(start)\(option)'"
    if let instead = FamiliarWords.option(option, of: command) { return "\(known); \(instead)" }
    // The argument parser also suggests what is another word.
    guard let advice = text.firstRange(of: "; did you mean '") else { return nil }
    let (wanted, near) = (
      name(option), name(String(text[advice.upperBound...].prefix { $0 != "'" }))
    )
    return wanted.edits(to: near) * 2 > wanted.utf8.count ? known : nil
  }

  /// A complaint about an option that the command does not have, if it stands before a word that the mistake quotes: hark
  /// checks what the words stand for before the argument parser looks for unknown options, and takes the value of such
  /// an option for a capture, a filter or a number. Nil for any other mistake.
  private static func unknownOption(before mistake: String, _ arguments: [String]) -> String? {
    // The help of `hark record` does not list its options.
    guard let command = commands(in: arguments).last, command != RecordCommand.self else {
      return nil
    }
    let words = arguments.prefix { $0 != "--" }
    for (word, next) in zip(words, words.dropFirst()) where mistake.contains("'\(next)'") {
      let option = String(word.prefix { $0 != "=" })
      guard isOption(option) else { continue }
      let known = options(of: command)
      if known.isEmpty || known.contains(option) { continue }
      let complaint = "unknown option '\(option)'"
      if let familiar = unknownOption(complaint, arguments) { return familiar }
      let ranked = known.map { (edits: name(option).edits(to: name($0)), option: $0) }.sorted {
        $0 < $1
      }
      guard let nearest = ranked.first, nearest.edits * 2 < name(option).utf8.count else {
        return complaint
      }
      return "\(complaint); did you mean '\(nearest.option)'?"
    }
    return nil
  }

  /// Whether a word is one option, and no number.
  private static func isOption(_ word: String) -> Bool {
    word.hasPrefix("--")
      ? word.utf8.count > 2
      : word.hasPrefix("-") && word.count == 2 && word.last?.isLetter == true
  }

  /// The options that the help of a command lists, which stand at the beginning of its lines.
  private static func options(of command: any ParsableCommand.Type) -> [String] {
    Hark.helpMessage(for: command, includeHidden: true, columns: 120).split(separator: "\n")
      .filter { $0.hasPrefix("  -") }
      .flatMap { line in
        line.split { " ,/".contains($0) }.prefix { $0.hasPrefix("-") }.map(String.init)
      }
  }

  /// An option without its hyphens.
  private static func name(_ option: String) -> String {
    String(option.drop { $0 == "-" })
  }

  /// Ends with what is wrong with the command line, and where to look.
  static func refuse(_ complaint: String, see help: String) -> Never {
    complain(complaint)
    Console.complain("see '\(help)'")
    HarkPlatform.exit(ExitCode.validationFailure.rawValue)
  }

  /// Errors of filters have further lines, which show the place.
  private static func complain(_ message: String) {
    let lines = message.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    Console.complain(lines.first ?? "")
    for line in lines.dropFirst() { Console.complain(more: line) }
  }

  /// How to ask for the help of the command that the arguments name.
  static func help(for arguments: [String]) -> String {
    commands(in: arguments).map { $0._commandName }.joined(separator: " ") + " --help"
  }

  /// The commands that the arguments name, from hark itself on.
  private static func commands(in arguments: [String]) -> [any ParsableCommand.Type] {
    var commands: [any ParsableCommand.Type] = [Hark.self]
    for word in arguments.dropFirst() {
      let subcommands = commands.last?.configuration.subcommands ?? []
      guard let command = subcommands.first(where: { $0._commandName == word }) else { break }
      commands.append(command)
    }
    return commands
  }

  /// The argument parser writes sentences; hark's errors are one line after its name. In these words they are joined.
  private static let joints = [
    (". Did you mean ", "; did you mean "),
    (". Please provide one of the following:\n  - ", ": use one of "),
    (". Please provide one of ", ": use one of "), ("\n  - ", ", "), ("\n   or: ", "; or: "),
  ]

  /// What the argument parser's messages begin with. A message of hark's own may begin with a value, whose case stays.
  private static let starts = [
    "Unknown option", "Missing expected argument", "Missing value for", "Missing one of",
    "Missing required",
    "The value '", "The option '", "Unexpected argument", "Invalid option", "Value to be set",
  ]

  /// The argument parser's message in hark's form; hark's own have it.
  static func sentence(_ message: String) -> String {
    var text = message
    // What the parser says before the message of an option is in that message, too.
    if let mark = text.lastIndex(of: OptionMistake.mark) {
      return String(text[text.index(after: mark)...])
    }
    for (old, new) in joints {
      text = text.replacing(old, with: new)
    }
    if text.hasSuffix(".") { text.removeLast() }
    // The parser joins two values by "and".
    if let range = text.firstRange(of: ": use one of '") {
      let values = text[range.upperBound...].split(separator: "' and '")
      if values.count == 2 {
        text = "\(text[..<range.lowerBound]): use '\(values[0])' or '\(values[1])"
      }
    }
    guard starts.contains(where: text.hasPrefix) else { return text }
    return text.prefix(1).lowercased() + text.dropFirst()
  }
}

/// A mistake in the value of one option, found while that is read: the whole message, without the words
/// that the argument parser puts before those of a `ValidationError` there.
struct OptionMistake: Error, CustomStringConvertible {
  /// No argument can contain it.
  static let mark: Character = "\0"

  let message: String

  init(_ message: String) { self.message = message }

  var description: String { "\(Self.mark)\(message)" }

  /// An error without the mark.
  static func message(of error: any Error) -> String {
    (error as? OptionMistake)?.message ?? "\(error)"
  }
}

/// Options that take a number.
enum OptionNumber {
  /// Reads a number of an option; anything else, also another option in its place, is reported.
  static func of(
    _ option: String, _ range: ClosedRange<Int>, or other: Int? = nil, _ words: String
  ) -> @Sendable (String) throws -> Int {
    { text in
      guard let number = Int(text), range.contains(number) || number == other else {
        throw OptionMistake("\(option) takes \(words), not '\(text)'")
      }
      return number
    }
  }
}
