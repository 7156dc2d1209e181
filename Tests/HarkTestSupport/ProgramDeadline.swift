import Foundation

/// Ends a program that a test started when it runs for too long. Its pipes close with it, so that
/// what reads from it, writes to it or waits for it continues: a program that hangs fails its test
/// instead of stopping all tests.
///
/// Start it right after the program, and call `check` after the last wait.
public final class ProgramDeadline: @unchecked Sendable {
  public struct Passed: Error, CustomStringConvertible {
    public let description: String
  }

  /// Much longer than any program takes, even where machines are slow and busy.
  public static let seconds = 240

  /// A serial queue has a thread of its own, whatever the tests' threads wait for.
  private static let clock = DispatchQueue(label: "deadlines of programs")

  private let process: Process
  private let seconds: Int
  private let end: Date
  private var hasPassed = false
  private var item: DispatchWorkItem?

  public init(_ process: Process, seconds: Int = ProgramDeadline.seconds) {
    self.process = process
    self.seconds = seconds
    end = Date() + Double(seconds)
    // Writing to a program that was ended is an error, not the end of the tests.
    signal(SIGPIPE, SIG_IGN)
    let item = DispatchWorkItem { [weak self] in self?.pass() }
    self.item = item
    Self.clock.asyncAfter(deadline: .now() + .seconds(seconds), execute: item)
  }

  /// A test that fails in between leaves nothing running.
  deinit {
    item?.cancel()
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
  }

  private func pass() {
    guard process.isRunning else { return }
    hasPassed = true
    kill(process.processIdentifier, SIGKILL)
  }

  /// Throws if the program was ended because it ran for too long.
  public func check() throws {
    if Self.clock.sync(execute: { hasPassed }) { throw passed }
  }

  /// What comes next through a pipe; nothing where it is at its end. Another program that the
  /// program has started may hold it open.
  public func read(_ pipe: Pipe) throws -> Data {
    let handle = pipe.fileHandleForReading
    var event = pollfd(fd: handle.fileDescriptor, events: Int16(POLLIN), revents: 0)
    let left = max(0, end.timeIntervalSinceNow) + 5
    guard poll(&event, 1, Int32(left * 1_000)) == 1 else { throw passed }
    return handle.availableData
  }

  /// All that comes through a pipe.
  public func readToEnd(_ pipe: Pipe) throws -> Data {
    var all = Data()
    while true {
      let more = try read(pipe)
      guard !more.isEmpty else { return all }
      all += more
    }
  }

  private var passed: Passed {
    let name = process.executableURL?.lastPathComponent ?? "a program"
    let command = ([name] + (process.arguments ?? [])).joined(separator: " ")
    return Passed(description: "ended after \(seconds) seconds, before it ended itself: \(command)")
  }
}

/// Waits for a connection; throws instead of waiting forever.
public func acceptConnection(
  on listener: Int32, seconds: Int = ProgramDeadline.seconds
) throws -> Int32 {
  var event = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
  guard poll(&event, 1, Int32(seconds) * 1_000) == 1 else {
    throw ProgramDeadline.Passed(description: "nobody connected within \(seconds) seconds")
  }
  return accept(listener, nil, nil)
}
