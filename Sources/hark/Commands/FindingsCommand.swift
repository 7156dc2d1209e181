import ArgumentParser
import HarkCapture
import HarkCore
import HarkCrypto
import HarkFindings
import HarkPresentation
import HarkSession

struct FindingsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "findings", _superCommandName: Hark.name,
    abstract: "Show what is wrong, why, and how to fix it.",
    discussion: """
      Checks every event of the timeline against a set of rules: key exchanges, messages, audio \
      accessories, External Accessory, links. Each finding lists the packets that show it, what was \
      observed and expected, what it means, and the document it is based on. If the capture cannot show \
      whether something happened, the finding reports that. The same capture always gives the same output.

      With --fail-on, the exit code is 3 if there are findings, for scripts and CI jobs.

      Examples:
        hark findings session.pklg --keys acme.harkkeys
        hark findings *.btsnoop --fail-on warning --format junit > findings.xml
        hark findings nightly/ --jobs 4
        hark findings nightly/ --format json > accepted.json
        hark findings nightly/ --baseline accepted.json --fail-on warning
        hark findings session.pklg --rule keys.nonce-reuse
        hark findings --list
        hark findings --explain keys.nonce-reuse

      Exit codes:
        0   everything was read, and no finding is as severe as --fail-on
        1   a capture or a key file could not be opened or read
        2   a capture is truncated or damaged; hark checked what it could read
        3   there is a finding at least as severe as --fail-on; overrides 2
        64  the command line is wrong
      """)

  enum Level: String, ExpressibleByArgument, CaseIterable {
    case info, warning, error

    var severity: Finding.Severity {
      switch self {
      case .info: .info
      case .warning: .warning
      case .error: .error
      }
    }
  }

  @Argument(
    help: "The captures: files, folders, quoted patterns, @LIST, or - for standard input.",
    completion: .file())
  var captures: [String] = []

  @OptionGroup var many: ManyOptions

  @OptionGroup var knowledge: KnowledgeOptions

  @OptionGroup(title: "The app's side") var app: AppOptions

  @Option(
    help: ArgumentHelp(
      "Exit with code 3 if a finding is at least this severe: info, warning or error.",
      valueName: "severity"))
  var failOn: Level?

  @Option(
    help: ArgumentHelp(
      "Show only what is new or gone compared with this file, which --format json wrote.",
      valueName: "file"),
    completion: .file(extensions: ["json"]))
  var baseline: String?

  @OptionGroup(title: "Rules") var choice: RuleOptions

  @Flag(help: "List all rules and stop.")
  var list = false

  @Option(
    help: ArgumentHelp("Explain a rule and stop.", valueName: "rule"),
    completion: .list(RuleOptions.ids))
  var explain: String?

  @Option(name: .shortAndLong, help: ArgumentHelp(stringLiteral: FindingsFormat.help))
  var format = FindingsFormat.text

  @OptionGroup(title: "Output") var look: LookOptions

  func validate() throws {
    if let explain { _ = try RuleOptions.rule(explain) }
    guard !choice.rules.isEmpty else {
      throw ValidationError("--rule and --skip exclude every rule.")
    }
    if list || explain != nil, !format.writesRules {
      throw ValidationError("--list and --explain write text or json, not \(format).")
    }
    guard captures.isEmpty != (list || explain != nil) else { return }
    throw ValidationError(
      captures.isEmpty
        ? "Missing expected argument '<captures>'." : "--list and --explain take no capture.")
  }

  func run() throws {
    var out = Output(isImmediate: false)
    if list || explain != nil {
      tellRules(to: &out.text)
      return try out.flush()
    }
    let keys = try knowledge.keyRing()
    let accepted = try baseline.map(Self.read)
    var writer = format.writer(
      choice.rules.map { $0.about }, failing: failOn?.severity ?? .warning, style: look.style,
      version: Hark.version)
    writer.begin(to: &out.text)
    guard var many = try ManyCaptures(captures, many, .named, look.style) else {
      let code = try judge(captures[0], keys, accepted, &writer, &out)
      writer.finish(to: &out.text)
      try out.flush()
      throw code
    }
    try out.flush()
    let fresh = writer
    try many.run { path in
      var out = Output(isImmediate: false)
      var writer = fresh
      let code = try judge(path, keys, accepted, &writer, &out)
      writer.writePiece(to: &out.text)
      if format == .text { out.text.byte(0x0A) }
      try out.flush()
      throw code
    } failed: { path, why in
      var out = TextBuffer()
      writer.write(path, unopened: why, to: &out)
      return out.bytes
    } taking: { piece in
      guard format.isDocument else { return false }
      writer.take(piece: piece)
      return true
    }
    writer.finish(to: &out.text)
    if format == .text {
      many.summary.writeFindings(look.style, to: &out.text)
    } else if format.hasSummary {
      many.summary.writeJSON(withFindings: true, to: &out.text)
    }
    try out.flush()
    throw many.code
  }

  /// - Returns: The exit code.
  private func judge(
    _ path: String, _ keys: KeyRing, _ accepted: FindingsBaseline?,
    _ writer: inout any FindingsWriter, _ out: inout Output
  ) throws -> ExitCode {
    guard let capture = open(path, &writer, &out) else { return .failure }
    let (worst, code) = try judge(path, capture, keys, accepted, &writer, &out)
    if let failOn, let worst, worst >= failOn.severity { return ExitCode(3) }
    return code
  }

  private func open(
    _ path: String, _ writer: inout any FindingsWriter, _ out: inout Output
  ) -> Capture? {
    do {
      return try knowledge.open(path)
    } catch {
      writer.write(path, unopened: "\(error)", to: &out.text)
      Console.complain("\(error)")
      return nil
    }
  }

  private func judge(
    _ path: String, _ capture: Capture, _ keys: KeyRing, _ accepted: FindingsBaseline?,
    _ writer: inout any FindingsWriter, _ out: inout Output
  ) throws -> (Finding.Severity?, ExitCode) {
    var reading = Reading(capture, keys: keys, app: try app.side(of: path, knowledge, keys))
    var findings = Findings(choice.rules)
    var firmware = FirmwareVersions()
    let end = try reading.run { session, record in
      if CaptureJobs.isChild { firmware.take(session) }
      findings.take(session)
      if record == nil { findings.finish(session) }
    }
    if let accepted { findings.compare(with: accepted, capture: path) }
    writer.write(capture.name, findings, reading.session, end, to: &out.text)
    if CaptureJobs.isChild {
      var digest = CaptureDigest(reading.session, firmware)
      for finding in findings.sorted {
        digest.add(
          rule: finding.rule.id, severity: finding.severity.name, device: finding.place.label)
      }
      CaptureJobs.note(digest.bytes)
    }
    try out.written()
    return (findings.worst, reading.status(end))
  }

  /// - Throws: `ExitCode.failure`, after telling why on standard error.
  private static func read(_ path: String) throws -> FindingsBaseline {
    let bytes = try InputFile.bytes(path, most: FindingsBaseline.longest)
    do {
      return try FindingsBaseline(bytes)
    } catch {
      Console.complain("\(path): \(error)")
      throw ExitCode.failure
    }
  }

  private func tellRules(to out: inout TextBuffer) {
    let rules = Rules.all.map { $0.about }.filter { explain == nil || $0.id == explain }
    if format == .json {
      for rule in rules { RuleText.json(rule, to: &out) }
    } else if let rule = rules.first, explain != nil {
      RuleText(style: look.style).explain(rule, to: &out)
    } else {
      RuleText(style: look.style).list(rules, to: &out)
    }
  }
}

