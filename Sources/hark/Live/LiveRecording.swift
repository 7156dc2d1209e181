import ArgumentParser
import HarkCapture
import HarkCore
import HarkPlatform
import HarkSystem

/// The file that also receives a live timeline's packets.
struct RecordingOptions: ParsableArguments {
  @Option(
    name: [.customShort("w"), .long],
    help: ArgumentHelp(
      "Write packets to this file. The extension selects the format: .btsnoop, .pcap, .pcapng, "
        + ".pklg.",
      valueName: "file"),
    completion: .file())
  var write: String?

  @Option(help: ArgumentHelp("Start a new file at this size: 100M.", valueName: "size"))
  var rotateSize: String?

  @Option(help: ArgumentHelp("Start a new file after this time: 1h.", valueName: "time"))
  var rotateTime: String?

  @Option(help: ArgumentHelp("Keep only this many of the latest files.", valueName: "number"))
  var rotateCount: String?

  func validate() throws {
    if let write { try Self.check(write) }
    if write == nil, rotateSize != nil || rotateTime != nil || rotateCount != nil {
      throw ValidationError("--rotate-size, --rotate-time and --rotate-count need -w")
    }
    if rotateCount != nil, rotateSize == nil, rotateTime == nil {
      throw ValidationError("--rotate-count needs --rotate-size or --rotate-time")
    }
    try Self.check(.rotateSize, rotateSize)
    try Self.check(.rotateTime, rotateTime)
    try Self.check(.rotateCount, rotateCount)
  }

  /// Reports an extension that no capture format has.
  private static func check(_ path: String) throws {
    do {
      _ = try RecordingFormat(ofFile: path)
    } catch {
      throw ValidationError(error.text)
    }
  }

  /// Reports a value that the recorder would not accept, before anything is opened.
  static func check(_ amount: RecordingAmount, _ value: String?) throws {
    guard let value else { return }
    do {
      _ = try amount.value(of: value)
    } catch {
      throw ValidationError(error.text)
    }
  }

  /// The arguments for hark-record; nil if nothing is to be written.
  fileprivate var arguments: [String]? {
    guard let write else { return nil }
    let rotation = [
      ("--rotate-size", rotateSize), ("--rotate-time", rotateTime), ("--rotate-count", rotateCount),
    ]
    return ["-w", write] + rotation.flatMap { name, value in value.map { [name, $0] } ?? [] }
  }
}

/// The capture written during a live timeline. hark-record writes it, as it writes all captures: with
/// memory for times when the disk is full, and completely even if this program is killed.
final class LiveRecording {
  /// The pipe to it, which fails once it has ended.
  let descriptor: Int32
  /// Its end of the pipe, until it is started.
  private let output: Int32
  private let path: String
  private let arguments: [String]
  /// Started with the first file: if the source cannot be opened, no file is created or emptied.
  private var program: RecorderProgram?
  private var writer: Writer?
  private var bytes: [UInt8] = []
  private var leftOut = 0

  /// The format sent to hark-record: btsnoop, or another one for what btsnoop cannot store: PacketLogger for its own
  /// records, pcapng for over-the-air packets, several controllers outside of the monitor, unknown directions.
  private enum Writer {
    case btsnoop(BtsnoopWriter)
    case other(CaptureWriter, CaptureInfo)
  }

  /// - Parameter source: The source, which must not be overwritten.
  /// - Returns: nil if nothing is to be written.
  /// - Throws: `ExitCode.failure`, after it reports why on standard error.
  init?(_ options: RecordingOptions, besides source: String) throws {
    guard let path = options.write, let arguments = options.arguments else { return nil }
    if Output.isSame(path, source) {
      Console.complain("\(path): this is the source itself; choose another output file")
      throw ExitCode.failure
    }
    guard path == "-" || !NamedFiles.haveTwice(path) else {
      Console.complain("\(path): this file is also an input; choose another output file")
      throw ExitCode.failure
    }
    if path != "-" { try Self.expectWritable(path) }
    self.path = path
    self.arguments = arguments + ["--source-name", Endpoint(source).name]
    // The reader of the pipe or of the output may end first: the file is completed then, too.
    signal(SIGPIPE, SIG_IGN)
    let pipe = try PipeEnds(to: "start \(RecorderProgram.name)")
    (descriptor, output) = (pipe.input, pipe.output)
  }

