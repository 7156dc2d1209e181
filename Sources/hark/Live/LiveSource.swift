import ArgumentParser
import HarkCapture
import HarkPlatform
import HarkSystem

/// Where the packets of a live timeline come from.
final class LiveSource {
  private let endpoint: Endpoint
  private let format: StreamFormat?
  private let waitPolicy: ReadWaitPolicy
  /// If the source is the controllers of this machine: the program that records them, and the
  /// pipe that it writes to.
  private let recorder: (program: RecorderProgram, output: Int32)?
  /// Reports signals, if that program reads a phone.
  private var phoneSignals: Int32?

  /// The name of the source that needs privileges, which a separate program has.
  static let monitor = "monitor"

  /// Reads a source that needs no privileges.
  /// - Parameters:
  ///   - signals: Reports signals.
  ///   - isWritten: Whether a recorder writes the packets and reports their number.
  ///   - stops: Other descriptors that end the reading, as in `ReadWaitPolicy`.
  ///   - whenIdle: As in `ReadWaitPolicy`.
  /// - Throws: `ExitCode.failure`, after it reports why on standard error.
  convenience init(
    _ source: String, _ format: StreamFormat?, isWritten: Bool = false, signals: Int32,
    stops: [Int32] = [], whenIdle: @escaping () -> Bool = { true }
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
      try self.init(
        recording: source, isWritten: isWritten, signals: signals, stops: stops, whenIdle: whenIdle)
    } else {
      self.init(
        Endpoint(source), format,
        ReadWaitPolicy(stops: [signals] + stops, followsFile: true, whenIdle: whenIdle))
    }
  }

  /// Whether it is the name of a device that the recorder knows. A file of that name takes precedence.
  private static func isDevice(_ source: String) -> Bool {
    guard !source.contains(where: { $0 == "/" || $0 == ":" }), source != "-",
      unsafe access(source, F_OK) != 0, case .working(let devices) = Machine.recorder.state
    else { return false }
    return devices.contains { $0.name == source }
  }

  private init(_ endpoint: Endpoint, _ format: StreamFormat?, _ waitPolicy: ReadWaitPolicy) {
    (self.endpoint, self.format, self.waitPolicy) = (endpoint, format, waitPolicy)
    recorder = nil
  }

  /// Reads hark-record's output for a source.
  /// - Parameters:
  ///   - buffer: As for hark-record.
  ///   - isWritten: Whether another recorder writes the packets and reports their number.
  /// - Throws: `ExitCode.failure`, after it reports why on standard error.
  init(
    recording source: String, buffer: String? = nil, isWritten: Bool = false, signals: Int32,
    stops: [Int32], whenIdle: @escaping () -> Bool
  ) throws {
    endpoint = Endpoint(source)
    format = nil
    let pipe = try PipeEnds(to: "start \(RecorderProgram.name)")
    let program = try RecorderProgram(
      ["-w", "-"] + (isWritten ? ["--relay"] : []) + (buffer.map { ["--buffer", $0] } ?? [])
        + ["--", source], output: pipe.input)
    HarkPlatform.close(pipe.input)
    recorder = (program, pipe.output)
    // A signal ends the recorder, and the end of what it still has to write ends the timeline.
    Signals.forward(to: program.process)
    if ReadWaitPolicy(stops: [signals]).isOver { kill(program.process, SIGTERM) }
    waitPolicy = ReadWaitPolicy(stops: stops, whenIdle: whenIdle)
  }

  /// Reads a program's output of a phone's packets.
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
    waitPolicy = ReadWaitPolicy(stops: stops, whenIdle: whenIdle)
  }

  /// Opens the source.
  /// - Throws: `ExitCode.success` if a signal came before any packet; `ExitCode.failure`, after
  ///   reporting why on standard error.
  func open() throws -> Capture {
    do {
      guard let recorder else { return try Capture(endpoint, as: format, waitPolicy: waitPolicy) }
      return try Capture(descriptor: recorder.output, of: endpoint, waitPolicy: waitPolicy)
    } catch {
      // The recorder has reported why itself.
      let isReported = recorder.map { $0.program.end() != 0 } ?? false
      if waitPolicy.isOver { throw ExitCode.success }
      if !isReported {
        Console.complain(isUnknown ? "\(endpoint.name): \(unknown)" : "\(error)")
        if recorder == nil, format == nil, error.offset == 0 {
          Console.complain(
            "the stream format cannot be detected: name it with --as; see 'hark live --help'")
        }
      }
      throw ExitCode.failure
    }
  }

  /// Whether it could be a device or a file, but neither exists.
  private var isUnknown: Bool {
    recorder == nil && !endpoint.name.contains("/") && endpoint.isMissing
  }

  /// As hark-record has it.
  private var unknown: String {
    let words = ["iphone", "ipad", "ios", "android", "adb", "pixel", "galaxy", "usb"]
    return words.contains(endpoint.name.lowercased())
      ? "cannot open: no such device or file; did you mean '\(Phone.name)'?"
      : "cannot open: no such device or file; 'hark live --list' shows the devices"
  }

  /// The sockets that may still be created, with or without a page.
  func network(isServing: Bool) -> Sandbox.Network {
    endpoint.isConnection ? .connecting : isServing ? .serving : .none
  }

  /// Whether more may arrive after the other side disconnected.
  var mayReopen: Bool { endpoint.isConnection && !waitPolicy.isOver }

  /// Reconnects after the other side disconnected; nil if that is impossible.
  func reopen() -> Capture? {
    guard mayReopen else { return nil }
    Console.complain("\(endpoint.name): the source disconnected; waiting for it")
    while case .timedOut = waitPolicy.sleep(milliseconds: 500) {
      if let capture = try? Capture(endpoint, as: format, waitPolicy: waitPolicy) { return capture }
    }
    return nil
  }

  /// Ends the recorder.
  /// - Returns: Whether there was one; it has reported the number of packets.
  /// - Throws: Its exit code, if it did not end as expected.
  @discardableResult
  func close() throws -> Bool {
    guard let recorder else { return false }
    Signals.forward(to: 0)
    let code = recorder.program.end()
    // Other vendors' programs end by signals, and report errors themselves.
    if let phoneSignals {
      let isStopped = code == 128 + SIGTERM || ReadWaitPolicy(stops: [phoneSignals]).isOver
      guard code == 0 || isStopped else { throw ExitCode.failure }
      return false
    }
    guard code == 0 else { throw ExitCode(code) }
    return true
  }
}
