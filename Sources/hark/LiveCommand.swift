import ArgumentParser
import HarkCapture
import HarkReport
import HarkSession

struct LiveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "live",
    abstract: "Tell what happens while it happens.",
    discussion: """
      The timeline of a capture that is being made. Ctrl-C ends it: what was still open is told, and \
      then how many packets there were.

      Sources:
        monitor            all Bluetooth controllers of this machine, as hark-record records them
        -                  standard input: idevicebtlogger - | hark live -
        FILE               a file that grows; a FIFO
        /dev/ttyACM0       a serial line, with --as
        unix:PATH          a socket of this machine
        tcp:HOST:PORT      a server, such as an Android phone's: tcp:localhost:8872

      The format is recognised by its content: btsnoop, PacketLogger (also as an iPhone sends it), \
      pcap, pcapng. Bytes that do not say what they are need --as.

      A connection that ends is made again when the other side is back; the timeline says so.

      Examples:
        hark live
        pymobiledevice3 btlogger live - | hark live - --keys acme.harkkeys
        ssh board btmon -w /dev/stdout | hark live -
        adb forward tcp:8872 tcp:8872 && hark live tcp:localhost:8872
        hark live /dev/ttyACM0 --as tty
      """)

  @Argument(
    help: ArgumentHelp("Where packets come from.", valueName: "source"), completion: .file())
  var source = "monitor"

  @Option(
    name: .customLong("as"),
    help: ArgumentHelp(
      "What comes, where the bytes do not say so: \(StreamFormat.described).",
      valueName: "format"))
  var format: StreamFormat?

  @Flag(help: "Show the devices of this machine, and why one cannot be opened.")
  var list = false

  @OptionGroup(title: "Knowledge") var knowledge: KnowledgeOptions

  @OptionGroup var filtering: FilterOptions

  @OptionGroup(title: "Lanes") var lanes: LaneOptions

  @OptionGroup(title: "Output") var output: OutputOptions

  func run() throws {
    if list { try RecordCommand.become(["--list"]) }
    let keys = try knowledge.keyRing()
    let signals = try Signals()
    let source = try LiveSource(source, format, stop: signals.descriptor)
    guard let capture = try source.open() else { return }
    var reading = Reading(capture, keys: keys)
    var out = Output(isImmediate: true)
    var writer = try EventWriter(lanes, filtering, output)
    reading.kindsWithFields = writer.kindsWithFields
    reading.session.keepsValues = writer.wantsValues
    var end = try follow(&reading, &writer, &out)
    while !signals.isPending, let next = try source.reopen() {
      reading.session.damage("the source is back", at: .now)
      reading.goOn(with: next)
      end = try follow(&reading, &writer, &out)
    }
    try reading.finish(end) { session in
      writer.write(session, to: &out)
      writer.finish(session, to: &out)
    }
    try out.flush()
    if !source.close() { Console.complain(Self.summary(reading.session)) }
    throw signals.isPending ? ExitCode.success : reading.status(end)
  }

  /// Tells events as they come, until the capture ends.
  private func follow(
    _ reading: inout Reading, _ writer: inout EventWriter, _ out: inout Output
  ) throws -> CaptureEnd {
    let capture = reading.capture
    while true {
      let end = try reading.take { session, record, bytes in
        writer.take(record, bytes, &session)
        writer.write(session, to: &out)
        if case .timedOut = capture.wait(milliseconds: 0) { return false }
        try out.written()
        return true
      }
      guard end.status == .stopped else { return end }
      try out.flush()
      // What was counted is told once it has been quiet for a moment.
      if case .timedOut = capture.wait(milliseconds: Self.pause) {
        reading.session.tellCounted()
        writer.write(reading.session, to: &out)
        reading.session.dropEvents()
        writer.pause(to: &out)
        try out.flush()
        _ = capture.wait(milliseconds: -1)
      }
    }
  }

  /// In milliseconds.
  private static let pause: Int32 = 1_000

  private static func summary(_ session: borrowing Session) -> String {
    let count = session.packets.count
    let dropped = session.counts.dropped
    return "\(count) \(count == 1 ? "packet" : "packets"), "
      + (dropped == 0 ? "none lost" : "\(dropped) lost")
  }
}

extension StreamFormat: ExpressibleByArgument {
  /// Each with what it is.
  fileprivate static let described = """
    h4 and h5 (UART transports, one direction), monitor (btmon --server), tty (btmon --tty)
    """
}
