import ArgumentParser
import Glibc
import HarkCapture
import HarkCore

/// Where a live timeline's packets go beside being told.
struct RecordingOptions: ParsableArguments {
  @Option(
    name: [.customShort("w"), .long],
    help: ArgumentHelp(
      "Write all packets into a btsnoop file, also those that filters and lanes leave out.",
      valueName: "file"),
    completion: .file())
  var write: String?

  @Option(help: ArgumentHelp("Go on in a new file at so many bytes: 100M.", valueName: "size"))
  var rotateSize: String?

  @Option(help: ArgumentHelp("Go on in a new file after so long: 1h.", valueName: "time"))
  var rotateTime: String?

  @Option(help: ArgumentHelp("Keep the last files only, so many.", valueName: "number"))
  var rotateCount: String?

  func validate() throws {
    if write == "-" {
      throw ValidationError("Standard output is the timeline's: name a file after -w.")
    }
    if write == nil, rotateSize != nil || rotateTime != nil || rotateCount != nil {
      throw ValidationError("--rotate-size, --rotate-time and --rotate-count go with -w.")
    }
  }

  /// As hark-record takes them; nil where nothing is to be written.
  fileprivate var arguments: [String]? {
    guard let write else { return nil }
    let rotation = [
      ("--rotate-size", rotateSize), ("--rotate-time", rotateTime), ("--rotate-count", rotateCount),
    ]
    return ["-w", write] + rotation.flatMap { name, value in value.map { [name, $0] } ?? [] }
  }
}

/// The capture that is written beside a live timeline. hark-record writes it, as it writes all: with
/// memory for a disk that is full, and to the end where this program is killed.
final class LiveRecording {
  /// The pipe to it, which has an error once it is gone.
  let descriptor: Int32
  private let program: RecorderProgram
  private var writer: BtsnoopWriter?
  private var bytes: [UInt8] = []
  private var leftOut = 0

  /// - Parameter source: What is read, which must not be written to.
  /// - Returns: nil where nothing is to be written.
  /// - Throws: `ExitCode.failure`, after telling why on standard error.
  init?(_ options: RecordingOptions, besides source: String) throws {
    guard let path = options.write, let arguments = options.arguments else { return nil }
    if Output.isSame(path, source) {
      Console.complain("\(path): is the source itself; name another file to write to")
      throw ExitCode.failure
    }
    let pipe = try PipeEnds(to: "start \(RecorderProgram.name)")
    program = try RecorderProgram(["-"] + arguments, input: pipe.output)
    close(pipe.output)
    descriptor = pipe.input
  }

  /// Begins the file, whose kind is that of the capture.
  func begin(_ capture: CaptureInfo) {
    let writer = BtsnoopWriter(capture.isOfMonitor ? .monitor : .h4)
    bytes += writer.fileHeader
    self.writer = writer
  }

  func append(_ record: CaptureRecord, _ packet: RawSpan) {
    if writer?.append(record, packet, to: &bytes) != true { leftOut += 1 }
    if bytes.count >= Output.size { flush() }
  }

  /// Leaves a record out; that packets were lost before it is not.
  func skip(_ record: CaptureRecord) { writer?.drops &+= record.dropped }

  /// Hands on what there is. A program that is gone is noticed by who waits for `descriptor`.
  func flush() {
    _ = Console.write(bytes, to: descriptor)
    bytes.removeAll(keepingCapacity: true)
  }

  /// Ends the file.
  /// - Throws: The exit code of the program that has written it, if it could not.
  func finish() throws {
    if writer == nil { begin(CaptureInfo()) }
    flush()
    close(descriptor)
    let code = program.wait()
    if leftOut > 0 {
      let what =
        leftOut == 1 ? "record that is no HCI packet is" : "records that are no HCI packets are"
      Console.complain("\(leftOut) \(what) not in the file")
    }
    guard code == 0 else { throw ExitCode(code) }
  }
}
