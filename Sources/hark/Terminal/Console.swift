import HarkCore
import HarkPlatform
import Synchronization

/// The terminal, and what is said on standard error.
enum Console {
  /// Whether people see standard output, directly or through a pager.
  static let isOutputTerminal = isatty(1) == 1
  private static let isTerminalOfThis = isatty(2) == 1
  /// A process that works on one of many captures says what it says to another one.
  static var isErrorTerminal: Bool {
    isTerminalOfThis && !CaptureJobs.isChild && !Pager.isShowing
  }

  /// Whether colors are wanted on standard output. NO_COLOR: https://no-color.org
  static var wantsColor: Bool {
    isOutputTerminal && (environment("NO_COLOR") ?? "").isEmpty && environment("TERM") != "dumb"
  }

  private static let kept = Mutex<Int?>(nil)

  /// Keeps the columns for when standard output is a pipe: of a copy of this process to it, or to the pager.
  static func keepColumns() {
    let columns = columns
    kept.withLock { $0 = columns }
  }

  /// The columns of the terminal on standard output; nil if it is none.
  static var columns: Int? {
    guard isOutputTerminal else { return nil }
    if let columns = kept.withLock({ $0 }) { return columns }
    var size = winsize()
    guard unsafe ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  static func environment(_ name: String) -> String? {
    unsafe getenv(name).map { unsafe String(cString: $0) }
  }

  /// One line for the user on standard error. Names of files may hold anything: it is escaped.
  static func complain(_ message: String) {
    var line = TextBuffer()
    line.text("hark: ")
    line.printable(message)
    line.byte(0x0A)
    _ = write(line.bytes, to: 2)
  }

  /// A line that continues the one before, such as one that shows a place.
  static func complain(more text: String) {
    var line = TextBuffer()
    line.printable(text)
    line.byte(0x0A)
    _ = write(line.bytes, to: 2)
  }

  /// Prints what is asked for in place of a command, such as help, or short answers. Ends the program if they cannot be
  /// written.
  static func show(_ text: String) {
    let bytes = Array(text.utf8)
    let failure = unsafe bytes.withUnsafeBytes { unsafe Platform.writeAll($0, to: 1).failure }
    guard let failure, failure != EPIPE else { return }
    complain("standard output: cannot write: \(unsafe String(cString: strerror(failure)))")
    exit(1)
  }

  /// Writes all of `bytes`; false once the reader has closed the pipe or they cannot be written.
  static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    unsafe bytes.withUnsafeBytes { unsafe write($0, to: descriptor) }
  }

  static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
    unsafe Platform.writeAll(bytes, to: descriptor).failure == nil
  }

  /// Nanoseconds of a clock that only goes forward.
  static var now: UInt64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
