import ArgumentParser
import Glibc
import HarkCore

/// Standard output with a buffer: writers fill `text`, and `written` sends it on when it is time.
struct Output: ~Copyable {
  var text = TextBuffer(reserving: Output.size + 4_096)
  /// Whether each line is wanted at once: on a terminal, and when the capture is still growing.
  private let isImmediate: Bool
  private var hasBegun = false
  private var lastFlush = Console.now

  static let size = 1 << 16
  /// A reader of a pipe sees what happened at most so long ago, in nanoseconds.
  static let longestWait: UInt64 = 100_000_000

  init(isImmediate: Bool) {
    self.isImmediate = isImmediate || Console.isOutputTerminal
    // A reader that goes away is seen by write(2) instead.
    signal(SIGPIPE, SIG_IGN)
  }

  /// Call it after each piece of text.
  /// - Throws: `ExitCode.success` once nobody reads on; `ExitCode.failure` when it cannot be written.
  mutating func written() throws {
    guard !text.isEmpty else { return }
    // The first lines are shown at once, however long the rest takes.
    let isDue =
      isImmediate || !hasBegun || text.count >= Self.size
      || Console.now - lastFlush > Self.longestWait
    if isDue { try flush() }
  }

  mutating func flush() throws {
    guard !text.isEmpty else { return }
    hasBegun = true
    lastFlush = Console.now
    Progress.erase()
    guard unsafe text.withBytes({ unsafe Console.write($0, to: 1) }) else {
      if errno == EPIPE { throw ExitCode.success }
      Console.complain("standard output: cannot write: \(unsafe String(cString: strerror(errno)))")
      throw ExitCode.failure
    }
    text.clear()
  }
}
