import ArgumentParser
import HarkPlatform

/// A program that writes a capture while it records: `hark-record`, which opens privileged sources and
/// decodes nothing, or one that reads a phone's packets.
final class RecorderProgram {
  static let name = "hark-record"

  let process: pid_t
  private var status: Int32?
  private let title: String

  /// The expected path: beside this program, so that both have the same version.
  static var beside: String { (folder ?? ".") + "/" + name }

  /// The actual path: the expected one, otherwise one found in PATH.
  static var path: String { unsafe access(beside, X_OK) == 0 ? beside : name }

  /// Replaces this process by that program.
  /// - Throws: `ExitCode.failure`, after it reports why on standard error.
  static func become(_ arguments: [String]) throws -> Never {
    var words = unsafe ([name] + arguments).map { unsafe strdup($0) }
    unsafe words.append(nil)
    unsafe execvp(path, words)
    throw missing(errno)
  }

  /// Starts it as a separate process, which Ctrl-C on the terminal does not reach.
  /// - Parameters:
  ///   - input: Its standard input; it gets a copy.
  ///   - output: Its standard output; it gets a copy.
  /// - Throws: `ExitCode.failure`, after it reports why on standard error.
  convenience init(_ arguments: [String], input: Int32? = nil, output: Int32? = nil) throws {
    do {
      try self.init(Self.name, at: Self.path, arguments, input: input, output: output)
    } catch {
      throw Self.missing(error.code)
    }
  }

  /// The program could not be started: an `errno`.
  struct SpawnError: Error {
    let code: Int32
  }

  /// The same with another program.
  /// - Parameter path: Its path, or a name to search in PATH.
  init(
    _ title: String, at path: String, _ arguments: [String], input: Int32? = nil,
    output: Int32? = nil
  ) throws(SpawnError) {
    self.title = title
    let (process, code) = Platform.start(
      path, [title] + arguments, input: input, output: output, isInOwnGroup: true)
    guard code == 0 else { throw SpawnError(code: code) }
    self.process = process
  }

  private static func missing(_ code: Int32) -> ExitCode {
    Console.complain("\(name) cannot be started: \(unsafe String(cString: strerror(code)))")
    Console.complain(
      "install the package hark-record, or put the program into the same folder as hark")
    return .failure
  }

  /// Requests its end, if it still runs, and waits for it.
  /// - Returns: As `wait` does.
  func end() -> Int32 {
    if status == nil, !hasEnded { kill(process, SIGTERM) }
    return wait()
  }

  /// Whether it has ended by itself.
  private var hasEnded: Bool {
    var word: Int32 = 0
    guard unsafe waitpid(process, &word, WNOHANG) == process else { return false }
    ended(word)
    return true
  }

  /// Waits for its end, and reports if a signal ended it: the program reports everything else itself.
  /// - Returns: Its exit code; 128 plus the signal if a signal ended it.
  func wait() -> Int32 {
    if let status { return status }
    var word: Int32 = 0
    while unsafe waitpid(process, &word, 0) < 0, errno == EINTR {}
    return ended(word)
  }

  /// - Parameter word: The status from `waitpid`.
  @discardableResult
  private func ended(_ word: Int32) -> Int32 {
    let code = Platform.exitCode(of: word)
    // Other vendors' programs have no other way to end.
    if code >= 128, title == Self.name || code != 128 + SIGTERM {
      Console.complain("\(title) was terminated by signal \(code - 128)")
    }
    status = code
    return code
  }

  /// The folder of this program.
  static var folder: String? {
    guard let text = Platform.programPath else { return nil }
    return text.lastIndex(of: "/").map { String(text[..<$0]) }
  }
}
