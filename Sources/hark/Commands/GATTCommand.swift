import ArgumentParser
import HarkPresentation

struct GATTCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gatt",
    abstract: "Show the services and characteristics of each device, with proof.",
    usage: "hark gatt <capture> [<options>]",
    discussion: """
      The GATT database as the traffic shows it: services, characteristics and descriptors with \
      their handles, names and properties, the packet that shows each (#), and how it was used.

      An attribute that was used and never discovered in this capture is shown as such: phones \
      remember the database of a bonded device and do not ask for it again.

      Examples:
        hark gatt session.pklg
        hark gatt session.pklg -f json | jq '.databases[].characteristics[].uuid'
      """)

  @OptionGroup(title: "Capture") var capture: CaptureOptions
  @OptionGroup(title: "Output") var output: OutputOptions

  func run() throws {
    var reading = try Reading(capture)
    var out = Output(isImmediate: false)
    let end = try reading.run { session, record in
      guard record == nil else { return }
      let report = GATTReport(style: output.style)
      if output.format == .json {
        report.writeJSON(session, to: &out.text)
      } else {
        report.write(session, to: &out.text)
      }
    }
    try out.flush()
    throw reading.status(end)
  }
}
