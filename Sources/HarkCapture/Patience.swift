import Glibc

/// How a capture that grows is waited for.
public struct Patience: Sendable {
  /// A descriptor that becomes readable when the reading is to end: the capture ends there.
  public var stop: Int32?
  /// Whether a file is read on when its end is reached, as it may grow.
  public var followsFile = false

  public init(stop: Int32? = nil, followsFile: Bool = false) {
    (self.stop, self.followsFile) = (stop, followsFile)
  }

  /// What ended a wait.
  public enum Outcome: Sendable {
    case ready
    case stopped
    case timedOut
  }

  /// Waits until the time is over or the reading is to end.
  public func sleep(milliseconds: Int32) -> Outcome { wait(for: -1, milliseconds: milliseconds) }

  /// Waits until `descriptor` can be read or has ended.
  /// - Parameter milliseconds: At most so long; -1 for ever.
  func wait(for descriptor: Int32, milliseconds: Int32) -> Outcome {
    // poll(2) passes over negative descriptors.
    var watched = [
      pollfd(fd: stop ?? -1, events: Int16(POLLIN), revents: 0),
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
    ]
    while true {
      let count = unsafe poll(&watched, 2, milliseconds)
      if count < 0, errno == EINTR { continue }
      if watched[0].revents != 0 { return .stopped }
      // What poll(2) cannot wait for is read, so that the error is seen there.
      return count == 0 ? .timedOut : .ready
    }
  }
}

/// Tells when a file changes.
final class FileWatch {
  private let descriptor: Int32

  /// Without inotify, waiting ends at times on its own.
  init(path: String) {
    descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    if descriptor >= 0 {
      _ = unsafe inotify_add_watch(descriptor, path, UInt32(IN_MODIFY))
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Waits until the file changed, or may have.
  func wait(_ patience: Patience, milliseconds: Int32) -> Patience.Outcome {
    // Network file systems do not tell: look again from time to time.
    let limit: Int32 = milliseconds < 0 ? 200 : min(milliseconds, 200)
    let outcome = patience.wait(for: descriptor, milliseconds: limit)
    if case .ready = outcome {
      var notes = [UInt8](repeating: 0, count: 4_096)
      _ = unsafe read(descriptor, &notes, notes.count)
    }
    return outcome
  }
}
