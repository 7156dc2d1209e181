import ArgumentParser
import HarkCapture
import HarkPlatform
import HarkSystem

/// Where the packets of a live timeline come from.
final class LiveSource {
  private let endpoint: Endpoint
  private let format: StreamFormat?
  private let patience: ReadWaitPolicy
  /// The program that records the controllers of this machine, where those are the source, and the
  /// pipe that it writes to.
  private let recorder: (program: RecorderProgram, output: Int32)?
  /// Where signals are reported, if that program reads a phone.
  private var phoneSignals: Int32?

  /// The name of the source that needs privileges: a program of its own has them.
  static let monitor = "monitor"

  /// Reads a source itself, but the one that needs privileges.
  /// - Parameters:
  ///   - signals: Where signals are reported.
  ///   - stops: What else ends the reading, as `ReadWaitPolicy` has it.
  ///   - whenIdle: As `ReadWaitPolicy` has it.
  /// - Throws: `ExitCode.failure`, after it reports why on standard error.
  convenience init(
    _ source: String, _ format: StreamFormat?, signals: Int32, stops: [Int32] = [],
    whenIdle: @escaping () -> Bool = { true }
  ) throws {
    if source == Phone.name, unsafe access(source, F_OK) != 0 {
      switch try Phone.reader() {
      case .program(let name, let arguments):
        try self.init(
          phone: name, arguments, signals: signals, stops: stops, whenIdle: whenIdle)
      case .socket(let address):
        self.init(
          Endpoint(address), format,
          ReadWaitPolicy(stops: [signals] + stops, followsFile: true, whenIdle: whenIdle))
      }
    } else if source == Self.monitor || Self.isDevice(source) {
      try self.init(recording: source, signals: signals, stops: stops, whenIdle: whenIdle)
    } else {
      self.init(
        Endpoint(source), format,
        ReadWaitPolicy(stops: [signals] + stops, followsFile: true, whenIdle: whenIdle))
    }
  }

  /// Whether it is the name of a device that the recorder knows. A file of that name goes before it.
  private static func isDevice(_ source: String) -> Bool {
    guard !source.contains(where: { $0 == "/" || $0 == ":" }), source != "-",
      unsafe access(source, F_OK) != 0, case .working(let devices) = Machine.recorder.state
    else { return false }
    return devices.contains { $0.name == source }
  }

  private init(_ endpoint: Endpoint, _ format: StreamFormat?, _ patience: ReadWaitPolicy) {
    (self.endpoint, self.format, self.patience) = (endpoint, format, patience)
    recorder = nil
  }

  /// Reads what hark-record makes of a source.
  /// - Parameters:
  ///   - buffer: As hark-record takes it.
  /// - Throws: `ExitCode.failure`, after it reports why on standard error.
  init(
    recording source: String, buffer: String? = nil, signals: Int32, stops: [Int32],
    whenIdle: @escaping () -> Bool
  ) throws {
    endpoint = Endpoint(source)
    format = nil
    let pipe = try PipeEnds(to: "start \(RecorderProgram.name)")
    let program = try RecorderProgram(
      ["-w", "-"] + (buffer.map { ["--buffer", $0] } ?? []) + ["--", source], output: pipe.input)
    HarkPlatform.close(pipe.input)
    recorder = (program, pipe.output)
    // A signal ends the recorder, and the end of what it still has to write ends the timeline.
    Signals.forward(to: program.process)
    if ReadWaitPolicy(stops: [signals]).isOver { kill(program.process, SIGTERM) }
    patience = ReadWaitPolicy(stops: stops, whenIdle: whenIdle)
  }

  /// Reads what a program makes of a phone's packets.
  /// - Throws: `ExitCode.failure`, after it reports why on standard error.
  private init(
    phone name: String, _ arguments: [String], signals: Int32, stops: [Int32],
    whenIdle: @escaping () -> Bool
  ) throws {
    endpoint = Endpoint(Phone.name)
    format = nil
    let pipe = try PipeEnds(to: "start \(name)")
    let program: RecorderProgram
    do {
      program = try RecorderProgram(name, at: name, arguments, output: pipe.input)
    } catch {
      Console.complain(
        "\(name) cannot be started: \(unsafe String(cString: strerror(error.code)))")
      throw ExitCode.failure
    }
    HarkPlatform.close(pipe.input)
    Console.complain("reading from \(name)")
    recorder = (program, pipe.output)
    phoneSignals = signals
    Signals.forward(to: program.process)
    if ReadWaitPolicy(stops: [signals]).isOver { kill(program.process, SIGTERM) }
    patience = ReadWaitPolicy(stops: stops, whenIdle: whenIdle)
  }

  /// Opens the source.
  /// - Throws: `ExitCode.success` where it is to end before anything came; `ExitCode.failure`, after
  ///   telling why on standard error.
  func open() throws -> Capture {
    do {
      guard let recorder else { return try Capture(endpoint, as: format, patience: patience) }
      return try Capture(descriptor: recorder.output, of: endpoint, patience: patience)
    } catch {
      // The recorder has told why itself.
      let isTold = recorder.map { $0.program.end() != 0 } ?? false
      if patience.isOver { throw ExitCode.success }
      if !isTold {
        Console.complain(isUnknown ? "\(endpoint.name): \(Self.unknown)" : "\(error)")
        if recorder == nil, format == nil, error.offset == 0 {
          Console.complain(
            "the stream format cannot be detected: name it with --as; see 'hark live --help'")
        }
      }
      throw ExitCode.failure
    }
  }

  /// Whether a device or a file may have been meant, and neither is there.
  private var isUnknown: Bool {
    recorder == nil && !endpoint.name.contains("/") && endpoint.isMissing
  }

  /// As hark-record has it.
  private static let unknown =
    "no such device or file; 'hark live --list' shows the devices"

  /// Which sockets may still be made, where a page is served or not.
  func network(isServing: Bool) -> Sandbox.Network {
    endpoint.isConnection ? .connecting : isServing ? .serving : .none
  }

  /// Whether there may be more after the other side went away.
  var mayReopen: Bool { endpoint.isConnection && !patience.isOver }

  /// Connects again after the other side went away; nil if that cannot be.
  func reopen() -> Capture? {
    guard mayReopen else { return nil }
    Console.complain("\(endpoint.name): the source disconnected; waiting for it")
    while case .timedOut = patience.sleep(milliseconds: 500) {
      if let capture = try? Capture(endpoint, as: format, patience: patience) { return capture }
    }
    return nil
  }

  /// Ends the recorder.
  /// - Returns: Whether there was one, which has told how much there was.
  /// - Throws: Its exit code, if it was not ended as it should be.
  @discardableResult
  func close() throws -> Bool {
    guard let recorder else { return false }
    Signals.forward(to: 0)
    let code = recorder.program.end()
    // Programs of others end as signals end them, and report errors themselves.
    if let phoneSignals {
      let isStopped = code == 128 + SIGTERM || ReadWaitPolicy(stops: [phoneSignals]).isOver
      guard code == 0 || isStopped else { throw ExitCode.failure }
      return false
    }
    guard code == 0 else { throw ExitCode(code) }
    return true
  }
}
