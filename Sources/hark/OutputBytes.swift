import ArgumentParser
import Glibc
import HarkCore

/// A file of bytes, or standard output: filled through `bytes`, sent on when there are many.
final class OutputBytes {
  var bytes: [UInt8] = []
  /// What it is called in complaints.
  let name: String
  private let descriptor: Int32
  /// Where it is a file that is replaced as a whole.
  private let file: ReplacingFile?

  private static let size = 1 << 16

  /// Opens standard output (`-`) or a file, which its owner alone may read. What is there stays until
  /// `finish`.
  /// - Parameter inputs: None of them is written to.
  /// - Throws: `ExitCode.failure`, after telling why on standard error.
  init(_ path: String, besides inputs: [String]) throws {
    name = path == "-" ? "standard output" : path
    if path == "-" {
      (descriptor, file) = (1, nil)
      guard isatty(1) == 0 else {
        Console.complain("standard output is a terminal; name a file, or pipe it into a program")
        throw ExitCode.failure
      }
    } else {
      for input in inputs where Output.isSame(path, input == "-" ? "/dev/stdin" : input) {
        Console.complain("\(path): is the capture itself; name another file to write to")
        throw ExitCode.failure
      }
      var status = stat()
      if unsafe stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG {
        let file = try ReplacingFile(path)
        (descriptor, self.file) = (file.descriptor, file)
      } else {
        (descriptor, file) = (try Self.open(path), nil)
      }
    }
    signal(SIGPIPE, SIG_IGN)
  }

  /// Opens a FIFO that somebody reads, or will.
  /// - Throws: `ExitCode.failure`, after telling why on standard error.
  init(writingTo fifo: String) throws {
    name = fifo
    (descriptor, file) = (try Self.open(fifo), nil)
    signal(SIGPIPE, SIG_IGN)
  }

  private static func open(_ path: String) throws -> Int32 {
    let descriptor = unsafe Glibc.open(path, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      Console.complain("\(path): cannot write: \(unsafe String(cString: strerror(errno)))")
      throw ExitCode.failure
    }
    return descriptor
  }

  /// Call it after each record.
  /// - Throws: `ExitCode.success` once nobody reads on; `ExitCode.failure` when it cannot be written.
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
