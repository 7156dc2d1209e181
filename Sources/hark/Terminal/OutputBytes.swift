import ArgumentParser
import HarkCore
import HarkPlatform
import HarkSystem

/// A file of bytes, or standard output: filled through `bytes`, sent on when there are many.
final class OutputBytes {
  var bytes: [UInt8] = []
  /// What it is called in complaints.
  let name: String
  let descriptor: Int32
  /// Where it is a file that is replaced as a whole.
  private let file: ReplacingFile?

  private static let size = 1 << 16

  /// Opens standard output (`-`) or a file, which its owner alone may read. What is there stays until
  /// `finish`.
  /// - Parameter inputs: The captures. Neither they nor other files that the command line names are written to.
  /// - Throws: `ExitCode.failure`, after it reports why on standard error.
  init(_ path: String, besides inputs: [String]) throws {
    name = path == "-" ? "standard output" : path
    if path == "-" {
      (descriptor, file) = (1, nil)
      guard !Console.isOutputTerminal else {
        Console.complain(
          "standard output is a terminal; name a file, or pipe the output into a program")
        throw ExitCode.failure
      }
    } else {
      for input in inputs where Output.isSame(path, input == "-" ? "/dev/stdin" : input) {
        Console.complain("\(path): this is the capture itself; choose another output file")
        throw ExitCode.failure
      }
      guard !NamedFiles.haveTwice(path) else {
        Console.complain("\(path): this file is also an input; choose another output file")
        throw ExitCode.failure
      }
      let target = try Self.target(path)
      file = try target.file.map { try ReplacingFile($0) }
      descriptor = file?.descriptor ?? target.stream
    }
    signal(SIGPIPE, SIG_IGN)
  }

  private static func target(_ path: String) throws -> OutputTarget {
    do {
      return try OutputTarget(path)
    } catch {
      Console.complain("\(error)")
      throw ExitCode.failure
    }
  }

  /// Call it after each record.
  /// - Throws: `ExitCode.success` once the reader has closed the pipe; `ExitCode.failure` when it cannot be written.
  func written() throws {
    if bytes.count >= Self.size { try flush() }
  }

  func flush() throws {
    guard !bytes.isEmpty else { return }
    guard Console.write(bytes, to: descriptor) else {
      if errno == EPIPE { throw ExitCode.success }
      Console.complain("\(name): cannot write: \(unsafe String(cString: strerror(errno)))")
      throw ExitCode.failure
    }
    bytes.removeAll(keepingCapacity: true)
  }

  /// Sends on the rest. A file is where it is to be then, and without this call never.
  func finish() throws {
    try flush()
    try file?.keep()
  }
}