  /// Prints the known facts before the source is available, which may take long.
  private static func expectWritable(_ path: String) throws {
    do {
      try OutputTarget.check(path)
    } catch {
      Console.complain("\(error)")
      throw ExitCode.failure
    }
  }

  /// Begins the file, in the kind of the capture.
  /// - Throws: `ExitCode.failure`, after it reports why on standard error.
  func begin(_ capture: CaptureInfo) throws {
    if capture.contentOtherThanHCI == .network {
      throw refusal(
        "hark records only Bluetooth packets, but the source delivers "
          + "\(CaptureInfo.OtherContent.network.rawValue); omit -w, and keep the source's own file")
    }
    if let format = try? RecordingFormat(ofFile: path), format.output(for: capture) == nil {
      throw refusal(
        "its format cannot hold over-the-air packets; \(RecordingFormat.adviceForAir)")
    }
    program = try RecorderProgram(["-"] + arguments, input: output)
    close(output)
    let isMore = capture.format == "pcapng" || capture.lacksDirections
    let isAir = capture.contentOtherThanHCI == .air
    if isAir || capture.isOfPacketLogger || isMore && !capture.isOfMonitor {
      let writer = CaptureWriter(
        capture.isOfPacketLogger ? .packetLogger : .pcapng, of: [capture],
        application: "hark \(Hark.version)")
      writer.begin(to: &bytes)
      self.writer = .other(writer, capture)
    } else {
      let writer = BtsnoopWriter(capture.isOfMonitor ? .monitor : .h4)
      bytes += writer.fileHeader
      self.writer = .btsnoop(writer)
    }
  }

  private func refusal(_ reason: String) -> ExitCode {
    Console.complain("\(path): not written: \(reason)")
    return .failure
  }

  func append(_ record: CaptureRecord, _ packet: RawSpan) {
    var isHeld = false
    switch writer {
    case .btsnoop(var writer):
      isHeld = writer.append(record, packet, to: &bytes)
      self.writer = .btsnoop(writer)
    case .other(var writer, let info):
      isHeld = writer.append(
        record, packet, RecordOrigin(info, controller: record.controller), to: &bytes)
      self.writer = .other(writer, info)
    case nil: break
    }
    if !isHeld { leftOut += 1 }
    if bytes.count >= Output.size { flush() }
  }

  /// Omits a record, but keeps the count of packets lost before it.
  func skip(_ record: CaptureRecord) {
    switch writer {
    case .btsnoop(var writer):
      writer.drops &+= record.dropped
      self.writer = .btsnoop(writer)
    case .other(var writer, let info):
      writer.skip(record)
      self.writer = .other(writer, info)
    case nil: break
    }
  }

  /// Passes on the pending records. Code that waits for `descriptor` notices when the program has ended.
  func flush() {
    _ = Console.write(bytes, to: descriptor)
    bytes.removeAll(keepingCapacity: true)
  }

  /// Whether the writing thread has ended.
  var isLost: Bool {
    guard program != nil else { return false }
    var watched = pollfd(fd: descriptor, events: 0, revents: 0)
    return unsafe poll(&watched, 1, 0) > 0
  }

  /// How the capture ended. If reading stopped in the middle of a record because writing
  /// failed, the capture itself has no problem.
  func judged(_ end: CaptureEnd) -> CaptureEnd {
    guard isLost, end.status == .truncated else { return end }
    var end = end
    (end.status, end.damages, end.damageCount) = (.stopped, [], 0)
    return end
  }

  /// Ends the file.
  /// - Throws: The exit code of the program that wrote it, if that failed.
  func finish() throws {
    guard let program else { return }
    flush()
    let isLost = isLost
    close(descriptor)
    let code = program.wait()
    if leftOut > 0 {
      let what =
        leftOut == 1
        ? "record that is not a Bluetooth packet is" : "records that are not Bluetooth packets are"
      Console.complain("\(leftOut) \(what) not in the file")
    }
    guard isLost || code != 0 else { return }
    Console.complain("\(path): writing failed before the end; later packets are missing")
    throw ExitCode(code == 0 ? ExitCode.failure.rawValue : code)
  }
}
