import ArgumentParser
import HarkCapture
import HarkFilter

/// Wireshark's extcap interface: https://www.wireshark.org/docs/man-pages/extcap.html
struct ExtcapCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "extcap",
    abstract: "Run as a Wireshark capture source (extcap).",
    usage: "hark extcap <subcommand> | <options>",
    discussion: """
      'hark extcap install' puts a small script into Wireshark's folder for capture sources. Wireshark \
      and tshark then list hark's sources: the Bluetooth controllers of this machine, a stream (a file \
      that grows, a FIFO, a socket, a serial line), and each device listed by 'hark live --list'. \
      Packets carry the sentences of the timeline as comments and, with a key file, the plaintext of \
      messages. Capture filters use hark's syntax (hark help filters).

      Wireshark calls this command with the options below.

      Examples:
        hark extcap install
        tshark -D | grep hark
        tshark -i hark-monitor
        tshark -i hark-stream -o extcap.hark_stream.source:/tmp/phone.fifo
      """,
    subcommands: [Install.self, Uninstall.self])

  @Flag(name: .customLong("extcap-interfaces"), help: "List the sources.")
  var listsInterfaces = false

  @Option(
    name: .customLong("extcap-version"),
    help: ArgumentHelp("The version of Wireshark.", valueName: "version"))
  var version: String?

  @Option(
    name: .customLong("extcap-interface"),
    help: ArgumentHelp("The source to use.", valueName: "source"))
  var interface: String?

  @Flag(name: .customLong("extcap-dlts"), help: "List the link types of a source.")
  var listsLinks = false

  @Flag(name: .customLong("extcap-config"), help: "List the settings of a source.")
  var listsConfiguration = false

  @Option(
    name: .customLong("extcap-capture-filter"),
    help: ArgumentHelp(
      "Capture only matching packets; without --capture: check the filter.",
      valueName: "filter"))
  var filter: String?

  @Flag(help: "Write packets to --fifo.")
  var capture = false

  @Option(
    help: ArgumentHelp("The FIFO from which Wireshark reads.", valueName: "file"),
    completion: .file())
  var fifo: String?

  @Option(
    help: ArgumentHelp("The source that hark-stream reads.", valueName: "source"),
    completion: .file())
  var source: String?

  @Option(
    name: .customLong("as"),
    help: ArgumentHelp(
      "The format of the stream, if it cannot be detected; see hark live.", valueName: "format"))
  var format: String?

  @Flag(help: "Do not add hark's comments.")
  var noComments = false

  @OptionGroup(title: "Keys and protocols") var keys: KeyOptions
  @OptionGroup(title: "Keys and protocols") var knowledge: KnowledgeOptions

  func run() throws {
    if listsInterfaces {
      return Self.put(ExtcapSource.interfaces)
    }
    guard let interface else {
      // Wireshark calls it with arguments: this is somebody who looks what it is.
      guard CommandLine.arguments.count > 2 else { throw CleanExit.helpRequest(self) }
      CommandLineMistake.refuse(
        "Wireshark names a source: --extcap-interface", see: "hark extcap --help")
    }
    let sources = ExtcapSource.all.map(\.source)
    guard let chosen = sources.first(where: { $0.name == interface }) else {
      let names = sources.map(\.name).joined(separator: ", ")
      CommandLineMistake.refuse(
        "there is no source '\(interface)'; the sources are \(names)", see: "hark extcap --help")
    }
    if listsLinks { return Self.put(chosen.links) }
    if listsConfiguration { return Self.put(chosen.configuration) }
    guard capture else {
      try checkFilter()
      return
    }
    try ExtcapCapture(chosen, self).run()
  }

  private static func put(_ text: String) { Console.show(text) }

  /// Wireshark takes what is written for what is wrong.
  private func checkFilter() throws {
    do {
      _ = try compiledFilter()
    } catch {
      Self.put("\(error)\n")
      throw ExitCode.failure
    }
  }

  func compiledFilter() throws(FilterError) -> Filter? {
    guard let filter, !filter.isEmpty else { return nil }
    return try Filter(filter)
  }

  struct Install: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "install",
      abstract: "Add hark to Wireshark's capture sources.",
      discussion: """
        Installs a script that makes hark a capture source, and a plug-in, hark.lua, that shows hark's additions to \
        packets as fields: hark.notification.title.

        The script goes into the folder given with --folder, otherwise into the folder in WIRESHARK_EXTCAP_DIR, \
        otherwise into your own folder (Wireshark 4.2 and later), otherwise into the system's folder, which \
        requires sudo.

        As root, hark writes it to the system's folder, for all users. If WIRESHARK_EXTCAP_DIR is set \
        under sudo, pkexec or doas, hark writes to that folder as the calling user.
        """)

    @Option(
      help: ArgumentHelp("The folder for the script.", valueName: "folder"),
      completion: .directory)
    var folder: String?

    @Option(
      help: ArgumentHelp(
        "The folder to put the plug-in into. Default: Wireshark's folder for Lua plug-ins; none with --folder.",
        valueName: "folder"),
      completion: .directory)
    var plugins: String?

    @Flag(help: "Print the script instead of installing it.")
    var show = false

    func run() throws {
      if show { return ExtcapCommand.put(ExtcapLauncher.script) }
      // Asked before hark may become another user.
      let isGiven = plugins != nil
      let plugins = plugins ?? (folder == nil ? ExtcapLauncher.pluginFolder : nil)
      let isDefault = folder == nil
      let folder = try folder ?? ExtcapLauncher.folder(isWritten: true)
      let path = try ExtcapLauncher.file.install(in: folder, isDefault: isDefault)
      let effect =
        ExtcapLauncher.isPassedOver(folder)
        ? "'tshark -D' now lists hark for users, but not for root, where tshark ignores WIRESHARK_EXTCAP_DIR"
        : "'tshark -D' now lists hark"
      ExtcapCommand.put("Installed \(path): \(effect).\n")
      if let plugins {
        let path = try WiresharkPlugin.file.install(in: plugins, isDefault: !isGiven)
        ExtcapCommand.put(
          "Installed \(path): restart Wireshark to see hark's fields.\n")
      }
    }
  }

  struct Uninstall: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "uninstall",
      abstract: "Remove hark from Wireshark's capture sources.")

    @Option(
      help: ArgumentHelp("The folder with the script.", valueName: "folder"), completion: .directory
    )
    var folder: String?

    @Option(
      help: ArgumentHelp("The folder with the plug-in.", valueName: "folder"),
      completion: .directory)
    var plugins: String?

    func run() throws {
      let isGiven = plugins != nil
      let plugins = plugins ?? (folder == nil ? ExtcapLauncher.pluginFolder : nil)
      let isDefault = folder == nil
      let folder = try folder ?? ExtcapLauncher.folder(isWritten: true)
      let path = try ExtcapLauncher.file.uninstall(from: folder, isDefault: isDefault)
      ExtcapCommand.put(path.map { "Removed \($0).\n" } ?? "Nothing to remove in \(folder).\n")
      if let plugins,
        let path = try WiresharkPlugin.file.uninstall(from: plugins, isDefault: !isGiven)
      {
        ExtcapCommand.put("Removed \(path).\n")
      }
    }
  }
}
