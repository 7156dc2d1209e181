import ArgumentParser
import HarkPresentation

struct InfoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info", _superCommandName: Hark.name,
    abstract: "Show what a capture contains and what is missing.",
    usage: "hark info <capture> [<options>]",
    discussion: """
      Prints one page: format, clock, packets, protocols, devices, links and keys; then, in plain words, \
      what this capture cannot show and why, and where it is damaged.

      Keys are shown as fingerprints only.

      Examples:
        hark info btsnoop_hci.log
        adb exec-out cat /data/misc/bluetooth/logs/btsnoop_hci.log | hark info -
      """)

  @OptionGroup(title: "Capture") var capture: CaptureOptions

  @OptionGroup(title: "The app's side") var app: AppOptions
  @OptionGroup(title: "Output") var output: OutputOptions

  func run() throws {
    var reading = try Reading(capture, app: app)
    var out = Output(isImmediate: false)
    var report = CaptureReport()
    let end = try reading.run { session, _ in
      session.takeEvents { report.note($0) }
    }
    let name = reading.capture.name
    let info = reading.capture.info
    if output.format == .json {
      report.writeJSON(name: name, info, end, reading.session, to: &out.text)
    } else {
      report.write(name: name, info, end, reading.session, style: output.style, to: &out.text)
    }
    try out.flush()
    throw reading.status(end)
  }
}
