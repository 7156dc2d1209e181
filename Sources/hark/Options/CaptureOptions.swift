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

/// The options of a command that reads one capture. `KnowledgeOptions` are beside it and not in it: debug builds check
/// a group of options four times for each group that contains it.
struct CaptureArgument: ParsableArguments {
  @Argument(
    help: "The capture: btsnoop, PacketLogger, pcap or pcapng, or - for standard input.",
    completion: .file())
  var capture: String

  @Option(name: .customLong("as"), help: CaptureForm.help) var form: CaptureForm?
}

/// The same for commands that also work without a capture.
struct OptionalCaptureOptions: ParsableArguments {
  @Argument(
    help: "The captures: files, folders, quoted patterns, @LIST, or - for standard input.",
    completion: .file())
  var captures: [String] = []

  @OptionGroup var many: ManyOptions
}

/// Knowledge in addition to a capture: keys, and private protocols.
struct KnowledgeOptions: ParsableArguments {
  // The groups of `KeyOptions`, not that itself: debug builds of ArgumentParser validate a group four times for each
  // group around it, and these have most options. That took two thirds of the time of a short command.
  @OptionGroup var given: GivenKeys

  @OptionGroup var passphrase: PassphraseOptions

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
    completion: .custom { _, _, prefix in DecodeAs.completions(of: prefix) })
  var decodeAs: [String] = []

  @Option(
    name: .long, parsing: .singleValue,
    help: ArgumentHelp(
      "Known GATT databases, if a capture began after discovery: an earlier capture, JSON from "
        + "'hark gatt --save', BlueZ's cache, or a folder of them. May be repeated.",
      valueName: "file"),
    completion: .file())
  var gatt: [String] = []

  @OptionGroup var clock: ClockOptions

  @OptionGroup var memory: MemoryOptions

  var timeZone: ClockZone? { clock.timeZone }

  var keys: KeyOptions {
    var keys = KeyOptions()
    (keys.given, keys.passphrase) = (given, passphrase)
    return keys
  }

  /// Opens a capture whose clock shows the given time zone.
  func open(_ path: String, as form: CaptureForm?) throws(CaptureError) -> Capture {
    let capture = try Capture(path: path, isText: form == .text)
    capture.zone = timeZone
    return capture
  }

  /// Reads all key files and keys. All their errors are reported at once.
  func keyRing() throws -> KeyRing { try keys.ring() }
}

/// Knowledge about a capture's clock.
struct ClockOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The time zone of the capture's clock if it is not UTC, as with iPhone recorders: "
        + "Europe/Berlin, +02:00. hark then shows times in UTC.",
      valueName: "zone"),
    transform: { text in
      guard let zone = ClockZone(text) else {
        throw ValidationError(
          "This system has no time zone “\(text)”: use a name such as Europe/Berlin, "
            + "or an offset from UTC such as +02:00.")
      }
      return zone
    })
  var timeZone: ClockZone?
}

/// The output options of commands for people.
struct OutputOptions: ParsableArguments {
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, json
  }

  @Option(name: .shortAndLong, help: "Output format: text for people, json for programs.")
  var format = Format.text

  @OptionGroup var look: LookOptions

  var style: Style { look.style }
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

  @Option(help: "Colors: auto follows the terminal and NO_COLOR.")
  var color = Color.auto

  @Option(
    help: ArgumentHelp(
      "Wrap lines at this width; 0 means never. Default: the terminal's width.",
      valueName: "columns"))
  var width: Int?

  func validate() throws {
    guard let width, width != 0 else { return }
    guard (40...10_000).contains(width) else {
      throw ValidationError("--width takes 0, or a number from 40 to 10000.")
    }
  }

  var style: Style {
    let width = self.width ?? Console.columns ?? 0
    return Style(isColored: color.isWanted, width: width == 0 ? nil : max(40, width))
  }
}
