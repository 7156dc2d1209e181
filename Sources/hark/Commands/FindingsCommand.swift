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
    usage: "hark findings <captures> ... [<options>]",
    discussion: """
      Checks every event of the timeline against a set of rules: key exchanges, messages, audio \
      accessories, External Accessory, links. Each finding lists the packets that show it, what was \
      observed and expected, what it means, and the document it is based on. If the capture cannot show \
      whether something happened, hark reports that. The same capture always gives the same output.

      With --fail-on, the exit code is 3 if there are findings, for scripts and CI jobs.

      Examples:
        hark findings session.pklg --keys acme.harkkeys
        hark findings *.btsnoop --fail-on warning --format junit > findings.xml
        hark findings nightly/ --jobs 4
        hark findings nightly/ --format json > accepted.json
        hark findings nightly/ --baseline accepted.json --fail-on warning
        hark findings session.pklg --keys acme.harkkeys --apns payloads.ndjson
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

  @OptionGroup(title: "Captures") var many: ManyOptions

  @OptionGroup(title: "Keys and protocols") var keys: KeyOptions
  @OptionGroup(title: "Keys and protocols") var knowledge: KnowledgeOptions

  @OptionGroup(title: "The app's side") var app: AppOptions

  @OptionGroup(title: "Internet transport") var internet: InternetOptions

  @Option(
    help: ArgumentHelp(
      "Exit with code 3 if a finding is at least this severe: info, warning or error.",
      valueName: "severity"))
  var failOn: Level?

  @Option(
    help: ArgumentHelp(
      "Show only findings that are new or gone since this file, written by --format json.",
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
  @OptionGroup(title: "Output") var pager: PagerOptions

  func validate() throws {
    if let explain { _ = try RuleOptions.rule(explain) }
    guard !choice.rules.isEmpty else {
      throw ValidationError("--rule and --skip exclude every rule")
    }
    if list, explain != nil {
      throw ValidationError("--list shows all rules, --explain one: omit one of them")
    }
    if list || explain != nil, failOn != nil || baseline != nil {
      throw ValidationError("--fail-on and --baseline need a capture")
    }
    if list || explain != nil, !format.writesRules {
      throw ValidationError("--list and --explain write text or json, not \(format)")
    }
    if !internet.apns.isEmpty, captures.count > 1 {
      throw ValidationError("--apns belongs to one capture: give only that")
    }
    if (captures + internet.apns).filter({ $0 == "-" }).count > 1 {
      throw ValidationError("standard input can be read only once: as a capture, or as payloads")
    }
    guard captures.isEmpty != (list || explain != nil) else { return }
    throw ValidationError(
      captures.isEmpty
        ? "missing expected argument '<captures>'" : "--list and --explain take no capture")
  }

  func run() throws {
    var out = Output(isImmediate: false)
    if list || explain != nil {
      reportRules(to: &out.text)
      return try out.flush()
    }
    let keys = try self.keys.ring()
    var accepted = try baseline.map(Self.read)
    if let list = try? CaptureList(captures) { accepted?.match(list.items.map(\.path)) }
    var run = FindingsRun(
      format: format, rules: choice.rules.map { $0.about }, failing: failOn?.severity,
      style: look.style)
    if let accepted {
      run.none = "No new findings.\n"
      run.goneCaptures = accepted.goneCaptures
    }
    try run.run(captures, many) { path in
      try knowledge.open(path, as: many.form)
    } _: { path, capture in
      let options = CaptureOptions(path, knowledge, as: many.form)
      let side = try app.side(of: options, keys)
      var reading = Reading(capture, keys: keys, app: side)
      reading.add(try internet.messages(keys, of: options))
      var findings = Findings(choice.rules)
      var firmware = FirmwareVersions()
      reading.findProfileMistakes()
      let end = try reading.run { session, record in
        if CaptureJobs.isChild { firmware.take(session) }
        findings.take(session)
        if record == nil { findings.finish(session) }
      }
      if let accepted { findings.compare(with: accepted, capture: path) }
      let code = reading.status(end)
      return FindingsRun.Judgement(
        findings: findings, session: reading.end(), end: end, firmware: firmware, code: code)
    }
  }

  /// - Throws: `ExitCode.failure`, after it reports why on standard error.
  private static func read(_ path: String) throws -> FindingsBaseline {
    let bytes = try InputFile.bytes(path, most: FindingsBaseline.longest)
    do {
      return try FindingsBaseline(bytes)
    } catch {
      Console.complain("\(path): \(error)")
      throw ExitCode.failure
    }
  }

  private func reportRules(to out: inout TextBuffer) {
    let rules = (explain == nil ? choice.rules : Rules.all).map { $0.about }
      .filter { explain == nil || $0.id == explain }
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

/// The rules to check.
struct RuleOptions: ParsableArguments {
  static let ids = Rules.all.map { $0.about.id }
  /// How many rules a mistake names at most.
  private static let mostNamed = 4

  @Option(
    name: .long, parsing: .singleValue,
    help: ArgumentHelp(
      "Use only these rules, separated by commas; keys.* means all rules of keys. May be repeated.",
      valueName: "rule"),
    completion: ShellCompletion.list(RuleOptions.ids), transform: RuleOptions.matching)
  var rule: [[String]] = []

  @Option(
    name: .long, parsing: .singleValue,
    help: ArgumentHelp(
      "Skip these rules, written as for --rule. May be repeated.", valueName: "rule"),
    completion: ShellCompletion.list(RuleOptions.ids), transform: RuleOptions.matching)
  var skip: [[String]] = []

  static func rule(_ id: String) throws -> any Rule.Type {
    if let rule = Rules.named(id) { return rule }
    let word = id.hasSuffix(".*") ? String(id.lowercased().dropLast(2)) : id.lowercased()
    let group = ids.filter { $0.hasPrefix(word + ".") }
    if !group.isEmpty {
      throw OptionMistake(
        "'\(id)' is a group of \(Names.count(group.count, "rule")), which 'hark findings --list' shows; --rule and --skip "
          + "take '\(word).*'")
    }
    // A word of the name, or else a slip of the fingers.
    let named = word.utf8.count > 2 ? ids.filter { $0.contains(word) } : []
    let near = named.isEmpty ? id.nearest(among: ids).map { [$0] } ?? [] : named
    throw OptionMistake(
      "there is no rule '\(id)'; "
        + (1...Self.mostNamed ~= near.count
          ? "did you mean \(Names.list(near.map { "'\($0)'" }, "or"))?"
          : "'hark findings --list' shows all rules"))
  }

  static func matching(_ names: String) throws -> [String] {
    try names.split(separator: ",", omittingEmptySubsequences: false).flatMap { name in
      guard name.hasSuffix(".*") else { return [try rule(String(name)).about.id] }
      let some = ids.filter { $0.hasPrefix(name.dropLast()) }
      guard !some.isEmpty else {
        throw OptionMistake(
          "there are no rules '\(name)'; 'hark findings --list' shows all rules")
      }
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
