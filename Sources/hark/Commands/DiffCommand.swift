import ArgumentParser
import HarkCompare
import HarkCore

struct DiffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff", _superCommandName: Hark.name,
    abstract: "Show where a capture diverges from a known-good one.",
    usage: "hark diff <good> <bad> [<options>]",
    discussion: """
      Compares what happened, not when: connections, pairing, encryption, discovery, subscriptions, key \
      exchange, sessions and messages become steps without times, addresses, handles or users' \
      texts, and hark aligns each device's steps. Reports the first step at which the \
      captures diverge, missing and additional steps, changed parameters (MTU, intervals, \
      association model, cipher suite, derivation, …), and steps that took \(Difference.explanation).

      hark matches devices by name, address and behavior; if that fails, use --device-good and --device-bad.

      Examples:
        hark diff good.pklg bad.pklg --keys acme.harkkeys
        hark diff old-firmware.btsnoop new-firmware.btsnoop --format json
        hark diff good.pklg bad.btsnoop --device-good "Acme Buds"
        hark diff good.pklg bad.btsnoop --device-bad C0:DE:00:00:00:02
        hark diff good.pklg bad.pklg --keys acme.harkkeys -o bug.html

      Exit codes:
        0   everything was read, and nothing differs
        1   a capture or a key file could not be opened or read, or there is no such
            device
        2   a capture is truncated or damaged; hark compared what it could read
        3   something differs
        64  the command line is wrong
      """)

  @Argument(
    help: "The known-good capture: btsnoop, PacketLogger, pcap or pcapng.",
    completion: .file())
  var good: String

  @Argument(help: "The capture to compare with it.", completion: .file())
  var bad: String

  @Option(name: .customLong("as"), help: CaptureForm.help) var form: CaptureForm?

  @OptionGroup(title: "Keys and protocols") var keys: KeyOptions
  @OptionGroup(title: "Keys and protocols") var knowledge: KnowledgeOptions

  @Option(
    help: ArgumentHelp("Compare only this device of the good capture.", valueName: "name|address"))
  var deviceGood: String?

  @Option(
    help: ArgumentHelp("Compare only this device of the bad capture.", valueName: "name|address")
  )
  var deviceBad: String?

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp(
      "Write a report of the bad capture with all differences, as hark report does; the extension "
        + "selects the format.", valueName: "file"),
    completion: .file(extensions: ["html", "md", "json"]))
  var output: String?

  @OptionGroup(title: "Output") var look: OutputOptions
  @OptionGroup(title: "Output") var pager: PagerOptions

  func validate() throws {
    if good == "-", bad == "-" { throw ValidationError("standard input can be read only once") }
    if let output { _ = try ReportForm(nil, for: output, hint: "") }
    if output != nil, look.format == .json {
      throw ValidationError(
        "--output writes a report, in the format of its extension: omit --format json")
    }
  }

  func run() throws {
    // On the terminal, captures are called as the command line names them.
    let names: [String: String] =
      output == nil
      ? Dictionary([good, bad].map { ($0, $0) }) { first, _ in first }
      : ReportMaking.names(of: [good, bad])
    var making = ReportMaking(
      knowledge: knowledge, as: form, keys: try self.keys.ring(), names: names)
    var before = try making.steps(of: good)
    try keep(deviceGood, of: &before)
    let comparison: Comparison?
    if let output {
      try making.gather(.file(bad), comparedWith: before) { try keep(deviceBad, of: &$0) }
      comparison = making.captures.last?.comparison
      try making.write(as: ReportForm(nil, for: output, hint: ""), title: nil, to: output)
      Console.complain("\(output): \(comparison?.summary ?? "")")
    } else {
      var after = try making.steps(of: bad)
      try keep(deviceBad, of: &after)
      comparison = Comparison(before, after)
      if let comparison { try report(comparison) }
    }
    let isSame = comparison?.isSame ?? true
    // A difference is reported even if a capture is truncated or damaged.
    throw making.code != .failure && !isSame ? ExitCode(3) : making.code
  }

  private func keep(_ device: String?, of steps: inout CaptureSteps) throws {
    guard let device, !steps.keepOnly(device) else { return }
    Console.complain("\(steps.name): \(NamedDevice.complaint(device, among: steps.devices))")
    throw ExitCode.failure
  }

  private func report(_ comparison: Comparison) throws {
    var out = Output(isImmediate: false)
    switch look.format {
    case .text: ComparisonText(style: look.style).write(comparison, to: &out.text)
    case .json: ComparisonJSON.write(comparison, to: &out.text)
    }
    try out.flush()
  }
}

extension DiffCommand: FileWriting {
  var writtenPaths: [String] { [output].compactMap { $0 } }
}
