import ArgumentParser
import HarkPresentation

struct GATTCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gatt", _superCommandName: Hark.name,
    abstract: "Show each device's services and characteristics.",
    usage: "hark gatt <capture> [<options>]",
    discussion: """
      Shows the GATT database as far as the traffic reveals it: services, characteristics and descriptors \
      with their handles, names and properties, the packet that shows each one (#), and how it was used.

      Attributes that were used and whose types this capture does not show are marked: phones \
      remember the database of a bonded device and do not discover it again.

      With --gatt, an earlier capture or a file written by --save names the attributes of devices whose discovery \
      is missing here; such names are marked “library”, with the file that they come from.

      Examples:
        hark gatt session.pklg
        hark gatt pairing.pklg --save watch.json
        hark gatt session.pklg --gatt watch.json
        hark gatt session.pklg -f json | jq '.databases[].characteristics[].uuid'
      """)

  @OptionGroup(title: "Capture") var argument: CaptureArgument
  @OptionGroup(title: "Keys and protocols") var keys: KeyOptions
  @OptionGroup(title: "Keys and protocols") var knowledge: KnowledgeOptions

  private var capture: CaptureOptions {
    CaptureOptions(argument.capture, knowledge, as: argument.form)
  }
  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Output") var pager: PagerOptions

  @Option(
    help: ArgumentHelp(
      "Write what discovery shows about each device to a JSON file, for --gatt.", valueName: "file"),
    completion: .file())
  var save: String?

  func validate() throws {
    if save != nil, output.format == .json {
      throw ValidationError("--save writes its own JSON: omit --format json")
    }
  }

  func run() throws {
    var reading = try Reading(capture, keys: keys.ring())
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
        "\(reading.capture.name): no discovery of a device's GATT database; "
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
