import ArgumentParser
import HarkCapture
import HarkCore
import HarkFilter
import HarkPlatform
import HarkPresentation
import HarkSelection
import HarkSession

/// Packets on their way to Wireshark, as pcapng.
struct ExtcapCapture {
  private let source: ExtcapSource
  private let command: ExtcapCommand
  private let filter: Filter?

  init(_ source: ExtcapSource, _ command: ExtcapCommand) throws {
    (self.source, self.command) = (source, command)
    do {
      filter = try command.compiledFilter()
    } catch {
      throw ValidationError("\(error)")
    }
  }

  private var remarks: RecordRemarks {
    RecordRemarks(holdsPlaintexts: command.keys.areGiven)
  }

  private func open(_ signals: Int32) throws -> LiveSource {
    if let device = source.recorded {
      return try LiveSource(recording: device, signals: signals, stops: []) { true }
    }
    guard let path = command.source, !path.isEmpty else {
      Console.complain("name a source in Wireshark's settings of hark-stream: tcp:localhost:8872")
      throw ExitCode.failure
    }
    return try LiveSource(path, format(), signals: signals)
  }

  private func format() throws -> StreamFormat? {
    guard let name = command.format, !name.isEmpty, name != "auto" else { return nil }
    guard let format = StreamFormat(rawValue: name) else {
      throw ValidationError("there is no format '\(name)'")
    }
    return format
  }

  /// Captures until the source ends, Wireshark wants no more, or a signal comes.
  func run() throws {
    guard let fifo = command.fifo else { throw ValidationError("--capture needs --fifo") }
    let keys = try command.keys.ring()
    let signals = try Signals()
    let output = try OutputBytes(fifo, besides: [])
    // Wireshark waits for the beginning, however long the source takes.
    let application = "hark \(Hark.version)"
    CaptureWriter(.pcapng, of: [], application: application).begin(to: &output.bytes)
    try output.flush()
    let source = try open(signals.descriptor)
    // Also when Wireshark has gone.
    defer { _ = try? source.close() }
    let capture = try source.open()
    Confinement.enterAfterOpening(source.network(isServing: false), writing: [fifo])
    capture.zone = command.knowledge.timeZone
    var reading = Reading(capture, keys: keys)
    reading.session.keepsFields = filter != nil
    let found = FirstPass(filter)
    var ahead: ReadAhead?
    if let found { ahead = ReadAhead(found, of: reading) }
    if !command.noComments { remarks.prepare(&reading.session) }
    var passage = Passage(
      filter, found, command.noComments ? nil : remarks,
      CaptureWriter(.pcapng, of: [capture.info], application: application), output)
    var end = try follow(&reading, &ahead, &passage, source)
    while !signals.isPending, let next = source.reopen() {
      reading.goOn(with: next)
      ahead?.goOn(with: next)
      end = try follow(&reading, &ahead, &passage, source)
    }
    // A file that takes the FIFO's place gets its name now.
    try output.finish()
    try source.close()
    if let complaint = found?.complaint { Console.complain(complaint) }
    for sentence in passage.writer.losses.sentences { Console.complain(sentence) }
    throw signals.isPending ? ExitCode.success : reading.status(end)
  }

  private func follow(
    _ reading: inout Reading, _ ahead: inout ReadAhead?, _ passage: inout Passage,
    _ source: LiveSource
  ) throws -> CaptureEnd {
    while true {
      let end: CaptureEnd
      let capture = reading.capture
      if let stopped = try ahead?.take(
        &reading,
        { session, record, bytes, remark in
          passage.take(record, bytes, remark, capture.info, &session)
          try passage.release()
        })
      {
        end = stopped
      } else {
        end = try reading.take { session, record, bytes in
          passage.take(record, bytes, CaptureRemark(record, capture), capture.info, &session)
          if case .timedOut = capture.wait(milliseconds: 0) { return false }
          try passage.release()
          return true
        }
      }
      if end.status != .stopped {
        try finish(end, isLast: !source.mayReopen, &reading, &ahead, &passage)
      }
      // Nothing comes for now: who looks on is not to wait.
      try passage.flush()
      guard end.status == .stopped else { return end }
      guard ahead != nil else {
        _ = capture.wait(milliseconds: -1)
        continue
      }
      try ahead?.pause(&reading) { session, record, bytes, remark in
        passage.take(record, bytes, remark, capture.info, &session)
        try passage.flush()
      }
    }
  }

  /// Takes what still waits, and where nothing follows what is known only at the end.
  private func finish(
    _ end: CaptureEnd, isLast: Bool, _ reading: inout Reading, _ ahead: inout ReadAhead?,
    _ passage: inout Passage
  ) throws {
    let info = reading.capture.info
    guard isLast else {
      try ahead?.release(&reading) { session, record, bytes, remark in
        passage.take(record, bytes, remark, info, &session)
      }
      return
    }
    try ahead?.finish(end, &reading) { session, record, bytes, remark in
      passage.take(record, bytes, remark, info, &session)
    }
    try reading.finish(end) { session in passage.held.comment(session) }
  }
}

/// Packets on their way to Wireshark.
private struct Passage: ~Copyable {
  var held: HeldRecords
  private(set) var writer: CaptureWriter
  private var filter: PacketFilter?
  private var packet = PacketReading()
  private let output: OutputBytes

  init(
    _ filter: Filter?, _ found: FirstPass?, _ remarks: RecordRemarks?, _ writer: CaptureWriter,
    _ output: OutputBytes
  ) {
    held = HeldRecords(
      remarks, keepsNotes: remarks != nil, canHold: writer.canHold)
    self.filter = filter.map { PacketFilter($0, found?.marks) }
    (self.writer, self.output) = (writer, output)
    packet.messages = found?.messages
  }

  /// Takes the record that `session` has indexed last.
  mutating func take(
    _ record: CaptureRecord, _ bytes: RawSpan, _ remark: CaptureRemark, _ info: CaptureInfo,
    _ session: inout Session
  ) {
    let isWanted = filter?.matches(record, bytes, &packet, &session) ?? true
    var origin = RecordOrigin(info, controller: record.controller)
    origin.comments = remark.comments.filter { !$0.hasPrefix(RecordOrigin.mark) }
    held.take(record, bytes, origin, isWanted: isWanted, session)
  }

  /// Writes what is held too long; with `all` everything.
  mutating func release(all: Bool = false) throws {
    let output = output
    try held.release(all: all) { entry in
      guard entry.isWanted else { return writer.skip(entry.record) }
      _ = writer.append(entry.record, entry.bytes.raw, entry.origin, to: &output.bytes)
      try output.written()
    }
  }

  /// Writes everything, now.
  mutating func flush() throws {
    try release(all: true)
    try output.flush()
  }
}
