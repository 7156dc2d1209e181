import ArgumentParser
import HarkCapture
import HarkCore
import HarkPlatform

/// The message for a first word that is not a command: the command that was probably meant.
enum MissingCommand {
  static func complaint(about arguments: [String]) -> String? {
    guard let word = arguments.dropFirst().first, !word.isEmpty, !word.hasPrefix("-") else {
      return nil
    }
    let commands = Hark.configuration.subcommands
    // Only as far as needed: the name of each comes with its whole help text.
    if let command = commands.first(where: { $0._commandName == word }) {
      return complaint(about: arguments.dropFirst(2).first, of: command)
    }
    let names = commands.map { $0._commandName } + ["help"]
    guard word != "help" else { return nil }
    if unsafe access(word, F_OK) == 0 {
      let kind = Directory.isFolder(word) ? "folder" : "file"
      return "'\(word)' is a \(kind): 'hark info \(word)' shows what it contains, "
        + "'hark timeline \(word)' what happened"
    }
    if let instead = FamiliarWords.command(word) {
      return "there is no command '\(word)'; did you mean '\(instead)'?"
    }
    guard let nearest = nearest(to: word, among: names) else {
      return "there is neither a command nor a file '\(word)'"
    }
    return "there is no command '\(word)'; did you mean '\(nearest)'?"
  }

  /// The message for a second word that is not a command of the first.
  private static func complaint(
    about word: String?, of command: any ParsableCommand.Type
  ) -> String? {
    let names = command.configuration.subcommands.map { $0._commandName }
    guard let word, !names.isEmpty, !word.isEmpty, !word.hasPrefix("-"), !names.contains(word),
      word != "help"
    else { return nil }
    let both = "\(command._commandName) \(word)"
    guard let nearest = nearest(to: word, among: names) else {
      return "there is no command '\(both)'; the commands are \(names.joined(separator: ", "))"
    }
    return "there is no command '\(both)'; did you mean '\(command._commandName) \(nearest)'?"
  }

  /// The command that was meant, if the word is a typing mistake of it.
  static func nearest(to word: String, among names: [String]) -> String? {
    word.nearest(among: names)
  }
}
