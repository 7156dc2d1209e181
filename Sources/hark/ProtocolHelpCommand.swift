import ArgumentParser
import HarkCore
import HarkReport

/// `hark help PROTOCOL`, beside the help for commands that the argument parser gives.
enum ProtocolHelpCommand {
  /// Writes the help if a protocol is asked for; false if not.
  static func run(_ arguments: [String]) -> Bool {
    guard arguments.count >= 3, arguments[1] == "help", !arguments[2].hasPrefix("-") else {
      return false
    }
    var out = Output(isImmediate: false)
    let command = Hark.configuration.subcommands.first { $0._commandName == arguments[2] }
    if let command {
      guard ProtocolHelp.protocols.contains(arguments[2]) else { return false }
      // A command and a protocol, such as gatt; options are those of the protocol's help.
      if arguments.count == 3 { out.text.string(Hark.helpMessage(for: command) + "\n\n") }
    }
    if arguments[2] == FilterHelp.topic, arguments.count == 3 {
      FilterHelp.write(to: &out.text)
      do { try out.flush() } catch { Hark.exit(withError: error) }
      return true
    }
    guard let isJSON = isJSON(arguments.dropFirst(3)) else {
      Hark.exit(
        withError: ValidationError(
          "hark help PROTOCOL takes --format text or --format json, and --dissectors."))
    }
    let isKnown =
      isJSON
      ? ProtocolHelp.writeJSON(arguments[2], to: &out.text)
      : ProtocolHelp.write(arguments[2], to: &out.text)
    guard isKnown else {
      Hark.exit(withError: ValidationError(missing(arguments[2])))
    }
    do { try out.flush() } catch { Hark.exit(withError: error) }
    return true
  }

  /// What is said of a word that there is no help for.
  private static func missing(_ word: String) -> String {
    let commands = Hark.configuration.subcommands.map { $0._commandName }
    let names = commands + [FilterHelp.topic] + ProtocolHelp.protocols
    let what = "there is no command and no protocol \(word)"
    guard let nearest = MissingCommand.nearest(to: word, among: names) else {
      return "\(what); the protocols are \(ProtocolHelp.protocols.joined(separator: ", "))."
    }
    return "\(what); did you mean \(nearest)?"
  }

  /// What the format is; nil if the options are others than that and folders of layouts, which are
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
