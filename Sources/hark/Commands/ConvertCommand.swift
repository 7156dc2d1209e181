import ArgumentParser
import HarkCapture
import HarkCore
import HarkFilter

struct ConvertCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert", _superCommandName: Hark.name,
    abstract: "Convert, cut or merge captures.",
    usage: "hark convert <in> ... <out> [<options>]",
    discussion: """
      The extension of OUT selects the format, unless --format does; - writes to standard output. hark warns \
      about everything that the format cannot store. Several captures are merged by time; if their \
      times overlap, each gets its own controllers.

      Formats:
      \(CaptureOutput.list)
        btsnoop, pcap      the variant that fits the captures

      pcapng gets the sentences of the timeline as packet comments and, with --keys, the plaintext \
      of messages. Comments never contain keys; keys in packets stay in the packets.

      --keep-state also keeps earlier packets needed to decode the selection: \
      connections, encryption, channels, discovery, subscriptions, key exchanges, and all fragments.

      TIME is a time on the capture's clock (2026-11-20 16:41:05, 16:41:05.5), or seconds since its first \
      packet (+12.5, as in the timeline). --time-zone applies to all captures: convert those with another \
      clock first, one by one.

      hark replaces OUT only when the new file is complete. An existing file stays if nothing can be \
      written or the selection is empty (exit code 1).

      Examples:
        hark convert session.pklg session.pcapng
        hark convert session.pklg session.pcapng --keys acme.harkkeys
        hark convert trace.*.btsnoop whole.btsnoop
        hark convert phone.pklg board.btsnoop both.pcapng
        hark convert big.btsnoop part.btsnoop --from +60 --to +75 --keep-state
        hark convert session.pklg - -f pcapng --device Acme | wireshark -k -i -
      """)

  @Argument(
    help: ArgumentHelp(
      "The captures, or - for standard input; the last one is the output.",
      valueName: "in ... out"),
    completion: .file())
  var paths: [String] = []

  @Option(
    name: [.customShort("f"), .customLong("format"), .customLong("to-format")],
    help: ArgumentHelp("The format to write.", valueName: "format"),
    completion: .list(CaptureOutput.names))
  var format: String?

  @Option(name: .customLong("as"), help: CaptureForm.help) var form: CaptureForm?

  @OptionGroup var filtering: FilterOptions

  @OptionGroup var times: TimeRangeOptions

  @Option(
    help: ArgumentHelp(
      "Keep only this link: its number in JSON, or its handle (0x0040).", valueName: "link"),
    transform: { try LinkChoice($0) })
  var link: LinkChoice?

  @Flag(
    help: ArgumentHelp(
      "Write over-the-air packets decrypted, if a key decrypts their link: without the MIC, with "
        + "the length and the CRC of the plaintext."))
  var decrypt = false

  @Flag(help: "Also keep earlier packets needed to decode the selection.")
  var keepState = false

  @Flag(help: "Do not add hark's comments to pcapng.")
  var noComments = false

  @OptionGroup(title: "Keys and protocols") var keys: KeyOptions
  @OptionGroup(title: "Keys and protocols") var knowledge: KnowledgeOptions

  mutating func validate() throws {
    guard paths.count > 1 else {
      throw ValidationError("name a capture and an output: hark convert IN OUT")
    }
    let inputs = paths.dropLast()
    if inputs.count(where: { $0 == "-" }) > 1 {
      throw ValidationError("standard input can be read only once")
    }
    if keepState, inputs.contains("-") {
      throw ValidationError("--keep-state reads the capture twice: name a file")
    }
    if keepState, !isPart {
      throw ValidationError("--keep-state needs -Y, --from, --to, --link, --device or --service")
    }
    _ = try CaptureOutput.name(for: paths[paths.count - 1], format)
    try filtering.compile(and: times.filters())
  }

  func run() throws {
    var conversion = try Conversion(
      Array(paths.dropLast()), to: paths[paths.count - 1],
      as: CaptureOutput.name(for: paths[paths.count - 1], format), self)
    throw try conversion.run()
  }

  var isPart: Bool {
    link != nil || !times.isEmpty || filtering.filter != nil || filtering.device != nil
      || filtering.service != nil
  }
}

/// One link of a capture.
enum LinkChoice: Equatable {
  /// From 1.
  case number(Int)
  /// All links that used it.
  case handle(UInt16)

  init(_ text: String) throws {
    if text.withoutHexPrefix != nil, let handle = UInt16(written: text) {
      self = .handle(handle)
    } else if let number = Int(text), number > 0 {
      self = .number(number)
    } else {
      throw OptionMistake(
        "--link takes the number of a link, or its handle such as 0x0040, not '\(text)'")
    }
  }
}

extension ConvertCommand: FileWriting {
  var writtenPaths: [String] { paths.suffix(1) }
}
