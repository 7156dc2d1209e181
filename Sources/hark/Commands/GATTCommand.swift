import ArgumentParser
import HarkPresentation

struct GATTCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gatt", _superCommandName: Hark.name,
    abstract: "Show the services and characteristics of each device, with proof.",
    usage: "hark gatt <capture> [<options>]",
    discussion: """
      The GATT database as the traffic shows it: services, characteristics and descriptors with \
      their handles, names and properties, the packet that shows each (#), and how it was used.

      An attribute that was used and never discovered in this capture is shown as such: phones \
      remember the database of a bonded device and do not ask for it again.

      An earlier capture, or what --save wrote of it, names the attributes of devices whose discovery \
      is missing here: such names are marked with the word library and the file they come from.

      Examples:
        hark gatt session.pklg
        hark gatt pairing.pklg --save watch.json
        hark gatt session.pklg --gatt watch.json
        hark gatt session.pklg -f json | jq '.databases[].characteristics[].uuid'
      """)

  @OptionGroup(title: "Capture") var capture: CaptureOptions
  @OptionGroup(title: "Output") var output: OutputOptions

  @Option(
    help: ArgumentHelp(
      "Write what discovery shows of each device to a JSON file, for --gatt.", valueName: "file"),
    completion: .file())
  var save: String?

  func run() throws {
    var reading = try Reading(capture)
    let file = try save.map { try OutputBytes($0, besides: [capture.capture]) }
    var out = Output(isImmediate: false, into: file)
    var saved = 0
    let end = try reading.run { session, record in
      guard record == nil else { return }
      guard save == nil else {
        let known = GATTLibraryJSON(session)
        saved = known.count
        known.write(to: &out.text)
        return
      }
      let report = GATTReport(style: output.style)
      if output.format == .json {
        report.writeJSON(session, to: &out.text)
      } else {
        report.write(session, to: &out.text)
      }
    }
    if let save, saved == 0 {
      Console.complain(
        "\(reading.capture.name): shows no discovery of a device's GATT database; "
          + "\(save) was not written")
      throw ExitCode.failure
    }
    try out.flush()
    try file?.finish()
    throw reading.status(end)
  }
}

extension GATTCommand: FileWriting {
  var writtenPaths: [String] { [save].compactMap { $0 } }
}
