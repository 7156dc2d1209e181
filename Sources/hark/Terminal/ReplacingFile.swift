import ArgumentParser
import HarkPlatform
import HarkSystem
import Synchronization

/// A file that takes the place of another one once it is complete. Until then, and if it never is, what
/// was there stays; also if a signal ends the program.
final class ReplacingFile {
  private let file: NewFile

  var descriptor: Int32 { file.descriptor }

  /// The address of the path that a signal that ends the program takes with it, 0 for none; a handler
  /// can be given nothing.
  private static let unfinished = Atomic<UInt>(0)

  /// Makes it, readable by its owner alone.
  /// - Throws: `ExitCode.failure`, after it reports why on standard error.
  init(_ target: FileTarget, mode: mode_t = 0o600, isReadBack: Bool = false) throws {
    do {
      file = try NewFile(target, mode: mode, isReadBack: isReadBack)
    } catch {
      Console.complain("\(error)")
      throw ExitCode.failure
    }
    let address = unsafe UInt(bitPattern: strdup(file.temporaryPath))
    Self.unfinished.store(address, ordering: .sequentiallyConsistent)
    Self.catchSignals()
  }

  deinit { Self.forget() }

  /// Puts it where it is to be.
  /// - Parameter replacesOthers: Whether a file may go that has got the name since the target was made.
  /// - Throws: `ExitCode.failure`, after it reports why on standard error.
  func keep(replacesOthers: Bool = true) throws {
    do {
      try file.publish(replacesOthers: replacesOthers)
    } catch {
      Console.complain("\(error)")
      throw ExitCode.failure
    }
  }

  private static func forget() {
    let address = unfinished.exchange(0, ordering: .sequentiallyConsistent)
    unsafe free(UnsafeMutableRawPointer(bitPattern: address))
  }

  /// Signals end the program as before, and take the file with them. Those that are ignored stay so.
  private static func catchSignals() {
    for number in [SIGINT, SIGTERM, SIGHUP] {
      var old = sigaction()
      var action = sigaction { number in
        let address = ReplacingFile.unfinished.load(ordering: .sequentiallyConsistent)
        if let name = unsafe UnsafePointer<CChar>(bitPattern: address) { unsafe unlink(name) }
        signal(number, SIG_DFL)
        raise(number)
      }
      unsafe sigaction(number, nil, &old)
      if !old.isIgnored { unsafe sigaction(number, &action, nil) }
    }
  }
}
