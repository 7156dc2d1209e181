import ArgumentParser
import HarkCore
import HarkPlatform

/// Standard output with a buffer: writers fill `text`, and `written` sends it on when it is time.
struct Output: ~Copyable {
  var text = TextBuffer(reserving: Output.size + 4_096)
  /// Whether each line is wanted at once: on a terminal, and when the capture is still growing.
  private let isImmediate: Bool
  private let descriptor: Int32
  /// What the output is called in complaints.
  private let name: String
  private var hasBegun = false
  private var lastFlush = Console.now
  /// A reader of a pipe sees what happened at most so long ago, in nanoseconds.
  private let longestWait: UInt64

  static let size = 1 << 16

  /// - Parameter file: What is written to instead of standard output; its `finish` is the caller's.
  init(isImmediate: Bool, into file: OutputBytes? = nil, longestWait: UInt64 = 100_000_000) {
    (descriptor, name) = (file?.descriptor ?? 1, file?.name ?? "standard output")
    self.longestWait = longestWait
    self.isImmediate = isImmediate || Console.isOutputTerminal
    // A reader that goes away is seen by write(2) instead.
    signal(SIGPIPE, SIG_IGN)
  }

  /// Whether it is time to send on what there is.
  var isDue: Bool { isDue(text.count) }

  /// Whether two paths lead to one file.
  static func isSame(_ path: String, _ another: String) -> Bool {
    var (mine, other) = (stat(), stat())
    let isThere = unsafe (stat(path, &mine) | stat(another, &other)) == 0
    return isThere && mine.st_ino == other.st_ino && mine.st_dev == other.st_dev
  }

  /// Whether a reader has waited for long, or for the first line.
  var isOverdue: Bool { !hasBegun || Console.now - lastFlush > longestWait }

  /// Call it after each piece of text.
  /// - Throws: `ExitCode.success` once the reader has closed the pipe; `ExitCode.failure` when it cannot be written.
  mutating func written() throws {
    if isDue { try flush() }
  }

  mutating func flush() throws {
    guard !text.isEmpty else { return }
    begin()
    guard unsafe text.withBytes({ unsafe Console.write($0, to: descriptor) }) else {
      throw failure()
    }
    text.clear()
  }

  /// As `written`, of the text of a pen of its own. Then `text` is not used.
  mutating func written(_ lines: inout TextPen) throws {
    if isDue(lines.count) { try flush(&lines) }
  }

  mutating func flush(_ lines: inout TextPen) throws {
    guard lines.count > 0 else { return }
    begin()
    guard unsafe Console.write(lines.bytes, to: descriptor) else { throw failure() }
    lines.clear()
  }

  private func isDue(_ count: Int) -> Bool {
    guard count > 0 else { return false }
    // The first lines are shown at once, however long the rest takes.
    return isImmediate || count >= Self.size || isOverdue
  }

  private mutating func begin() {
    hasBegun = true
    lastFlush = Console.now
    Progress.beginOutput()
    Pager.show()
  }

  private func failure() -> ExitCode {
    if errno == EPIPE { return .success }
    Console.complain("\(name): cannot write: \(unsafe String(cString: strerror(errno)))")
    return .failure
  }
}
