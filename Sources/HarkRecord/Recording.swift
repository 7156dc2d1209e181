import Glibc
import HarkCapture

/// The files of a recording, on the writing thread: one after the other, whole records at a time.
final class Recording {
  private let path: String
  private let rotation: Rotation
  private let sourceDescriptor: Int32
  private let queue: ChunkQueue
  private var file: OutputFile
  private var number = 0
  private var header: [UInt8] = []
  private var datalink = BtsnoopWriter.Datalink.monitor
  private var controllers = ControllerState()

  private var openedAt: UInt64 = 0
  private var hasRecords = false
  /// The cumulative drops of the last record, and of the last record of the file before.
  private var lastDrops: UInt32 = 0
  private var baseDrops: UInt32 = 0

  private var isFull = false
  private var nextAttempt: UInt64 = 0
  private var hasComplainedOfRotation = false

  /// Bytes in files that are finished.
  private var finishedBytes: Int64 = 0
  private(set) var files = 1
  /// Records that were handed over and could not be written.
  private(set) var unwritten = 0
  /// Why no more can be written; EPIPE when nobody reads on.
  private(set) var failure: Int32?

  var bytes: Int64 { finishedBytes + file.end }
  /// The path of the file that is written to now.
  var currentPath: String { file.path }

  /// Opens the first file.
  /// - Parameters:
  ///   - source: The descriptor packets come from; it must not be written to.
  init(
    _ path: String, _ rotation: Rotation, besides source: Int32, _ queue: ChunkQueue
  ) throws(RecordError) {
    self.path = path
    self.rotation = rotation
    self.queue = queue
    sourceDescriptor = source
    if rotation.isWanted { number = (Rotation.numbers(path).last ?? 0) + 1 }
    file = try OutputFile(
      rotation.isWanted ? Rotation.path(path, number: number) : path, besides: source)
  }

  /// Writes what the first file begins with.
  func begin(_ datalink: BtsnoopWriter.Datalink) throws(RecordError) {
    self.datalink = datalink
    header = BtsnoopWriter(datalink).fileHeader
    let code = file.begin(header)
    guard code == 0 else { throw RecordError(file.path, errno: code, "cannot write") }
    openedAt = monotonicTime
    prune()
  }

  /// Removes a file in which nothing is.
  func discard() { file.discard() }

  /// Writes the records of a chunk. Waits as long as there is no room.
  /// - Returns: Whether more can be written.
  func write(_ chunk: inout Chunk) -> Bool {
    guard failure == nil else {
      unwritten += chunk.records
      return false
    }
    guard rotation.isWanted else { return put(&chunk, 0..<chunk.bytes.count) }
    let now = monotonicTime
    var (start, at) = (0, 0)
    while at < chunk.bytes.count {
      let header = BtsnoopWriter.header(chunk.bytes, at: at)
      let next = at + BtsnoopWriter.headerCount + header.count
      if hasRecords, isDue(Int(file.end) + next - start, now) {
        guard put(&chunk, start..<at) else { return false }
        start = at
        rotate(header.stamp, now)
      }
      if baseDrops != 0 {
        BtsnoopWriter.setDrops(header.drops &- baseDrops, &chunk.bytes, at: at)
      }
      lastDrops = header.drops
      hasRecords = true
      if datalink == .monitor, ControllerState.concerns(header.flags) {
        controllers.note(
          .init(
            flags: header.flags,
            packet: Array(chunk.bytes[(at + BtsnoopWriter.headerCount)..<next])))
      }
      at = next
    }
    return put(&chunk, start..<at)
  }

  /// Writes some of a chunk's records.
  private func put(_ chunk: inout Chunk, _ range: Range<Int>) -> Bool {
    var start = range.lowerBound
    while start < range.upperBound {
      switch file.write(chunk.bytes, start..<range.upperBound) {
      case .done: start = range.upperBound
      case .interrupted(let count): start += count
      case .full(let count):
        start += count
        if !isFull { stall() }
        usleep(100_000)
      case .failed(let code):
        failure = code
        if code != EPIPE { say("\(file.path): cannot write: \(systemMessage(code))") }
        queue.abandon()
      }
      if start < range.upperBound, queue.hasBeenAbandoned {
        unwritten += records(chunk, from: start)
        return false
      }
    }
    if isFull {
      isFull = false
      queue.setStalled(false)
      say("\(file.path): there is room again")
    }
    return true
  }

  private func stall() {
    isFull = true
    queue.setStalled(true)
    say(
      "\(file.path): no room on the disk; what comes is kept in memory as far as it goes, until "
        + "there is")
  }

  /// How many records of a chunk begin at `start` or later.
  private func records(_ chunk: Chunk, from start: Int) -> Int {
    var (at, count) = (0, 0)
    while at < chunk.bytes.count {
      // A record that was written in part is not written.
      let next = BtsnoopWriter.next(chunk.bytes, after: at)
      if next > start { count += 1 }
      at = next
    }
    return count
  }

  private func isDue(_ size: Int, _ now: UInt64) -> Bool {
    guard now >= nextAttempt else { return false }
    if let limit = rotation.size, size > limit { return true }
    guard let limit = rotation.time else { return false }
    return now - openedAt >= UInt64(limit) * 1_000_000_000
  }

  /// Goes on in a new file, or in the old one if that cannot be made.
  private func rotate(_ stamp: UInt64, _ now: UInt64) {
    let path = Rotation.path(path, number: number + 1)
    let code: String
    do {
      var new = try OutputFile(path, besides: sourceDescriptor)
      let failure = new.begin(beginning(stamp))
      if failure == 0 {
        file.sync()
        finishedBytes += file.end
        file = new
        number += 1
        files += 1
        openedAt = now
        hasRecords = false
        baseDrops = lastDrops
        hasComplainedOfRotation = false
        prune()
        return
      }
      new.discard()
      code = systemMessage(failure)
    } catch {
      code = error.problem
    }
    nextAttempt = now + 1_000_000_000
    if !hasComplainedOfRotation { say("\(path): \(code); going on in \(file.path)") }
    hasComplainedOfRotation = true
  }

  /// What a later file begins with: its header, and the controllers that are there.
  private func beginning(_ stamp: UInt64) -> [UInt8] {
    var bytes = header
    guard datalink == .monitor else { return bytes }
    let writer = BtsnoopWriter(.monitor)
    for entry in controllers.entries {
      writer.appendMonitorRecord(
        opcode: entry.opcode, index: entry.index, entry.packet, stamp: stamp, to: &bytes)
    }
    return bytes
  }

  /// Removes the oldest files beyond the number to be kept.
  private func prune() {
    guard rotation.isWanted, let count = rotation.count else { return }
    for number in Rotation.numbers(path).dropLast(count) {
      unsafe unlink(Rotation.path(path, number: number))
    }
  }

  /// Makes sure that all is on the disk.
  func finish() { file.sync() }
}
