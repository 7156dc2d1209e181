import ArgumentParser
import HarkCapture
import HarkCrypto
import HarkPresentation

/// The format of a capture, if its content does not show it.
enum CaptureForm: String, ExpressibleByArgument, CaseIterable {
  case text

  static var help: ArgumentHelp {
    ArgumentHelp(
      "Read unrecognized captures as text with packets (hcidump --raw, tshark -x, usbmon, PacketLogger).",
      valueName: "format")
  }
}

/// A capture, and the knowledge about it.
struct CaptureOptions {
  let capture: String
  let form: CaptureForm?
  let knowledge: KnowledgeOptions

  init(_ capture: String, _ knowledge: KnowledgeOptions, as form: CaptureForm? = nil) {
    (self.capture, self.knowledge, self.form) = (capture, knowledge, form)
  }

  func open() throws(CaptureError) -> Capture { try knowledge.open(capture, as: form) }
}

/// The argument of a command that reads one capture.
struct CaptureArgument: ParsableArguments {
  @Argument(
    help: "The capture: btsnoop, PacketLogger, pcap or pcapng, or - for standard input.",
    completion: .file())
  var capture: String

  @Option(name: .customLong("as"), help: CaptureForm.help) var form: CaptureForm?
}

/// The captures of a command that also works without one.
struct OptionalCaptureOptions: ParsableArguments {
  @Argument(help: ManyCaptureOptions.help, completion: .file()) var captures: [String] = []
}

/// Knowledge in addition to a capture and keys: private protocols, attributes and its clock.
struct KnowledgeOptions: ParsableArguments {
  @Option(
    name: .long, parsing: .singleValue,
    help: ArgumentHelp(
      "A folder with .ksy and profile.yaml files of private protocols. May be repeated.",
      valueName: "folder"),
    completion: .directory)
  var dissectors: [String] = []

  @Option(
    name: .long, parsing: .singleValue,
    help: ArgumentHelp(
      "Read an attribute or channel with a layout or profile, in this run: 'handle 0x0864 = acme', "
        + "or cid, psm, uuid in place of handle. May be repeated.",
      valueName: "place=layout"),
    completion: ShellCompletion.of { DecodeAs.completions(of: $1) })
  var decodeAs: [String] = []

  @Option(
    name: .long, parsing: .singleValue,
    help: ArgumentHelp(
      "Known GATT databases, if a capture began after discovery: an earlier capture, JSON from "
        + "'hark gatt --save', BlueZ's cache, or a folder of them; also JSON with your names of UUIDs. "
        + "May be repeated.",
      valueName: "file"),
    completion: .file())
  var gatt: [String] = []

  @Option(parsing: .unconditional, help: ClockZone.help, transform: ClockZone.named)
  var timeZone: ClockZone?

  @Option(parsing: .unconditional, help: MemoryLimit.help, transform: MemoryLimit.size)
  var memory: Int?

  func validate() throws { MemoryLimit.begin(memory) }

  /// Opens a capture whose clock shows the given time zone.
  func open(_ path: String, as form: CaptureForm?) throws(CaptureError) -> Capture {
    let capture = try Capture(path: path, isText: form == .text)
    capture.zone = timeZone
    return capture
  }
}

/// Knowledge about a capture's clock.
extension ClockZone {
  static var help: ArgumentHelp {
    ArgumentHelp(
      "The time zone of the capture's clock if it is not UTC, as with iPhone recorders: "
        + "Europe/Berlin, +02:00. hark then shows times in UTC.",
      valueName: "zone")
  }

  static func named(_ text: String) throws -> ClockZone {
    guard let zone = ClockZone(text) else {
      throw OptionMistake(
        "this system has no time zone '\(text)': use a name such as Europe/Berlin, "
          + "or an offset from UTC such as +02:00")
    }
    return zone
  }
}

/// The output options of commands for people.
struct OutputOptions: ParsableArguments {
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, json
  }

  @Option(name: .shortAndLong, help: "Output format: text for people, json for programs.")
  var format = Format.text

  @Option(help: LookOptions.colorHelp) var color = LookOptions.Color.auto
  @Option(parsing: .unconditional, help: LookOptions.widthHelp, transform: LookOptions.columns)
  var width: Int?

  var style: Style { LookOptions.style(color, width) }
}

/// The appearance of text for people.
struct LookOptions: ParsableArguments {
  enum Color: String, ExpressibleByArgument, CaseIterable {
    case auto, always, never

    /// Whether this standard output gets colors.
    var isWanted: Bool {
      switch self {
      case .always: true
      case .never: false
      case .auto: Console.wantsColor
      }
    }
  }

  @Option(help: colorHelp) var color = Color.auto
  @Option(parsing: .unconditional, help: widthHelp, transform: columns) var width: Int?

  var style: Style { Self.style(color, width) }

  static let colorHelp = ArgumentHelp("Colors: auto follows the terminal and NO_COLOR.")
  static let widthHelp = ArgumentHelp(
    "Wrap lines at this width; 0 means never. Default: the terminal's width.",
    valueName: "columns")

  static let columns = OptionNumber.of(
    "--width", 40...10_000, or: 0, "0, or a number from 40 to 10000")

  static func style(_ color: Color, _ width: Int?) -> Style {
    let width = width ?? Console.columns ?? 0
    return Style(isColored: color.isWanted, width: width == 0 ? nil : max(40, width))
  }
}
