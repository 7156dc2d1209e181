import ArgumentParser
import HarkCrypto
import HarkPresentation

struct InfoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info", _superCommandName: Hark.name,
    abstract: "Show what a capture contains and what is missing.",
    usage: "hark info <captures> ... [<options>]",
    discussion: """
      Prints one page: format, clock, packets, protocols, devices, links and keys; then, in plain words, \
      what this capture cannot show and why, and where it is damaged.

      Keys are shown as fingerprints only.

      With several captures, or a folder, hark reads each capture in its own process and ends with a summary.

      Examples:
        hark info btsnoop_hci.log
        hark info nightly/ --jobs 4
        adb exec-out cat /data/misc/bluetooth/logs/btsnoop_hci.log | hark info -
      """)

  @OptionGroup(title: "Captures") var capture: ManyCaptureOptions
  @OptionGroup(title: "Captures") var many: ManyOptions
  @OptionGroup(title: "Keys and protocols") var keys: KeyOptions
  @OptionGroup(title: "Keys and protocols") var knowledge: KnowledgeOptions

  @OptionGroup(title: "The app's side") var app: AppOptions
  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Output") var pager: PagerOptions

  func run() throws {
    guard var many = try ManyCaptures(capture.captures, self.many, .named, output.style) else {
      return try show(capture.captures[0], self.keys.ring())
    }
    let keys = try self.keys.ring()
    try many.run { try show($0, keys) }
    var out = Output(isImmediate: false)
    if output.format == .json {
      many.summary.writeJSON(withFindings: false, to: &out.text)
    } else {
      many.summary.writeTotals(output.style, to: &out.text)
    }
    try out.flush()
    throw many.code
  }

  private func show(_ path: String, _ keys: KeyRing) throws {
    var reading = try Reading(
      CaptureOptions(path, knowledge, as: self.many.form), keys: keys, app: app)
    var firmware = FirmwareVersions()
    var out = Output(isImmediate: false)
    var report = CaptureReport()
    let end = try reading.packets { session, _, _ in
      if CaptureJobs.isChild { firmware.take(session) }
      session.takeEvents { report.note($0) }
    }
    let name = reading.capture.name
    let info = reading.capture.info
    if output.format == .json {
      report.writeJSON(name: name, info, end, reading.session, to: &out.text)
    } else {
      report.write(name: name, info, end, reading.session, style: output.style, to: &out.text)
    }
    if CaptureJobs.isChild {
      if output.format == .text { out.text.byte(0x0A) }
      CaptureJobs.note(CaptureDigest(reading.session, firmware).bytes)
    }
    try out.flush()
    throw reading.status(end)
  }
}
