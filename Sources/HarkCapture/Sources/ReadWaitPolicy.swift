import HarkPlatform

/// How a capture that grows is waited for.
public struct ReadWaitPolicy {
  /// Reading ends once one of these can be read, or is the writing end of a pipe that no one
  /// reads any more. What has come by then is still read, for at most `drain`; the capture ends there.
  public var stops: [Int32] = []
  /// Whether a file is read on when its end is reached, as it may grow.
  public var followsFile = false
  /// After how many bytes without a record the reading of what is no file ends, as it may have no end; nil if
  /// records are waited for whatever comes before them, as of a recorder.
  public var longestGap: Int?
  /// Called whenever nothing can be read for now, and again after each signal: the time to send on
  /// what was made of what came so far. False ends the capture there.
  public var whenIdle: (() -> Bool)?

  public init(
    stops: [Int32] = [], followsFile: Bool = false, longestGap: Int? = nil,
    whenIdle: (() -> Bool)? = nil
  ) {
    (self.stops, self.followsFile, self.longestGap) = (stops, followsFile, longestGap)
    self.whenIdle = whenIdle
  }

  /// The gap for commands that read to the end: the longest packet has 64 KiB.
  public static let usualGap = 1 << 24
  /// How long a source that never pauses is read on once the reading is to end, in nanoseconds.
  static let drain: UInt64 = 1_000_000_000

  /// What ended a wait. What can be read goes before an end that is wanted.
  public enum Outcome: Sendable {
    case ready
    case stopped
    case timedOut
  }

  /// Whether the reading is to end.
  public var isOver: Bool {
    guard !stops.isEmpty, case .stopped = sleep(milliseconds: 0) else { return false }
    return true
  }

  /// Waits until the time is over or the reading is to end.
  public func sleep(milliseconds: Int32) -> Outcome { wait(for: -1, milliseconds: milliseconds) }

  /// Waits until `descriptor` can be read or has ended.
  /// - Parameter milliseconds: At most so long; -1 for ever.
  func wait(for descriptor: Int32, milliseconds: Int32) -> Outcome {
    // poll(2) passes over negative descriptors.
    var watched = ([descriptor] + stops).map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    while true {
      let count = unsafe poll(&watched, nfds_t(watched.count), milliseconds)
      if count < 0, errno == EINTR {
        guard whenIdle?() ?? true else { return .stopped }
        continue
      }
      if watched[0].revents == 0, watched.contains(where: { $0.revents != 0 }) { return .stopped }
      // What poll(2) cannot wait for is read, so that the error is seen there.
      return count == 0 ? .timedOut : .ready
    }
  }
}

/// Waits for a file to change.
final class FileWatch {
  private let changes: FileChanges

  /// - Parameter file: The open file.
  init(of file: Int32) { changes = FileChanges(of: file) }

  /// Waits until the file changed, or may have.
  func wait(_ waitPolicy: ReadWaitPolicy, milliseconds: Int32) -> ReadWaitPolicy.Outcome {
    // Network file systems report nothing, and macOS is not asked: look again from time to time.
    let limit: Int32 = milliseconds < 0 ? 200 : min(milliseconds, 200)
    let outcome = waitPolicy.wait(for: changes.descriptor, milliseconds: limit)
    if case .ready = outcome { changes.clear() }
    return outcome
  }
}
