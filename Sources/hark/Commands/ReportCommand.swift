import ArgumentParser
import HarkCapture
import HarkCrypto
import HarkExport
import HarkRedact

struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report", _superCommandName: Hark.name,
    abstract: "Write a report to attach to a bug.",
    usage: "hark report <captures> ... [<options>]",
    discussion: """
      Writes one file with a summary, findings with the packets that prove them, sessions, devices, sequence diagrams, \
      throughput and latency, the timeline, and what the capture cannot show. The extension of the file \
      selects the format: .html is a self-contained page that can be searched and printed and needs no network; \
      .md fits a GitHub issue or Feedback Assistant; .json is for programs.

      The report never contains keys. It does contain names, addresses and decrypted notifications: check it before \
      you send it. With --redact, hark makes it from a redacted copy of the capture: then it contains no \
      names or addresses, and no decrypted content except in findings. --bundle writes a ZIP archive with \
      that report (HTML and Markdown), the redacted captures and app logs, and the \
      findings as JSON. A device has the same pseudonym in all captures of a report, and with --map also in \
      later reports; the same captures then give the same report.

      Given a database from hark export, the report shows how often each finding occurs, with which \
      firmware and phones, and when.

      Examples:
        hark report session.pklg --keys acme.harkkeys -o bug.html
        hark report session.btsnoop again.btsnoop -o bug.md --title "Buds go silent"
        hark report bad.pklg --diff good.pklg --keys acme.harkkeys -o bug.html
        hark report session.pklg --keys acme.harkkeys --redact -o bug.html
        hark report session.pklg --bundle bug.zip
        hark report session.pklg --notes session.notes.json -o bug.html
        hark report fleet.sqlite -o fleet.html
      """)

  @Argument(
    help: "The captures: btsnoop, PacketLogger, pcap or pcapng, or - for standard input.",
    completion: .file())
  var captures: [String]

  @Option(name: .customLong("as"), help: CaptureForm.help) var form: CaptureForm?

  @OptionGroup(title: "Keys and protocols") var keys: KeyOptions
  @OptionGroup(title: "Keys and protocols") var knowledge: KnowledgeOptions

  @OptionGroup(title: "The app's side") var app: AppOptions

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp("The file to write, or - for standard output.", valueName: "file"),
    completion: .file(extensions: ["html", "md", "json"]))
  var output: String?

  @Option(name: .shortAndLong, help: "html, md or json, if the extension does not select it.")
  var format: ReportForm?

  @Option(help: "The title of the report. Default: a summary of the findings.")
  var title: String?

  @Option(
    name: .long, parsing: .singleValue,
    help: ArgumentHelp(
      "Notes that the web page saved, to show in the report. May be repeated.", valueName: "file"),
    completion: .file(extensions: ["json"]))
  var notes: [String] = []

  @Option(
    help: ArgumentHelp(
      "A known-good capture: the report shows where the capture diverges from it.",
      valueName: "good"),
    completion: .file())
  var diff: String?

  @Flag(help: "Report on the redacted capture: no names, addresses, keys or texts.")
  var redact = false

  @Option(
    help: ArgumentHelp(
      "With --redact or --bundle: how much to remove, strict (the default) or share.",
      valueName: "level"))
  var level: RedactionLevel?

  @Option(
    help: ArgumentHelp(
      "A ZIP archive to write instead: report, redacted captures, findings.", valueName: "file"),
    completion: .file(extensions: ["zip"]))
  var bundle: String?

  @Option(
    help: ArgumentHelp(
      "With --redact or --bundle: a file for the pseudonym key and all replacements; hark reads "
        + "it first if it exists.", valueName: "file"),
    completion: .file())
  var map: String?

  func validate() throws {
    guard (output == nil) != (bundle == nil) else {
      throw ValidationError("name one output file with --output or --bundle")
    }
    guard bundle == nil || format == nil else {
      throw ValidationError("--bundle writes the report as HTML and Markdown: omit --format")
    }
    if let bundle, let dot = bundle.lastIndex(of: "."), !bundle[dot...].contains("/"),
      bundle[dot...].lowercased() != ".zip"
    {
      throw ValidationError(
        "--bundle writes a ZIP archive: use a name ending in .zip instead of \(bundle), or --output for a report"
      )
    }
    if let output { _ = try ReportForm(format, for: output) }
    guard diff == nil || captures.count == 1 else {
      throw ValidationError("--diff takes exactly one other capture")
    }
    guard diff == nil || diff != captures.first else {
      throw ValidationError("a capture is named twice")
    }
    guard map == nil || redact || bundle != nil else {
      throw ValidationError("--map needs --redact or --bundle")
    }
    guard level == nil || redact || bundle != nil else {
      throw ValidationError("--level needs --redact or --bundle")
    }
    guard map == nil || (map != output && map != bundle && !captures.contains(map ?? "")) else {
      throw ValidationError("choose a separate file for --map")
    }
    if redact || bundle != nil {
      guard diff == nil else {
        throw ValidationError("redact both captures first, with hark redact --map")
      }
    }
    guard Set(captures).count == captures.count else {
      throw ValidationError("a capture is named twice")
    }
  }

  func run() throws {
    if captures.count == 1, FleetReader.isDatabase(captures[0]) {
      return try FleetReporting(database: captures[0]).run(self)
    }
    let keys = try self.keys.ring()
    var making = ReportMaking(
      knowledge: knowledge, as: form, keys: keys, app: app, keepsFindings: bundle != nil,
      notes: try NotesFiles(notes, of: captures),
      names: ReportMaking.names(of: captures + [diff].compactMap { $0 }))
    if let bundle { return try write(bundle, &making) }
    guard let output else { return }
    let form = try ReportForm(format, for: output)
    let good = try diff.map { try making.steps(of: $0) }
    if redact {
      try redacting(keys) { input in try making.gather(input) }
    } else {
      for path in captures { try making.gather(.file(path), comparedWith: good) }
    }
    try making.write(as: form, title: title, to: output)
    throw making.code
  }

  /// Report, redacted captures and findings, in one archive.
  private func write(_ bundle: String, _ making: inout ReportMaking) throws {
    if captures.contains(where: { Output.isSame(bundle, $0) }) {
      Console.complain("\(bundle): this is the capture itself; choose another output file")
      throw ExitCode.failure
    }
    var archive = ZipWriter()
    var logs: [CaptureBytes] = []
    try redacting(making.keys) { input in
      try making.gather(input)
      if let copy = input.copy {
        try archive.add(copy.name, copy.redacted.bytes)
        logs = copy.redacted.logs
      }
    }
    // The report has the same findings, and is searched.
    let page = try making.provenText(as: .html, title: title)
    for (index, findings) in making.findings.enumerated() {
      try archive.add("findings-\(index + 1).json", findings.bytes)
    }
    for (index, log) in logs.enumerated() {
      try archive.add(AppOptions.name(index, log.name), log.bytes)
    }
    try archive.add("report.html", page.bytes)
    try archive.add("report.md", making.provenText(as: .md, title: title).bytes)
    try RedactionRun(level: level ?? .strict, map: nil, keys: making.keys, form: form)
      .write(archive.finished(), to: bundle)
    throw making.code
  }

  /// Returns the captures without names, addresses, keys and texts, one after the other, all with the
  /// same pseudonyms.
  private func redacting(_ keys: KeyRing, _ body: (ReportInput) throws -> Void) throws {
    let run = RedactionRun(level: level ?? .strict, map: map, keys: keys, form: form)
    var table = try run.readMap()
    if knowledge.timeZone != nil, app.appLog.isEmpty {
      Console.complain(
        "a redacted report shows the times of the capture's own clock, without --time-zone: beside it, UTC would show the "
          + "time zone")
    }
    for (index, path) in captures.enumerated() {
      try body(
        .redacting(
          path, number: index + 1, run, logs: app.appLog, hasKeys: self.keys.areGiven, &table))
    }
    // Without it, the owner could not translate the report back.
    if let map { try run.write(Array(table.text.utf8), to: map) }
  }
}

extension ReportCommand: FileWriting {
  /// SQLite recovers a database with a log beside it when it opens it.
  var writtenPaths: [String] {
    [output, bundle, map].compactMap { $0 } + captures.filter { FleetReader.hasLog($0) }
  }
}
