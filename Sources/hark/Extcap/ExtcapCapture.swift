import ArgumentParser
import Glibc
import HarkCapture
import HarkCore
import HarkFilter
import HarkReport
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
    RecordRemarks(holdsPlaintexts: !command.knowledge.keys.isEmpty)
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
      throw ValidationError("There is no format '\(name)'.")
    }
    return format
  }

  /// Captures until the source ends, Wireshark wants no more, or a signal comes.
  func run() throws {
    guard let fifo = command.fifo else { throw ValidationError("--capture needs --fifo.") }
    let keys = try command.knowledge.keyRing()
    let signals = try Signals()
    let output = try OutputBytes(writingTo: fifo)
    // Wireshark waits for the beginning, however long the source takes.
    let application = "hark \(Hark.version)"
    CaptureWriter(.pcapng, of: [], application: application).begin(to: &output.bytes)
    try output.flush()
    let source = try open(signals.descriptor)
    // Also when Wireshark has gone.
    defer { _ = try? source.close() }
    let capture = try source.open()
    capture.zone = command.knowledge.timeZone
    var reading = Reading(capture, keys: keys)
    reading.session.keepsFields = filter != nil
    FirstPass(filter)?.prepare(&reading.session)
    if !command.noComments { remarks.prepare(&reading.session) }
    var writer = CaptureWriter(.pcapng, of: [capture.info], application: application)
    var filter = filter.map { PacketFilter($0) }
    var end = try follow(&reading, &writer, &filter, output)
    while !signals.isPending, let next = source.reopen() {
      reading.goOn(with: next)
      end = try follow(&reading, &writer, &filter, output)
    }
    try source.close()
    for sentence in writer.losses.sentences { Console.complain(sentence) }
    throw signals.isPending ? ExitCode.success : reading.status(end)
  }

  private func follow(
    _ reading: inout Reading, _ writer: inout CaptureWriter, _ filter: inout PacketFilter?,
    _ output: OutputBytes
  ) throws -> CaptureEnd {
    let capture = reading.capture
    let remarks = remarks
    var packet = PacketReading()
    var held = HeldRecords()
    while true {
      let end = try reading.take { session, record, bytes in
        let isWanted = filter?.matches(record, bytes, &packet, &session) ?? true
        var origin = RecordOrigin(capture.info, controller: record.controller)
        if record.flags.contains(.commented) {
          origin.comments = capture.comments.filter { !$0.hasPrefix(RecordOrigin.mark) }
        }
        let number = UInt32(truncatingIfNeeded: session.packets.count)
        held.append(
          HeldRecords.Entry(
            number: number, record: record, bytes: isWanted ? bytes.array : [], origin: origin,
            isWanted: isWanted))
        if !command.noComments {
          remarks.comments(session) { held.comment($1, on: $0.number) }
        }
        if case .timedOut = capture.wait(milliseconds: 0) { return false }
        try held.release { try write($0, &writer, output) }
        return true
      }
      // Nothing comes for now: who looks on is not to wait.
      try held.release(all: true) { try write($0, &writer, output) }
      try output.flush()
      guard end.status == .stopped else { return end }
      _ = capture.wait(milliseconds: -1)
    }
  }

  private func write(
    _ entry: HeldRecords.Entry, _ writer: inout CaptureWriter, _ output: OutputBytes
  ) throws {
    guard entry.isWanted else { return writer.skip(entry.record) }
    _ = writer.append(entry.record, entry.bytes.raw, entry.origin, to: &output.bytes)
    try output.written()
  }
}
