import ArgumentParser
import HarkCore
import HarkFilter
import HarkFindings
import HarkPresentation

/// `hark help PROTOCOL` and help for topics, in addition to the argument parser's help for commands.
enum ProtocolHelpCommand {
  /// Writes the help if the word is a protocol; otherwise returns false.
  static func run(_ arguments: [String]) -> Bool {
    guard arguments.count >= 3, arguments[1] == "help", !arguments[2].hasPrefix("-") else {
      return false
    }
    var out = Output(isImmediate: false)
    let command = Hark.configuration.subcommands.first { $0._commandName == arguments[2] }
    if let command {
      guard ProtocolHelp.protocols.contains(arguments[2]) else { return false }
      // A command and a protocol, such as gatt; options are those of the protocol's help.
      if arguments.count == 3 {
        out.text.string(Hark.helpMessage(for: command))
        out.text.string("\n\nPROTOCOL \(arguments[2].uppercased()):\n\n")
      }
    }
    guard let isJSON = isJSON(arguments.dropFirst(3)) else {
      CommandLineMistake.refuse(
        "hark help PROTOCOL takes --format text or --format json, and --dissectors",
        see: "hark help \(ProtocolList.topic)")
    }
    let isKnown =
      isJSON
      ? ProtocolHelp.writeJSON(arguments[2], to: &out.text) : write(arguments[2], to: &out.text)
    guard isKnown else {
      CommandLineMistake.refuse(missing(arguments[2]), see: "hark help \(ProtocolList.topic)")
    }
    do { try out.flush() } catch { CommandLineMistake.end(error, arguments) }
    return true
  }

  /// Writes the help for a word that is not a command; false if there is none.
  private static func write(_ word: String, to text: inout TextBuffer) -> Bool {
    let width = Console.columns ?? 80
    switch word {
    case FilterHelp.topic: FilterHelp.write(to: &text)
    case ProtocolList.topic: ProtocolList.write(width: width, to: &text)
    default:
      return ProtocolList.writeTopic(word, width: width, to: &text)
        || ProtocolHelp.write(word, to: &text)
    }
    return true
  }

  /// The message for a word without help.
  private static func missing(_ word: String) -> String {
    let commands = Hark.configuration.subcommands.map { $0._commandName }
    if Rules.named(word) != nil {
      return "'\(word)' is a rule: 'hark findings --explain \(word)' explains it"
    }
    let what = "no command, protocol or topic is called '\(word)'"
    if let unattached = FilterNames.complaint(aboutUnattached: word) {
      return "\(what): \(unattached)"
    }
    let names = commands + [FilterHelp.topic] + ProtocolList.words + Dissectors.unattached
    return MissingCommand.nearest(to: word, among: names).map { "\(what); did you mean '\($0)'?" }
      ?? what
  }

  /// The format; nil if there are options other than the format and folders of layouts, which are
  /// loaded already.
  private static func isJSON(_ options: ArraySlice<String>) -> Bool? {
    var options = Array(options.filter { !$0.hasPrefix(Dissectors.option + "=") })
    while let index = options.firstIndex(of: Dissectors.option) {
      options.removeSubrange(index..<min(index + 2, options.count))
    }
    return switch options.joined(separator: "=") {
    case "", "--format=text", "-f=text": false
    case "--format=json", "-f=json": true
    default: nil
    }
  }
}
