import ArgumentParser
import HarkCapture
import HarkCore
import HarkCrypto
import HarkFindings
import HarkPresentation
import HarkSession

struct ExpectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "expect", _superCommandName: Hark.name,
    abstract: "Check that captures show what you expect.",
    usage: "hark expect <expectations> <captures> ... [<options>]",
    discussion: """
      Reads a YAML file with expectations about events and findings, and reports those that fail, with the packets \
      as evidence. Filters select the events, as in hark timeline -Y. docs/expect.md describes the file:

        expectations:
          - name: The key exchange completes in time
            event: event == "encapsulated-key"
            within: 2 s
            of: event == "subscription"
          - name: Every message is decrypted
            never: event == "message-locked"
          - name: Nothing is wrong
            findings: error

      Examples:
        hark expect nightly.yaml session.pklg --keys test.harkkeys
        hark expect nightly.yaml captures/ --format junit > expect.xml

      Exit codes:
        0   everything was read, and all expectations hold
        1   the expectations, a capture or a key file could not be opened or read
        2   a capture is truncated or damaged; hark checked what it could read
        3   an expectation fails; overrides 2
        64  the command line is wrong
      """)

  @Argument(
    help: "The file with the expectations.", completion: .file(extensions: ["yaml", "yml"]))
  var expectations: String

  @Argument(
    help: "The captures: files, folders, quoted patterns, @LIST, or - for standard input.",
    completion: .file())
  var captures: [String]

  @OptionGroup(title: "Captures") var many: ManyOptions

  @OptionGroup(title: "Keys and protocols") var keys: KeyOptions
  @OptionGroup(title: "Keys and protocols") var knowledge: KnowledgeOptions

  @OptionGroup(title: "The app's side") var app: AppOptions

  @Option(name: .shortAndLong, help: ArgumentHelp(stringLiteral: FindingsFormat.help))
  var format = FindingsFormat.text

  @OptionGroup(title: "Output") var look: LookOptions

  func run() throws {
    Dissectors.loadFieldsOfFilters()
    let all = try ExpectationsFile(expectations).expectations
    try Self.expectAllConcern(captures, all, expectations)
    let keys = try self.keys.ring()
    let run = FindingsRun(
      format: format, rules: ExpectationCheck.rules(of: all), failing: .info, style: look.style,
      none: "All expectations hold.\n")
    try run.run(captures, many) { path in
      try knowledge.open(path, as: many.form)
    } _: { path, capture in
      let side = try app.side(of: CaptureOptions(path, knowledge, as: many.form), keys)
      var reading = Reading(capture, keys: keys, app: side)
      var check = ExpectationCheck(all.filter { $0.concerns(path) })
      reading.session.keepsValues = true
      reading.session.keepsMessages = check.wantsMessages
      reading.kindsWithFields = check.kindsWithFields
      var findings = Findings([])
      var firmware = FirmwareVersions()
      let end = try reading.packets { session, record, bytes in
        if CaptureJobs.isChild { firmware.take(session) }
        if let record { check.take(record, bytes, &session) }
        check.take(session)
        if record == nil { findings = check.finish(session) }
      }
      let code = reading.status(end)
      return FindingsRun.Judgement(
        findings: findings, session: reading.end(), end: end, firmware: firmware, code: code)
    }
  }

  /// An expectation about captures that do not exist always holds: it is a mistake.
  /// - Throws: `ExitCode.failure`, after it reports why on standard error.
  private static func expectAllConcern(
    _ captures: [String], _ all: [Expectation], _ file: String
  ) throws {
    guard let list = try? CaptureList(captures) else { return }
    let idle = all.filter { one in
      one.captures != nil && !list.items.contains { one.concerns($0.path) }
    }
    guard !idle.isEmpty else { return }
    for one in idle {
      Console.complain(
        "\(file): '\(one.name)': no capture matches its pattern '\(one.captures ?? "")'")
    }
    throw ExitCode.failure
  }
}
