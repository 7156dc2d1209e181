import ArgumentParser

struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Make one file that says what went wrong, to attach to a bug.",
    discussion: """
      Summary, findings with the packets that prove them, sessions, devices, sequence diagrams, \
      throughput and latency, the timeline, and what the capture cannot show. The ending of the file \
      says its form: .html is a page that needs no other file and no network, searches, and prints \
      well; .md fits an issue of GitHub or Feedback Assistant; .json is for programs.

      Keys are never in it. Names, addresses and opened notifications are: look at it before you \
      send it.

      Examples:
        hark report session.pklg --keys acme.harkkeys -o bug.html
        hark report session.btsnoop again.btsnoop -o bug.md --title "Buds lose the primary source"
        hark report bad.pklg --diff good.pklg --keys acme.harkkeys -o bug.html
      """)

  @Argument(
    help: "The captures: btsnoop, PacketLogger, pcap or pcapng, or - for standard input.",
    completion: .file())
  var captures: [String]

  @OptionGroup var knowledge: KnowledgeOptions

  @OptionGroup(title: "The app's side") var app: AppOptions

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp("The file to write, or - for standard output.", valueName: "file"),
    completion: .file(extensions: ["html", "md", "json"]))
  var output: String

  @Option(name: .shortAndLong, help: "html, md or json, where the file's ending does not say so.")
  var format: ReportForm?

  @Option(help: "The title of the report. Without it: what was found.")
  var title: String?

  @Option(
    help: ArgumentHelp(
      "A capture in which it went well: the report says where the other parts from it.",
      valueName: "good"),
    completion: .file())
  var diff: String?

  func validate() throws {
    _ = try ReportForm(format, for: output)
    guard diff == nil || captures.count == 1 else {
      throw ValidationError("--diff compares with one capture.")
    }
    guard diff == nil || diff != captures.first else {
      throw ValidationError("A capture is named twice.")
    }
    guard Set(captures).count == captures.count else {
      throw ValidationError("A capture is named twice.")
    }
  }

  func run() throws {
    let form = try ReportForm(format, for: output)
    var making = ReportMaking(knowledge: knowledge, keys: try knowledge.keyRing(), app: app)
    let good = try diff.map { try making.steps(of: $0) }
    for path in captures { try making.gather(path, comparedWith: good) }
    try making.write(as: form, title: title, to: output)
    throw making.code
  }
}
