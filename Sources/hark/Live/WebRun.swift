import ArgumentParser
import HarkAppLog
import HarkCapture
import HarkCore
import HarkCrypto
import HarkFilter
import HarkPlatform
import HarkSession
import HarkWeb

/// Reads a capture for a page, and serves the page until a signal comes.
struct WebRun: ~Copyable {
  private var reading: Reading
  private let page: CapturePage
  private let server: WebServer
  private var browser: Browser?
  /// The file that also receives the packets.
  var recording: LiveRecording?
  /// Keys that arrive during the capture.
  var arriving: ArrivingKeys?

  /// Serves the page, and prints its address.
  /// - Parameters:
  ///   - filter: What the page shows first.
  ///   - app: What is known about the app's side.
  ///   - liveApp: The same for logs that grow during the capture.
  /// - Throws: `ExitCode.failure`, after it reports why on standard error.
  init(
    _ capture: Capture, _ keys: KeyRing, _ options: WebOptions, filter: Filter?,
    app: AppSide? = nil, liveApp: LiveAppSide? = nil
  ) throws {
    var knowledge = Knowledge(keys: keys, framings: Dissectors.framings, app: app)
    knowledge.messagePaths = Dissectors.messagePaths
    knowledge.forgets = capture.info.size == nil
    // Users can paste keys on the page.
    KeyOptions.holdKeys()
    (page, server) = try Self.serve(capture.name, filter, knowledge, options)
    reading = Reading(capture, keys: keys, app: app)
    reading.session.keepsValues = true
    reading.session.opensLater = knowledge.forgets
    reading.findProfileMistakes()
    reading.log = page.log
    if var liveApp {
      let log = page.log
      liveApp.onUpdate = { log.update($0) }
      liveApp.introduce(to: &reading.session)
      reading.liveApp = liveApp
    }
    if reading.isLive { reading.forgetting = PacketForgetting() }
    page.enter(reading.isLive ? .live : .reading(0))
    // write(2) reports a disconnected browser instead.
    signal(SIGPIPE, SIG_IGN)
    Console.show("\(server.address)\n")
    Console.complain(
      "the page for \(capture.name) is at this address, on this machine only; Ctrl-C stops the server"
    )
    if options.open {
      browser = Browser(server.address)
      // hark reconnects to a lost live source.
      Confinement.enterAfterOpening(capture.info.size == nil ? .connecting : .serving)
    }
  }

  private static func serve(
    _ name: String, _ filter: Filter?, _ knowledge: Knowledge, _ options: WebOptions
  ) throws -> (CapturePage, WebServer) {
    do throws(WebError) {
      let page = try CapturePage(name: name, filter: filter?.text, knowledge)
      return (page, try WebServer(page, port: options.port ?? 0))
    } catch {
      Console.complain("\(error)")
      throw ExitCode.failure
    }
  }

  /// Continues with a new capture after the source has reconnected.
  mutating func goOn(with capture: Capture) {
    reading.damage("the source is connected again", at: .now)
    reading.goOn(with: capture)
    page.take(reading.session)
    reading.session.dropEvents()
  }

  /// Takes events as they arrive, until the capture or a signal ends it.
  mutating func follow(_ signals: borrowing Signals) throws -> CaptureEnd {
    let page = page
    let recording = recording
    let capture = reading.capture
    var log = arriving?.log
    defer { arriving?.log = log }
    capture.stopsInsideRecords = true
    while true {
      takeKeys()
      // Apps write keys before they send the data that these decrypt.
      Self.give(log?.take(isIdle: true), to: &reading.session, page)
      let end = try reading.take { session, record, bytes in
        recording?.append(record, bytes)
        if !session.events.isEmpty { page.take(session) }
        if record.number & 0xFFF == 0 {
          if let size = capture.info.size, size > 0 {
            page.enter(.reading(Double(capture.position) / Double(size)))
          }
          if signals.isPending || page.hasPasted { return false }
        }
        if case .timedOut = capture.wait(milliseconds: 0) { return false }
        Self.give(log?.take(isIdle: false), to: &session, page)
        return true
      }
      page.take(capture.info)
      // Packets without events are counted.
      page.take(reading.session)
      reading.session.dropEvents()
      guard end.status == .stopped, !signals.isPending else { return end }
      idle(&log)
    }
  }

  /// Waits for the next packet, and takes log entries meanwhile.
  private mutating func idle(_ log: inout KeyLog?) {
    while case .timedOut = reading.capture.wait(milliseconds: LiveCommand.logPause) {
      takeKeys()
      Self.give(log?.take(isIdle: true), to: &reading.session, page)
      reading.liveApp?.pause(&reading.session)
      for problem in reading.liveApp?.takeProblems() ?? [] { Console.complain(problem) }
      guard !reading.session.events.isEmpty else { continue }
      page.take(reading.session)
      reading.session.dropEvents()
    }
  }

  /// Shows everything so far, decrypted with keys pasted on the page or new in key files.
  private mutating func takeKeys() {
    let keys = page.takePasted() + (arriving?.watch.take() ?? [])
    guard !keys.isEmpty else { return }
    guard let session = page.reopen(with: keys) else {
      // Later packets are decrypted in any case.
      return Self.give(keys, to: &reading.session, page)
    }
    reading.goOn(with: session)
  }

  /// Decrypts later packets with more keys, on the page, too.
  private static func give(
    _ keys: [StoredKey]?, to session: inout Session, _ page: CapturePage
  ) {
    guard let keys, !keys.isEmpty else { return }
    session.take(.keys(keys))
    page.log.update(.keys(keys))
  }

  /// Takes what was still open, and continues to serve.
  mutating func finish(_ end: CaptureEnd, _ signals: borrowing Signals) throws {
    let page = page
    try reading.finish(end) { session in
      page.take(session)
      page.finish(session)
    }
    let code = reading.status(end)
    page.take(reading.capture.info)
    page.enter(.ended, problem: end.damages.first.map { "\($0)" })
    while !signals.wait(milliseconds: LiveCommand.logPause) { takeKeys() }
    throw code
  }
}
