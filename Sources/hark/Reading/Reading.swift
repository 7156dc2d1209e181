import ArgumentParser
import HarkAppLog
import HarkCapture
import HarkCore
import HarkCrypto
import HarkSession
import HarkWeb

/// One capture on its way through the index pass: what all commands that read one have in common.
struct Reading: ~Copyable {
  private(set) var capture: Capture
  let keys: KeyRing
  var session: Session
  /// By the number of a record's kind: whether its fields are wanted, if that depends on it.
  var kindsWithFields: [Bool]?
  /// Where all that the session is given is kept, if it is wanted again.
  var log: SessionLog?
  /// For a capture that may continue for days without requests for its packets.
  var forgetting: PacketForgetting?
  /// Events between the records.
  private(set) var app: AppSide?
  /// The same of logs that grow while the capture does.
  var liveApp: LiveAppSide?
  /// How the capture shows the device that was asked for; nil if none was, or where that is not known
  /// before the end.
  private(set) var traces: NamedDevice.Traces?
  /// What is wrong with the user's own profiles, if that is wanted.
  private var mistakes: ProfileMistakes?
  private var progress: Progress
  private var damagesReported = 0

  /// Opens the capture.
  /// - Parameters:
  ///   - isStreaming: Whether output is written while records are read.
  ///   - app: What is known about the app's side.
  ///   - device: The device that is asked for.
  ///   - framings: How vendors carry their messages.
  /// - Throws: `ExitCode.failure`, after it reports why on standard error.
  init(
    _ options: CaptureOptions, keys: KeyRing, isStreaming: Bool = false,
    app: AppOptions? = nil, device: NamedDevice? = nil,
    framings: VendorFramings = Dissectors.framings
  ) throws {
    let traces = try device?.traces(
      in: [options], keys, framings)
    let side = try app?.side(of: options, keys)
    let capture = try Self.open(options)
    self.init(capture, keys: keys, app: side, framings: framings, isStreaming: isStreaming)
    self.traces = traces
  }

  /// - Throws: `ExitCode.failure`, after it reports why on standard error.
  static func open(_ options: CaptureOptions) throws -> Capture {
    do {
      return try options.open()
    } catch {
      Console.complain("\(error)")
      throw ExitCode.failure
    }
  }

  /// Reads a capture that is open.
  init(
    _ capture: Capture, keys: KeyRing, app: AppSide? = nil,
    framings: VendorFramings = Dissectors.framings, library: GATTLibrary = GATTFiles.library,
    isStreaming: Bool = true
  ) {
    (self.capture, self.keys) = (capture, keys)
    session = Session(keys: keys, framings: framings, library: library)
    session.onKeySearch = Progress.keySearch
    self.app = app
    app?.introduce(to: &session)
    progress = Progress(isStreaming: isStreaming)
  }

  /// Adds messages that went past the radio, before anything is read.
  mutating func add(_ messages: [InternetPayloads.Message]) {
    guard !messages.isEmpty else { return }
    if app == nil { app = AppSide([], nil, offset: nil, landmarks: nil) }
    app?.add(messages)
  }

  /// Reports likely mistakes of the user's own profiles at the end of the capture. Call it before anything is read.
  mutating func findProfileMistakes() {
    mistakes = ProfileMistakes()
    mistakes?.prepare(&session)
  }

  /// Continues with a session that has taken all that this one has, with more keys.
  mutating func goOn(with session: consuming Session) {
    self.session = session
    self.session.onKeySearch = Progress.keySearch
    mistakes?.prepare(&self.session)
  }

  /// Continues with a new capture after the source has reconnected.
  mutating func goOn(with capture: Capture) {
    capture.zone = self.capture.zone
    self.capture = capture
    damagesReported = 0
  }

  /// Reports something that is wrong with the source, and not with what it sent.
  mutating func damage(_ text: String, at time: Timestamp) {
    session.damage(text, at: time)
    log?.damage(text, at: time)
  }

  /// Whether records come as somebody makes them, so that lines are wanted at once.
  var isLive: Bool { capture.info.size == nil }

  /// Reads all records; calls `after` with the session after each, and once after the last, when
  /// everything still open was reported. Then `record` is nil.
  /// - Returns: How the capture ended.
  mutating func run(
    _ after: (inout Session, CaptureRecord?) throws -> Void
  ) throws -> CaptureEnd {
    try packets { session, record, _ in try after(&session, record) }
  }

  /// As `run`, with the bytes of the record, which are valid during the call only.
  mutating func packets(
    _ after: (inout Session, CaptureRecord?, RawSpan) throws -> Void
  ) throws -> CaptureEnd {
    let capture = capture
    let end = try capture.forEachRecord { record, bytes in
      try take(record, bytes, of: capture) { session in
        try after(&session, record, bytes)
        return true
      }
    }
    progress.finish()
    try finish(end) { session in try after(&session, nil, RawSpan()) }
    return end
  }

