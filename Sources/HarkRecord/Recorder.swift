import HarkCapture
import HarkPlatform
import HarkSystem

/// One recording: a source that is read on one thread, and files that are written on another.
public final class Recorder: @unchecked Sendable {
  // Each of these is touched by one thread at a time: the reading, the writing, and the main thread
  // before they begin and after they have ended. The queue and the stop are for all.
  private let options: RecordOptions
  private let source: any RecordSource
  private let recording: Recording
  private let queue: ChunkQueue
  private let stop = Flag()
  /// Whether the writing thread has ended, which it does last.
  private let isFinished = Flag()
  private var intake: Intake?
  private var sourceFailure: RecordError?

  /// How long what a source still has is read at the end, in nanoseconds.
  static let drain: UInt64 = 1_000_000_000
  /// How long a reader of a pipe may take for what is left at the end.
  private static let grace: UInt64 = 3_000_000_000

  /// That of hark.
  static let version = "1.0.0"

  /// Does what the arguments ask for, without the program's name.
  /// - Returns: The exit code.
  public static func main(_ arguments: [String]) -> Int32 {
    Signals.unblock()
    if let refusal = Privileges.refusal {
      say("\(refusal)")
      return 1
    }
    do {
      switch try RecordOptions.parse(arguments) {
      case .help:
        put(help)
        return 0
      case .version:
        put("hark \(version)\n")
        return 0
      case .list:
        put(DeviceList.text(DeviceList.all(buffer: RecordOptions().buffer)))
        return 0
      case .table:
        put(DeviceList.table(DeviceList.all(buffer: RecordOptions().buffer)))
        return 0
      case .record(let options):
        do {
          return try Recorder(options).run()
        } catch {
          say("\(error)")
          return 1
        }
      }
    } catch {
      say(error.text)
      say("see 'hark record --help'")
      return 64
    }
  }

  private static func put(_ text: String) {
    let bytes = Array(text.utf8)
    _ = unsafe bytes.withUnsafeBytes { unsafe write(1, $0.baseAddress, $0.count) }
  }

  /// Opens the source with all privileges there are, gives them up, and opens the file.
  init(_ options: RecordOptions) throws(RecordError) {
    self.options = options
    queue = ChunkQueue(capacity: options.buffer)
    source = try Self.source(options)
    let remark = try Privileges.drop()
    if let remark, !options.isRelay { say(remark) }
    recording = try Recording(
      options.path, options.format, options.rotation, besides: source.descriptor, queue)
    Self.confine(to: options.path)
  }

  /// Gives up what is not needed to write files beside `path`, before anything is read that others made.
  private static func confine(to path: String) {
    // Which devices of the USB are controllers.
    Sandbox.refuseReading(but: ["/sys/bus/usb", "/sys/devices"], lists: [path])
    Sandbox.refuseWriting(but: [path])
    Sandbox.refuseCalls()
  }

  private static func source(_ options: RecordOptions) throws(RecordError) -> any RecordSource {
    let name = options.source
    if name == "monitor" { return try MonitorSocket(buffer: options.buffer) }
    if name == "-" || name.contains("/") || Connection.isMeant(name) || exists(name) {
      return try StreamSource(name)
    }
    return try PcapDevice(name, buffer: options.buffer)
  }

  private static func exists(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0
  }

  /// Records until the source ends or a signal comes.
  /// - Returns: The exit code.
  func run() throws(RecordError) -> Int32 {
    let waitPolicy = ReadWaitPolicy { [self] in
      intake?.flush()
      return !stop.isSet
    }
    let datalink = try source.begin(waitPolicy)
    try recording.begin(datalink, of: source.capture)
    intake = Intake(datalink, queue, stop)
    if let warning = source.warning { say(warning) }
    if !options.isRelay {
      say("recording \(options.sourceName ?? source.name) to \(recording.currentPath)")
    }
    let start = monotonicTime
    let signals = Signals()
    let reader = try thread { [self] in readAll() }
    let writer = try thread { [self] in writeAll() }
    _ = signals.wait()
    end(signals, [reader, writer])
    reader.join()
    writer.join()
    return report(seconds: Double(monotonicTime - start) / 1e9)
  }

  private func thread(_ body: @escaping @Sendable () -> Void) throws(RecordError) -> PlatformThread
  {
    guard let thread = PlatformThread(body) else {
      throw RecordError("recording", errno: EAGAIN, "cannot start a thread")
    }
    return thread
  }

  /// On the reading thread.
  private func readAll() {
    guard let intake else { return }
    do { try source.read(intake) } catch { sourceFailure = error }
    intake.flush()
    queue.close()
  }

  /// On the writing thread.
  private func writeAll() {
    while let chunk = queue.pop() {
      let isWritten = recording.write(chunk)
      queue.done(chunk)
      if !isWritten, !stop.isSet {
        stop.set()
        kill(getpid(), Signals.wakeup)
      }
    }
    recording.finish()
    isFinished.set()
    kill(getpid(), Signals.wakeup)
  }

  /// Ends both threads. They wait in system calls, perhaps for ever: for a packet, for a reader.
  private func end(_ signals: Signals, _ threads: [PlatformThread]) {
    guard !isFinished.isSet else { return }
    stop.set()
    var deadline = monotonicTime + Self.grace
    while !isFinished.isSet {
      for thread in threads { thread.signal(Signals.interruption) }
      if let signal = signals.wait(milliseconds: 20), signal != Signals.wakeup { deadline = 0 }
      if monotonicTime > deadline { queue.abandon() }
    }
  }

  /// Reports how it went.
  private func report(seconds: Double) -> Int32 {
    guard let counts = intake?.counts else { return 1 }
    let written = counts.records - recording.unwritten - recording.leftOut
    let lostHere = counts.lostHere + recording.unwritten
    let omitted = "\(counts.leftOut) records of another kind omitted"
    var text = "\(written) packets, \(recording.bytes) bytes"
    if recording.files > 1 { text += " in \(recording.files) files" }
    text += ", \(Int(seconds * 10) / 10).\(Int(seconds * 10) % 10) s; "
    text += "\(counts.lostBySource + lostHere) lost"
    if counts.lostBySource > 0 { text += ", \(counts.lostBySource) before they could be read" }
    if lostHere > 0 { text += ", \(lostHere) because they could not be written" }
    if counts.leftOut > 0 { text += "; \(omitted)" }
    if !options.isRelay {
      say(text)
    } else if counts.leftOut > 0 {
      say(omitted)
    }
    for loss in recording.losses { say("\(recording.currentPath): \(loss)") }
    let complaint = (source as? StreamSource)?.complaint
    if let complaint { say(complaint) }
    if let sourceFailure { say("\(sourceFailure)") }
    // The reader has closed the pipe: that is how `hark record -w - | head` ends.
    if let failure = recording.failure, failure != EPIPE { return 1 }
    return sourceFailure != nil ? 1 : complaint != nil ? 2 : 0
  }
}
