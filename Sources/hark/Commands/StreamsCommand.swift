import ArgumentParser
import HarkCore
import HarkPlatform
import HarkPresentation
import HarkSession

struct StreamsCommand: ParsableCommand {
  enum Side: String, ExpressibleByArgument, CaseIterable {
    case both, sent, received
  }

  static let configuration = CommandConfiguration(
    commandName: "streams", _superCommandName: Hark.name,
    abstract: "List channels, or show the data of one.",
    usage: "hark streams <capture> [<number>] [<options>]",
    discussion: """
      Without a number: lists every L2CAP channel, RFCOMM channel, External Accessory session and \
      synchronous link (SCO, eSCO) in the order they were opened, with its purpose, the packets between \
      which it was open, and the amount of data in each direction.

      With a number: shows the data of that stream, reassembled from its packets, as a hex dump (> sent \
      by the host the capture was made on, < received), as text with --follow, one side below \
      the other, or as raw bytes with --raw.

      Examples:
        hark streams session.btsnoop
        hark streams session.btsnoop 4 --follow
        hark streams session.btsnoop 4 --raw --side received -o answers.bin
      """)

  @OptionGroup(title: "Capture") var argument: CaptureArgument
  @OptionGroup(title: "Keys and protocols") var keys: KeyOptions
  @OptionGroup(title: "Keys and protocols") var knowledge: KnowledgeOptions

  private var capture: CaptureOptions {
    CaptureOptions(argument.capture, knowledge, as: argument.form)
  }

  @Argument(
    help: "The number of a stream in the list, starting at 1.", transform: StreamsCommand.number)
  var number: UInt32?

  private static func number(_ text: String) throws -> UInt32 {
    guard let number = UInt32(text), number > 0 else {
      throw OptionMistake(
        "'\(text)' is not the number of a stream: the first is 1, and 'hark streams' lists them")
    }
    return number
  }

  @Flag(help: "Show the data as text, one side below the other.")
  var follow = false

  @Flag(help: "Write only the bytes.")
  var raw = false

  @Option(help: "The side whose data to show.")
  var side = Side.both

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp("Write the bytes of --raw to a file.", valueName: "file"),
    completion: .file())
  var file: String?

  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Output") var pager: PagerOptions

  func validate() throws {
    if number == nil, follow || raw || side != .both || file != nil {
      throw ValidationError("--follow, --raw, --side and --output need the number of a stream")
    }
    if raw, follow || output.format == .json {
      throw ValidationError("--raw writes bytes: omit --follow and --format json")
    }
    if follow, output.format == .json {
      throw ValidationError("--follow writes text: omit --format json")
    }
    if file != nil, !raw { throw ValidationError("--output needs --raw") }
  }

  func run() throws {
    guard let number else { return try list() }
    var reading = try Reading(capture, keys: keys.ring(), isStreaming: true)
    reading.session.followed = StreamID(number: number)
    var content = StreamContent(
      raw ? .raw : output.format == .json ? .json : follow ? .conversation : .hex,
      style: output.style)
    let file = try file.map { try OutputBytes($0, besides: [capture.capture]) }
    var out = Output(isImmediate: reading.isLive, into: file)
    let end = try reading.run { session, _ in
      for piece in session.pieces where isWanted(piece.direction) {
        content.write(piece, session, to: &out.text)
      }
      try out.written()
    }
    content.finish(to: &out.text)
    try out.flush()
    if content.leftOut > 0 {
      Console.complain(
        "\(reading.capture.name): omitted because they contain keys: \(content.leftOut)")
    }
    let count = reading.session.streams.count
    if number > count {
      Console.complain(
        "\(reading.capture.name): there is no stream \(number); "
          + (count == 0 ? "the capture has no streams" : "the streams are 1 to \(count)"))
      throw ExitCode.validationFailure
    }
    try file?.finish()
    throw reading.status(end)
  }

  private func isWanted(_ direction: Direction) -> Bool {
    switch side {
    case .both: true
    case .sent: direction == .hostToController
    case .received: direction == .controllerToHost
    }
  }

  private func list() throws {
    var reading = try Reading(capture, keys: keys.ring())
    var out = Output(isImmediate: false)
    let end = try reading.run { session, record in
      guard record == nil else { return }
      let report = StreamsReport(style: output.style)
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

extension StreamsCommand: FileWriting {
  var writtenPaths: [String] { [file].compactMap { $0 } }
}