  /// As the other, where the capture can be read only once and is to be read twice.
  mutating func packets(
    _ ahead: inout ReadAhead?, _ after: (inout Session, CaptureRecord?, RawSpan) throws -> Void
  ) throws -> CaptureEnd {
    if let end = try ahead?.packets(&self, after) { return end }
    return try packets(after)
  }

  /// Reads records until `after` returns false, or to the end. A second call continues there.
  mutating func take(
    _ after: (inout Session, CaptureRecord, RawSpan) throws -> Bool
  ) throws -> CaptureEnd {
    let capture = capture
    return try capture.forEachRecord { record, bytes in
      try take(record, bytes, of: capture) { session in try after(&session, record, bytes) }
    }
  }

  /// Takes one record, and returns what `after` returns: put into both loops, so that no closure calls another.
  @inline(__always)
  private mutating func take(
    _ record: CaptureRecord, _ bytes: RawSpan, of capture: Capture,
    _ after: (inout Session) throws -> Bool
  ) throws -> Bool {
    if record.flags.isEmpty {
      give(record, bytes, nil)
    } else {
      give(record, bytes, CaptureRemark(record, capture))
    }
    liveApp?.note(session, record.time)
    mistakes?.take(session)
    let goesOn = try after(&session)
    forgetting?.take(&session)
    session.dropEvents()
    progress.report(capture, every: Int(record.number))
    return goesOn
  }

  /// Gives the session a record, and what the capture says about it.
  mutating func give(_ record: CaptureRecord, _ bytes: RawSpan, _ remark: CaptureRemark?) {
    if let damage = remark?.damage {
      session.damage(damage, at: record.time)
      log?.damage(damage, at: record.time)
      damagesReported += 1
    }
    if let kindsWithFields {
      session.keepsFields = kindsWithFields[Int(record.kind.rawValue)]
    }
    app?.report(before: record.time, &session)
    liveApp?.report(before: record.time, &session)
    session.index(record, bytes)
    log?.record(record, bytes)
    if let remark {
      for comment in remark.comments {
        session.comment(comment)
        log?.comment(comment)
      }
    }
    if record.number == 1, let zone = capture.zone {
      let remark = "it records \(zone.name); hark shows UTC"
      session.comment(remark, of: Self.clock)
      log?.comment(remark, of: Self.clock)
    }
  }

  /// Reports what was still open when the capture ended.
  mutating func finish(_ end: CaptureEnd, _ after: (inout Session) throws -> Void) throws {
    session.finish()
    log?.finish()
    app?.report(before: nil, &session)
    liveApp?.report(before: nil, &session)
    if let east = capture.info.suspectedZone(session.counts.latestTime) {
      session.comment("it \(ClockZone.remark(east))", of: Self.clock)
      log?.comment("it \(ClockZone.remark(east))", of: Self.clock)
    }
    for damage in end.damages.suffix(max(0, end.damages.count - damagesReported)) {
      session.damage(Self.text(damage), at: nil)
      log?.damage(Self.text(damage), at: nil)
    }
    mistakes?.take(session)
    for mistake in mistakes?.end(session) ?? [] {
      session.take(mistake)
      log?.update(mistake)
    }
    log?.close()
    try after(&session)
    session.dropEvents()
  }

  /// The session as it is now.
  consuming func end() -> Session { session }

  /// Who says what there is to say about the capture's clock.
  static let clock = "clock"

  /// Damage as the timeline reports it.
  fileprivate static func text(_ damage: CaptureDamage) -> String {
    "\(damage.isTruncation ? "truncated" : "damaged"): \(damage)"
  }

  /// Reports on standard error what is wrong with the capture and what the command line says about other ones, and
  /// gives the exit code for it.
  borrowing func status(_ end: CaptureEnd) -> ExitCode {
    if end.status != .stopped { UnusedKnowledge.complain(session, capture.name) }
    return Self.status(end, of: capture)
  }

  /// As the other, and whether the device is there that was asked for.
  borrowing func status(_ end: CaptureEnd, _ device: NamedDevice?) -> ExitCode {
    let status = status(end)
    guard let complaint = device?.complaint(session) else { return status }
    Console.complain("\(capture.name): \(complaint)")
    return .failure
  }

  static func status(_ end: CaptureEnd, of capture: Capture) -> ExitCode {
    guard let problem = end.problem else { return .success }
    Console.complain("\(capture.name): \(problem)")
    return ExitCode(2)
  }
}

/// What a capture says about a record, beside its bytes.
struct CaptureRemark {
  private(set) var damage: String?
  private(set) var comments: [String] = []

  /// - Parameter record: The one that `capture` has handed out last.
  init(_ record: CaptureRecord, _ capture: Capture) {
    if !record.flags.isDisjoint(with: [.damaged, .afterDamage]) {
      damage = capture.damage.map(Reading.text)
    }
    if record.flags.contains(.commented) { comments = capture.comments }
  }
}
