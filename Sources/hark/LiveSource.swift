import ArgumentParser
import Glibc
import HarkCapture

/// Where the packets of a live timeline come from.
final class LiveSource {
  private let endpoint: Endpoint
  private let format: StreamFormat?
  private let patience: Patience
  /// The program that records the controllers of this machine, once it runs.
  private var recorder: Recorder?

  /// The name of the source that needs privileges: a program of its own has them.
  static let monitor = "monitor"

  /// - Parameter stop: A descriptor that becomes readable when the reading is to end.
  /// - Throws: `ExitCode.failure`, after telling why on standard error.
  init(_ source: String, _ format: StreamFormat?, stop: Int32) throws {
    self.format = format
    patience = Patience(stop: stop, followsFile: true)
    if source == Self.monitor {
      let started = try Recorder()
      recorder = started
      endpoint = Endpoint("/proc/self/fd/\(started.output)")
    } else {
      endpoint = Endpoint(source)
    }
  }

  /// Opens the source; nil where it is to end before anything came.
  /// - Throws: `ExitCode.failure`, after telling why on standard error.
  func open() throws -> Capture? {
    do {
      return try Capture(endpoint, as: format, patience: patience)
    } catch {
      // The recorder has told why itself.
      if recorder?.end() ?? true { Console.complain("\(error)") }
      throw ExitCode.failure
    }
  }

  /// Connects again after the other side went away; nil where that cannot be.
  func reopen() throws -> Capture? {
    guard endpoint.isConnection else { return nil }
    Console.complain("\(endpoint.name): the source has gone; waiting for it")
    while case .timedOut = patience.sleep(milliseconds: 500) {
      if let capture = try? Capture(endpoint, as: format, patience: patience) { return capture }
    }
    return nil
  }

  /// - Returns: Whether it has told itself how much there was.
  func close() -> Bool {
    guard let recorder else { return false }
    _ = recorder.end()
    return true
  }
}

/// The program that opens what takes privileges, and nothing else: `hark-record`.
private final class Recorder {
  /// Where it writes what it records.
  let output: Int32
  private var process: pid_t = 0

  init() throws {
    let program = (RecordCommand.folder ?? ".") + "/" + RecordCommand.program
    guard unsafe access(program, X_OK) == 0 else {
      Console.complain("\(program): is not there; build it with 'make build'")
      throw ExitCode.failure
    }
    let pipe = try PipeEnds(to: "start \(program)")
    output = pipe.output
    defer { Glibc.close(pipe.input) }
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    unsafe posix_spawn_file_actions_adddup2(&actions, pipe.input, 1)
    var arguments: [UnsafeMutablePointer<CChar>?] = unsafe []
    for argument in [program, "-w", "-"] { unsafe arguments.append(strdup(argument)) }
    unsafe arguments.append(nil)
    let code = unsafe posix_spawn(&process, program, &actions, nil, &arguments, environ)
    for index in unsafe arguments.indices { unsafe free(arguments[index]) }
    unsafe posix_spawn_file_actions_destroy(&actions)
    guard code == 0 else {
      Console.complain("cannot start \(program): \(unsafe String(cString: strerror(code)))")
      throw ExitCode.failure
    }
  }

  /// Ends it and waits until it has.
  /// - Returns: Whether it ended as it should.
  func end() -> Bool {
    kill(process, SIGTERM)
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
    return status == 0
  }
}