extension FindingsFormat: ExpressibleByArgument {}

/// Which rules look.
struct RuleOptions: ParsableArguments {
  static let ids = Rules.all.map { $0.about.id }

  @Option(
    name: .long, parsing: .singleValue,
    help: ArgumentHelp(
      "Use only these rules, separated by commas; keys.* means all rules of keys. May be repeated.",
      valueName: "rule"),
    completion: .list(RuleOptions.ids), transform: RuleOptions.matching)
  var rule: [[String]] = []

  @Option(
    name: .long, parsing: .singleValue,
    help: ArgumentHelp(
      "Skip these rules, written as for --rule. May be repeated.", valueName: "rule"),
    completion: .list(RuleOptions.ids), transform: RuleOptions.matching)
  var skip: [[String]] = []

  static func rule(_ id: String) throws -> any Rule.Type {
    if let rule = Rules.named(id) { return rule }
    let near = ids.min { $0.edits(to: id) < $1.edits(to: id) } ?? ""
    throw ValidationError(
      "There is no rule “\(id)”; did you mean \(near)? hark findings --list shows all rules.")
  }

  static func matching(_ names: String) throws -> [String] {
    try names.split(separator: ",", omittingEmptySubsequences: false).flatMap { name in
      guard name.hasSuffix(".*") else { return [try rule(String(name)).about.id] }
      let some = ids.filter { $0.hasPrefix(name.dropLast()) }
      guard !some.isEmpty else { throw ValidationError("There are no rules “\(name)”.") }
      return some
    }
  }

  var rules: [any Rule.Type] {
    let (wanted, unwanted) = (Set(rule.joined()), Set(skip.joined()))
    return Rules.all.filter {
      (wanted.isEmpty || wanted.contains($0.about.id)) && !unwanted.contains($0.about.id)
    }
  }
}
