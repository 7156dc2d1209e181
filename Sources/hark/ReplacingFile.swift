import ArgumentParser
import Glibc
import HarkCore
import Synchronization

/// A file that takes the place of another one once it is complete. Until then, and if it never is, what
/// was there stays.
final class ReplacingFile {
  let descriptor: Int32
  /// Where it is to be: behind symbolic links.
  private let path: String
  /// Where it is until then, beside that.
  private let beside: String
  private var isKept = false

  /// The address of the path that a signal that ends the program takes with it, 0 for none; a handler
  /// can be given nothing.
  private static let unfinished = Atomic<UInt>(0)

  /// Makes it, readable by its owner alone.
  /// - Throws: `ExitCode.failure`, after telling why on standard error.
  init(_ path: String) throws {
    let place = Self.resolved(path)
    let folder = place.lastIndex(of: "/").map { place[...$0] } ?? ""
    guard unsafe access(path, F_OK) != 0 || access(path, W_OK) == 0 else {
      throw Self.failure(path)
    }
    var name = Array("\(folder).hark-XXXXXX".utf8CString)
    descriptor = unsafe name.withUnsafeMutableBufferPointer { buffer in
      unsafe buffer.baseAddress.map { unsafe mkstemp($0) } ?? -1
    }
    self.path = place
    beside = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    guard descriptor >= 0 else { throw Self.failure(path) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    let address = unsafe UInt(bitPattern: strdup(beside))
    Self.unfinished.store(address, ordering: .sequentiallyConsistent)
    Self.catchSignals()
  }

  deinit {
    close(descriptor)
    if !isKept { unsafe unlink(beside) }
    Self.forget()
  }

  /// Puts it where it is to be.
  /// - Throws: `ExitCode.failure`, after telling why on standard error.
  func keep() throws {
    guard unsafe rename(beside, path) == 0 else { throw Self.failure(path) }
    isKept = true
  }

  private static func resolved(_ path: String) -> String {
    guard let real = unsafe realpath(path, nil) else { return path }
    defer { unsafe free(real) }
    return unsafe String(cString: real)
  }

  private static func failure(_ path: String) -> ExitCode {
    Console.complain("\(path): cannot write: \(unsafe String(cString: strerror(errno)))")
    return .failure
  }

  private static func forget() {
    let address = unfinished.exchange(0, ordering: .sequentiallyConsistent)
    unsafe free(UnsafeMutableRawPointer(bitPattern: address))
  }

  /// Signals end the program as before, and take the file with them. Those that are ignored stay so.
  private static func catchSignals() {
    for number in [SIGINT, SIGTERM, SIGHUP] {
      var (action, old) = (sigaction(), sigaction())
      unsafe action.__sigaction_handler.sa_handler = { number in
        let address = ReplacingFile.unfinished.load(ordering: .sequentiallyConsistent)
        if let name = unsafe UnsafePointer<CChar>(bitPattern: address) { unsafe unlink(name) }
        signal(number, SIG_DFL)
        raise(number)
      }
      unsafe sigaction(number, nil, &old)
      let isIgnored = unsafe unsafeBitCast(old.__sigaction_handler.sa_handler, to: Int.self) == 1
      if !isIgnored { unsafe sigaction(number, &action, nil) }
    }
  }
}
