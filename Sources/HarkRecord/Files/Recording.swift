import HarkCapture
import HarkPlatform

/// The files of a recording, on the writing thread: one after the other, whole records at a time.
final class Recording {
  private let path: String
  private let format: RecordingFormat
  private let rotation: Rotation
  private let sourceDescriptor: Int32
  private let queue: ChunkQueue
  private var file: OutputFile
  private var number = 0
  private var encoder: RecordEncoder
  private var datalink = BtsnoopWriter.Datalink.monitor
  private var controllers = ControllerState()

  private var openedAt: UInt64 = 0
  private var hasRecords = false

  private var isFull = false
  private var nextAttempt: UInt64 = 0
  private var hasComplainedOfRotation = false

  /// Bytes in files that are finished.
  private var finishedBytes: Int64 = 0
  private(set) var files = 1
  /// Records that were handed over and could not be written.
  private(set) var unwritten = 0
  /// Why no more can be written; EPIPE when the reader has closed the pipe.
  private(set) var failure: Int32?

  var bytes: Int64 { finishedBytes + file.end }
  /// Records that the files have no place for, and that in words, with everything else they could not hold.
  var leftOut: Int { encoder.leftOut }
  var losses: [String] { encoder.losses }
  /// The path of the file that is written to now.
  var currentPath: String { file.path }

  /// Opens the first file.
  /// - Parameters:
  ///   - format: What the files are written as.
  ///   - source: The descriptor packets come from; it must not be written to.
  init(
    _ path: String, _ format: RecordingFormat, _ rotation: Rotation, besides source: Int32,
    _ queue: ChunkQueue
  ) throws(RecordError) {
    self.path = path
    self.format = format
    encoder = RecordEncoder(format, datalink)
    self.rotation = rotation
    self.queue = queue
    sourceDescriptor = source
    if rotation.isWanted { number = (Rotation.numbers(path).last ?? 0) + 1 }
    file = try OutputFile(
      rotation.isWanted ? Rotation.path(path, number: number) : path, besides: source)
  }

  /// Writes what the first file begins with.
  /// - Parameter source: What the source says about itself, if it is a capture.
  func begin(
    _ datalink: BtsnoopWriter.Datalink, of source: CaptureInfo? = nil
  ) throws(RecordError) {
    self.datalink = datalink
    guard format.output(for: BtsnoopWriter(datalink).info) != nil else {
      throw RecordError(
        path, "cannot hold over-the-air packets", advice: RecordingFormat.adviceForAir)
    }
    encoder = RecordEncoder(format, datalink, of: source)
    try file.begin(encoder.begin())
    openedAt = monotonicTime
    prune()
  }

  /// Writes the records of a chunk. Waits as long as there is no room.
  /// - Returns: Whether more can be written.
  func write(_ chunk: Chunk) -> Bool {
    guard failure == nil else {
      unwritten += chunk.records
      return false
    }
    let now = rotation.isWanted ? monotonicTime : 0
    // How many of the chunk's records are done with.
    var done = 0
    var at = 0
    while at < chunk.bytes.count {
      let header = BtsnoopWriter.header(chunk.bytes, at: at)
      if hasRecords, isDue(Int(file.end) + encoder.bytes.count + encoder.room(for: header), now) {
        guard put(&done, of: chunk) else { return false }
        rotate(header.stamp, now)
      }
      let leftOut = encoder.leftOut
      encoder.append(chunk.bytes, at: at, header)
      done += encoder.leftOut - leftOut
      hasRecords = true
      let next = at + BtsnoopWriter.headerCount + header.count
      if rotation.isWanted, datalink == .monitor, ControllerState.concerns(header.flags) {
        controllers.note(
          .init(
            flags: header.flags,
            packet: Array(chunk.bytes[(at + BtsnoopWriter.headerCount)..<next])))
      }
      at = next
    }
    return put(&done, of: chunk)
  }

  /// Writes the records of a chunk that are encoded, and counts them as done.
  private func put(_ done: inout Int, of chunk: Chunk) -> Bool {
    var start = 0
    let end = encoder.bytes.count
    while start < end {
      switch file.write(encoder, from: start) {
      case .done: start = end
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
      if start < end, queue.hasBeenAbandoned {
        // A record that was written in part is not written.
        unwritten += chunk.records - done - (encoder.ends.count - encoder.count(after: start))
        encoder.clear()
        return false
      }
    }
    if isFull {
      isFull = false
      queue.setStalled(false)
      say("\(file.path): the disk has room again")
    }
    done += encoder.ends.count
    encoder.clear()
    return true
  }

  private func stall() {
    isFull = true
    queue.setStalled(true)
    say(
      "\(file.path): the disk is full: packets stay in memory, as long as it lasts, until the disk "
        + "has space")
  }

  private func isDue(_ size: Int, _ now: UInt64) -> Bool {
    guard now >= nextAttempt else { return false }
    if let limit = rotation.size, size > limit { return true }
    guard let limit = rotation.time else { return false }
    return (now - openedAt) / 1_000_000_000 >= UInt64(limit)
  }

  /// Goes on in a new file, or in the old one if that cannot be made.
  private func rotate(_ stamp: UInt64, _ now: UInt64) {
    let path = Rotation.path(path, number: number + 1)
    let problem: String
    do {
      var new = try OutputFile(path, besides: sourceDescriptor)
      var next = encoder
      try new.begin(next.begin(with: state(stamp)))
      file.sync()
      finishedBytes += file.end
      file = new
      encoder = next
      number += 1
      files += 1
      openedAt = now
      hasRecords = false
      hasComplainedOfRotation = false
      prune()
      return
    } catch {
      problem = error.problem
    }
    nextAttempt = now + 1_000_000_000
    if !hasComplainedOfRotation { say("\(path): \(problem); continuing in \(file.path)") }
    hasComplainedOfRotation = true
  }

  /// Of the controllers that are there, the records with which a later file begins.
  private func state(_ stamp: UInt64) -> [UInt8] {
    guard datalink == .monitor else { return [] }
    var bytes: [UInt8] = []
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
