import ArgumentParser
import HarkAppLog
import HarkCapture
import HarkCrypto
import HarkPresentation
import HarkSession
import HarkWeb

struct LiveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "live", _superCommandName: Hark.name,
    abstract: "Show the timeline live.",
    usage: "hark live [<source>] [<options>]",
    discussion: """
      Shows the timeline of a capture while it is being recorded. Ctrl-C ends it: hark prints which links and \
      requests are still open, then the number of packets.

      Sources:
        monitor            all Bluetooth controllers of this machine
        usbmon1            a device listed by --list
        phone              a phone on USB, through idevicebtlogger,
                           pymobiledevice3 or adb, whichever is installed
        -                  standard input: idevicebtlogger - | hark live -
        FILE               a growing file, or a FIFO
        /dev/ttyACM0       a serial line, with --as
        nrf:DEVICE         an nRF Sniffer for Bluetooth LE: nrf:/dev/ttyACM0
        sniffle:DEVICE     a Sniffle: sniffle:/dev/ttyUSB0
        unix:PATH          a local socket
        unix-listen:PATH   a local socket that hark creates, for programs that
                           send to btmon --server (--as monitor)
        tcp:HOST:PORT      a server, such as an Android phone: tcp:localhost:8872

      hark detects the format from the content: btsnoop, PacketLogger (also as an iPhone sends it), \
      pcap, pcapng. Streams of other formats need --as.

      After a sniffer's device, options may follow: follow=ADDRESS (/public unless it is random) listens to one device \
      and its connections, channels=37+38 selects primary advertising channels, extended follows extended \
      advertising, coded listens to LE Coded, baud=RATE sets the rate of the line.

      While packets arrive in real time, hark detects and reports a clock that shows the local time of another \
      zone; set the zone with --time-zone.

      If a connection ends, hark reconnects when the other side returns, and the timeline shows it.

      With --app-log, hark shows the app's side beside the traffic, from a log that grows: a file, a FIFO, - \
      (standard input), or unix:PATH. It matches the log's clock with the capture's as it reads.

      With --key-log, hark decrypts messages with session keys that an app in development writes as it creates \
      them, like browsers with SSLKEYLOGFILE: see docs/key-file.md.

      hark reads key files again when they change, and then also shows earlier messages that a new key decrypts. \
      Over the air, an LTK that arrives late also decrypts the earlier packets of its link.

      With -w, hark also writes all packets to a file, even those that filters and lanes hide. As with hark-record, \
      only you can read the file, and it is complete up to the last packet even if hark is killed.

      Examples:
        hark live
        hark live phone --keys acme.harkkeys
        pymobiledevice3 btlogger live - | hark live - --keys acme.harkkeys
        ssh board btmon -w /dev/stdout | hark live -
        adb forward tcp:8872 tcp:8872 && hark live tcp:localhost:8872
        hark live /dev/ttyACM0 --as tty
        hark live nrf:/dev/ttyACM0,follow=C0:DE:00:00:00:01
        hark live --device "Acme Buds" -w today.btsnoop --rotate-size 100M
        idevicesyslog | hark live iphone.pklg --app-log - --findings
        hark live iphone.pklg --key-log keys.ndjson
        hark live --web
        hark live iphone.pklg --app-log app.ndjson --key-log keys.ndjson --web
      """)

  @Argument(
    help: ArgumentHelp("Where to read packets from.", valueName: "source"), completion: .file())
  var source = "monitor"

  @Option(
    name: .customLong("as"),
    help: ArgumentHelp(
      "The format of the stream, if it cannot be detected: \(StreamFormat.described).",
      valueName: "format"))
  var format: StreamFormat?

  @Flag(help: "List this machine's devices, and why any cannot be opened.")
  var list = false

  @OptionGroup(title: "Keys and protocols") var keys: KeyOptions
  @OptionGroup(title: "Keys and protocols") var knowledge: KnowledgeOptions

  @Option(
    help: ArgumentHelp(
      "A file, FIFO or unix:PATH to which an app writes session keys as it creates them.",
      valueName: "file"),
    completion: .file())
  var keyLog: String?

  @OptionGroup(title: "App") var app: AppOptions

  @OptionGroup var filtering: FilterOptions

  @OptionGroup(title: "Lanes") var lanes: LaneOptions

  @OptionGroup(title: "Recording") var recording: RecordingOptions

  @OptionGroup(title: "Output") var output: OutputOptions

  @OptionGroup(title: "Browser") var web: WebOptions

  mutating func validate() throws {
    try web.check(output)
    if recording.write == "-" {
      throw ValidationError("-w cannot write to standard output here: name a file")
    }
    if list, source != "monitor" || recording.write != nil || web.web {
      throw ValidationError("--list only lists devices: omit the source, -w and --web")
    }
    if (app.appLog + [source, keyLog]).filter({ $0 == "-" }).count > 1 {
      throw ValidationError("standard input can carry only one thing: packets, or one log")
    }
    try filtering.compile(and: web.web ? lanes.asFilter : [])
  }

  func run() throws {
    if list { try RecorderProgram.become(["--list"]) }
    var opener = KeyFileOpener(self.keys.passphraseFile)
    let keys = try self.keys.ring(&opener)
    let app = try app.live()
    var arriving = ArrivingKeys(
      log: try keyLog.map { try KeyLog($0) }, watch: KeyWatch(self.keys.paths, opener))
    if recording.write != nil, knowledge.memory == nil { MemoryBudget.end() }
    let signals = try Signals()
    let out = LiveOutput(try LiveRecording(recording, besides: source))
    let source = try LiveSource(
      source, format, isWritten: out.recording != nil, signals: signals.descriptor,
      stops: out.recording.map { [$0.descriptor] } ?? [], whenIdle: out.sendOn)
    let status: ExitCode
    do {
      if web.web { try serve(source, keys, arriving, app, signals, out) }
      status = try report(source, keys, &arriving, app, signals, out)
    } catch {
      _ = try? source.close()
      try out.recording?.finish()
      throw error
    }
    try out.recording?.finish()
    throw signals.isPending ? ExitCode.success : status
  }

  /// Serves everything that arrives as a page, until a signal ends it.
  private func serve(
    _ source: LiveSource, _ keys: KeyRing, _ arriving: ArrivingKeys, _ app: LiveAppSide?,
    _ signals: borrowing Signals, _ out: LiveOutput
  ) throws {
    let capture = try source.open()
    capture.zone = knowledge.timeZone
    try out.recording?.begin(capture.info)
    if !web.open {
      Confinement.enterAfterOpening(
        isConnecting ? .connecting : source.network(isServing: true),
        watching: arriving.watch.folders)
    }
    var run = try WebRun(
      capture, keys, web, filter: filtering.compiled?.filter, liveApp: app)
    (run.recording, run.arriving) = (out.recording, arriving)
    var end = try run.follow(signals)
    while !signals.isPending, let next = source.reopen() {
      run.goOn(with: next)
      end = try run.follow(signals)
    }
    try run.finish(out.recording?.judged(end) ?? end, signals)
  }

  /// hark reconnects to the socket of a log.
  private var isConnecting: Bool {
    (app.appLog + [keyLog].compactMap { $0 }).contains { Connection.isMeant($0) }
  }

  /// Reports everything that arrives, until the source ends or has to end.
  private func report(
    _ source: LiveSource, _ keys: KeyRing, _ arriving: inout ArrivingKeys, _ app: LiveAppSide?,
    _ signals: borrowing Signals, _ out: LiveOutput
  ) throws -> ExitCode {
    let capture = try source.open()
    capture.zone = knowledge.timeZone
    try out.recording?.begin(capture.info)
    // Only over-the-air captures contain encrypted links; hark reads them again when a key arrives.
    let log = arriving.mayCome && capture.info.contentOtherThanHCI != nil ? try? SessionLog() : nil
    Confinement.enterAfterOpening(
      isConnecting ? .connecting : source.network(isServing: false),
      watching: arriving.watch.folders)
    var reading = Reading(capture, keys: keys)
    reading.log = log
    reading.session.opensLater = true
    var app = app
    if let log { app?.onUpdate = { log.update($0) } }
    app?.introduce(to: &reading.session)
    reading.liveApp = app
    // Logs and keys are read even while a record is incomplete.
    capture.stopsInsideRecords = true
    var writer = EventWriter(lanes, filtering.compiled?.filter, output)
    if log != nil { writer.remembers() }
    var late = LateKeys(keys)
    reading.forgetting = PacketForgetting()
    reading.kindsWithFields = writer.kindsWithFields
    reading.session.keepsValues = writer.wantsValues
    reading.session.keepsMessages = writer.wantsMessages
    var end = try follow(&reading, &writer, &arriving, &late, out)
    while !signals.isPending, let next = source.reopen() {
      reading.session.damage("the source is connected again", at: .now)
      next.stopsInsideRecords = true
      reading.goOn(with: next)
      end = try follow(&reading, &writer, &arriving, &late, out)
    }
    end = out.recording?.judged(end) ?? end
    try reading.finish(end) { session in
      writer.write(session, to: &out.lines)
      writer.finish(session, to: &out.lines)
    }
    try out.flush()
    let status = reading.status(end, NamedDevice(filtering.device))
    if writer.isEmpty, writer.isFiltering, status == .success {
      Console.complain("no match")
    }
    if try !source.close() { Console.complain(Self.summary(reading.session)) }
    return status
  }

  /// Reports events as they arrive, until the capture ends.
  private func follow(
    _ reading: inout Reading, _ writer: inout EventWriter, _ arriving: inout ArrivingKeys,
    _ late: inout LateKeys, _ out: LiveOutput
  ) throws -> CaptureEnd {
    let capture = reading.capture
    // Whether the next record arrives when it is recorded: hark had to wait for it.
    var isFresh = false
    var isClockReported = false
    let log = reading.log
    while true {
      var hasKeys = false
      // Apps write keys before they send the data that these decrypt.
      if arriving.look(isIdle: true) { late.give(arriving.take(), to: &reading, &writer, out) }
      let end = try reading.take { session, record, bytes in
        if isFresh, !isClockReported, let remark = clockRemark(record) {
          isClockReported = true
          session.comment(remark, of: Reading.clock)
          log?.comment(remark, of: Reading.clock)
        }
        isFresh = false
        out.recording?.append(record, bytes)
        writer.take(record, bytes, &session)
        writer.write(session, to: &out.lines)
        if case .timedOut = capture.wait(milliseconds: 0) { return false }
        try out.written()
        hasKeys = arriving.look(isIdle: false)
        return !hasKeys
      }
      guard end.status == .stopped else { return end }
      try out.flush()
      if hasKeys { continue }
      isFresh = true
      try idle(&reading, &writer, &arriving, &late, out)
    }
  }

  /// Waits for the next packet. Repeat counts are printed after a moment of silence, and lines of
  /// logs soon after they were written.
  private func idle(
    _ reading: inout Reading, _ writer: inout EventWriter, _ arriving: inout ArrivingKeys,
    _ late: inout LateKeys, _ out: LiveOutput
  ) throws {
    let capture = reading.capture
    let isGrowing = arriving.mayCome || reading.liveApp?.isGrowing ?? false
    let step = isGrowing ? Self.logPause : Self.pause
    var quiet: Int32 = 0
    while case .timedOut = capture.wait(milliseconds: quiet < Self.pause || isGrowing ? step : -1) {
      let wasQuiet = quiet >= Self.pause
      quiet = min(quiet + step, Self.pause)
      reading.liveApp?.pause(&reading.session)
      for problem in reading.liveApp?.takeProblems() ?? [] { Console.complain(problem) }
      if arriving.look(isIdle: true) {
        late.give(arriving.take(), to: &reading, &writer, out)
        try out.flush()
      }
      let isQuiet = quiet >= Self.pause && !wasQuiet
      guard isQuiet || !reading.session.events.isEmpty else { continue }
      if isQuiet { reading.session.reportCounted() }
      writer.write(reading.session, to: &out.lines)
      reading.session.dropEvents()
      if isQuiet { writer.pause(to: &out.lines) }
      try out.flush()
    }
  }

  /// A warning about the source's clock, if the latest record shows that it is wrong.
  private func clockRemark(_ record: CaptureRecord) -> String? {
    guard !record.flags.contains(.timeUnknown),
      let east = ClockZone.guess(record.time, at: .now, before: 20, behind: 20)
    else { return nil }
    guard let zone = knowledge.timeZone else { return "it \(ClockZone.remark(east))" }
    return "its times are UTC\(ClockZone.text(east)) now: its clock does not show \(zone.name)"
  }

  /// In milliseconds.
  private static let pause: Int32 = 1_000
  static let logPause: Int32 = 100

  private static func summary(_ session: borrowing Session) -> String {
    let count = session.packets.count
    let dropped = session.counts.dropped
    return "\(count) \(count == 1 ? "packet" : "packets"), "
      + (dropped == 0 ? "none lost" : "\(dropped) lost")
  }
}

extension StreamFormat: ExpressibleByArgument {
  /// Each with its description.
  fileprivate static let described = """
    h4 and h5 (UART transports, one direction), monitor (btmon --server), tty (btmon --tty), \
    nrf and sniffle (what those sniffers send)
    """
}
