import HarkCapture
import HarkCore

/// Where a source puts its records, on the reading thread.
final class Intake {
  private let queue: ChunkQueue
  private let stop: Flag
  private var writer: BtsnoopWriter
  private var chunk = Chunk()
  private(set) var counts = Counts()

  /// What happened to the records of a source.
  struct Counts: Equatable {
    /// Records that were handed on to be written.
    var records = 0
    /// How many the source says it lost, or was sent without.
    var lostBySource = 0
    /// How many were refused because nothing could be written for too long.
    var lostHere = 0
    /// How many the file has no place for: notes of PacketLogger, for example.
    var leftOut = 0
  }

  init(_ datalink: BtsnoopWriter.Datalink, _ queue: ChunkQueue, _ stop: Flag) {
    self.queue = queue
    self.stop = stop
    writer = BtsnoopWriter(datalink, isUnderway: true)
  }

  /// Whether the recording is to end.
  var isStopped: Bool { stop.isSet }

  /// A record as a reader of captures describes it.
  func append(_ record: CaptureRecord, _ packet: RawSpan) {
    counts.lostBySource += Int(record.dropped)
    if writer.append(record, packet, to: &chunk.bytes) { appended() } else { counts.leftOut += 1 }
  }

  /// A record of the Linux monitor. `dropped` were lost before it.
  func append(_ entry: HoldWindow.Entry, _ packet: UnsafeRawBufferPointer) {
    lose(entry.dropped)
    writer.appendMonitorHeader(
      opcode: entry.opcode, index: entry.index, count: packet.count, time: entry.time,
      to: &chunk.bytes)
    unsafe chunk.bytes.append(contentsOf: packet)
    appended()
  }

  /// The source has lost this many packets since the last record.
  func lose(_ count: Int) {
    counts.lostBySource += count
    writer.drops &+= UInt32(truncatingIfNeeded: count)
  }

  private func appended() {
    chunk.records += 1
    if chunk.bytes.count >= Chunk.size { flush() }
  }

  /// Hands on what there is: when the source has nothing more for now.
  func flush() {
    guard chunk.records > 0 else { return }
    let records = chunk.records
    if queue.push(&chunk) {
      counts.records += records
    } else {
      counts.lostHere += records
      writer.drops &+= UInt32(truncatingIfNeeded: records)
      chunk.clear()
    }
  }
}
