import HarkCapture
import HarkCore

/// A line on standard error while work takes long, gone when it is done. Only on a terminal.
struct Progress: ~Copyable {
  private let begin = Console.now
  private var next: UInt64
  private let isWanted: Bool

  /// Work that takes less is done before anybody asks, in nanoseconds.
  private static let patience: UInt64 = 1_000_000_000
  private static let pause: UInt64 = 250_000_000

  /// - Parameter isStreaming: Whether the output itself shows that something goes on.
  init(isStreaming: Bool) {
    isWanted = Console.isErrorTerminal && !(isStreaming && Console.isOutputTerminal)
    next = begin + Self.patience
  }

  /// As the other, of work that is no reading.
  mutating func report(_ sentence: () -> String) {
    guard isDue() else { return }
    var line = TextBuffer()
    line.text("\r\u{1B}[Khark: ")
    line.printable(sentence())
    _ = Console.write(line.bytes, to: 2)
  }

  private mutating func isDue() -> Bool {
    guard isWanted, Console.now >= next else { return false }
    next = Console.now + Self.pause
    return true
  }

  /// Call it now and then.
  mutating func report(_ capture: Capture, packets: Int) {
    guard isDue() else { return }
    var line = TextBuffer()
    line.text("\r\u{1B}[Khark: ")
    if let size = capture.info.size, size > 0 {
      line.decimal(min(100, capture.position * 100 / size))
      line.text(" % of ")
    }
    line.printable(capture.name)
    line.text(", ")
    line.decimal(packets)
    line.text(" packets")
    _ = Console.write(line.bytes, to: 2)
  }

  func finish() {
    if isWanted, next > begin + Self.patience { Self.erase() }
  }

  /// Clears the line, if there can be one.
  static func erase() {
    guard Console.isErrorTerminal, !Console.isOutputTerminal else { return }
    _ = Console.write(Array("\r\u{1B}[K".utf8), to: 2)
  }

  /// A line while the passkey of a pairing is looked for, which is gone afterwards: lines that are printed
  /// meanwhile would wait as well.
  /// - Parameter percent: How much was tried; nil in the end.
  @Sendable static func keySearch(_ percent: Int?) {
    guard Console.isErrorTerminal else { return }
    var line = TextBuffer()
    line.text("\r\u{1B}[K")
    if let percent { line.string("hark: searching for the passkey of a pairing, \(percent) %") }
    _ = Console.write(line.bytes, to: 2)
  }
}
