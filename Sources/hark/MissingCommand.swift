import ArgumentParser
import Glibc
import HarkCore

/// What the first word is told that is no command: which one was meant.
enum MissingCommand {
  static func complaint(about arguments: [String]) -> String? {
    guard let word = arguments.dropFirst().first, !word.isEmpty, !word.hasPrefix("-") else {
      return nil
    }
    let names = Hark.configuration.subcommands.map { $0._commandName } + ["help"]
    guard !names.contains(word) else { return nil }
    if unsafe access(word, F_OK) == 0 {
      return
        "\(word) is a file: `hark info FILE` says what is in it, `hark timeline FILE` what happened"
    }
    // Slips of the fingers; what is further away is another word.
    let nearest = names.map { (edits: word.edits(to: $0), name: $0) }.min { $0 < $1 }
    guard let nearest, nearest.edits <= max(1, word.utf8.count / 3) else {
      return "there is no command \(word); the commands are \(names.joined(separator: ", "))"
    }
    return "there is no command \(word); did you mean \(nearest.name)?"
  }
}
