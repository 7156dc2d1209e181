import ArgumentParser
import HarkCapture
import HarkPlatform
import HarkSystem

@main
enum Program {
  static func main() {
    if CommandLine.arguments.dropFirst().elementsEqual(["--version"]) {
      // As the argument parser would, in a third of the time.
      return Console.show(Hark.configuration.version + "\n")
    }
    if SetUserID.isInForce {
      CommandLineMistake.refuse(SetUserID.problem, see: "hark --help")
    }
    if let script = CompletionScript.text(for: CommandLine.arguments) {
      return Console.show(script + "\n")
    }
    Pager.begin(CommandLine.arguments)
    // It opens a file, which the sandbox refuses.
    MemoryBudget.begin()
    Confinement.begin(CommandLine.arguments)
    GATTFiles.loadNames(for: CommandLine.arguments)
    Dissectors.load(for: CommandLine.arguments)
    if let complaint = ShowCommand.complaint(about: CommandLine.arguments) {
      CommandLineMistake.refuse(complaint, see: "hark show --help")
    }
    if let complaint = MissingCommand.complaint(about: CommandLine.arguments) {
      CommandLineMistake.refuse(
        complaint, see: CommandLineMistake.help(for: CommandLine.arguments))
    }
    if ProtocolHelpCommand.run(CommandLine.arguments) { return }
    do {
      Preparation.begin(for: CommandLine.arguments)
      try GATTFiles.load(for: CommandLine.arguments)
      var command = try command(in: CommandLine.arguments) ?? Hark.parseAsRoot()
      Confinement.begin(command)
      try command.run()
    } catch let code as ExitCode {
      // As the argument parser would, which looks for a message first.
      HarkPlatform.exit(code.rawValue)
    } catch {
      CommandLineMistake.end(error, CommandLine.arguments)
    }
  }

  /// The command that the arguments ask for, parsed without its siblings: the argument parser walks
  /// each of them by reflection. Nil if the whole tree is needed, to help or to complain. As each names
  /// `Hark` as the command above it, the parser does not try to read it as a request for completions first.
  private static func command(in arguments: [String]) -> (any ParsableCommand)? {
    guard let name = arguments.dropFirst().first,
      let type = Hark.configuration.subcommands.first(where: { $0._commandName == name }),
      type.configuration.subcommands.isEmpty,
      let command = try? type.parseAsRoot(Array(arguments.dropFirst(2))),
      Swift.type(of: command) == type
    else { return nil }
    return command
  }
}

struct Hark: ParsableCommand {
  static let name = "hark"
  static let version = "1.0.0"

  static let configuration = CommandConfiguration(
    commandName: name,
    abstract: "Analyze captures of Bluetooth accessory traffic.",
    discussion: """
      hark reads a capture of Bluetooth traffic (from an iPhone, Android, Linux or Wireshark) and \
      shows what happened: connections, pairing, services, keys, and the notifications themselves \
      if you have the accessory's key.

      Start here:
        hark info session.pklg                        what it contains and lacks
        hark timeline session.pklg                    what happened, in order
        hark timeline session.pklg -k acme.harkkeys   the same, messages decrypted
        hark findings session.pklg                    what is wrong, and why

      hark reads btsnoop (Android, btmon), PacketLogger (.pklg), pcap and pcapng, compressed with \
      gzip or not, from files and from a pipe (-), and the log in an Android bug report (.txt, .zip). \
      hark never sends anything anywhere.

      Fields and codes of a protocol: hark help att (all: hark help protocols)
      Filters for packets and events (-Y): hark help filters

      Exit codes:
        0   everything was read
        1   the capture or a key file could not be opened or read; no device has
            that name; hark fields found no field; hark doctor found an error
        2   the capture is truncated or damaged; hark showed what it could read
        3   hark diff found a difference; hark findings --fail-on found a finding;
            hark expect found a violation
        64  the command line is wrong

      Shell completions: hark --generate-completion-script bash|zsh|fish
      """,
    version: "hark \(version)",
    subcommands: [
      TimelineCommand.self, LiveCommand.self, FindingsCommand.self, ExpectCommand.self,
      CheckAppCommand.self,
      ReportCommand.self,
      DiffCommand.self, MinimizeCommand.self,
      InfoCommand.self, GATTCommand.self, StreamsCommand.self, PacketsCommand.self,
      ShowCommand.self, ExplainCommand.self, FieldsCommand.self, DissectorsCommand.self,
      ConvertCommand.self, ExportCommand.self, RedactCommand.self, RecordCommand.self,
      ExtcapCommand.self,
      KeysCommand.self, SealCommand.self, OpenCommand.self,
      DoctorCommand.self,
    ])
}
