import ArgumentParser
import Glibc
import HarkCore

/// A file of bytes, or standard output: filled through `bytes`, sent on when there are many.
final class OutputBytes {
  var bytes: [UInt8] = []
  /// What it is called in complaints.
  let name: String
  private let descriptor: Int32

  private static let size = 1 << 16

  /// Opens standard output (`-`) or a file, which is made or emptied and which its owner alone may read.
  /// - Parameter inputs: None of them is written to.
  /// - Throws: `ExitCode.failure`, after telling why on standard error.
  init(_ path: String, besides inputs: [String]) throws {
    name = path == "-" ? "standard output" : path
    if path == "-" {
      descriptor = 1
      guard isatty(1) == 0 else {
        Console.complain("standard output is a terminal; name a file, or pipe it into a program")
        throw ExitCode.failure
      }
    } else {
      for input in inputs where Output.isSame(path, input == "-" ? "/dev/stdin" : input) {
        Console.complain("\(path): is the capture itself; name another file to write to")
        throw ExitCode.failure
      }
      descriptor = unsafe Glibc.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
      var status = stat()
      if unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG {
        _ = fchmod(descriptor, 0o600)
      }
      guard descriptor >= 0 else {
        Console.complain("\(path): cannot write: \(unsafe String(cString: strerror(errno)))")
        throw ExitCode.failure
      }
    }
    signal(SIGPIPE, SIG_IGN)
  }

  /// Opens a FIFO that somebody reads, or will.
  /// - Throws: `ExitCode.failure`, after telling why on standard error.
  init(writingTo fifo: String) throws {
    name = fifo
    descriptor = unsafe Glibc.open(fifo, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      Console.complain("\(fifo): cannot write: \(unsafe String(cString: strerror(errno)))")
      throw ExitCode.failure
    }
    signal(SIGPIPE, SIG_IGN)
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
}
