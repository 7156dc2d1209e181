import HarkCapture
import HarkCore
import HarkPlatform
import Synchronization

/// A line on standard error while work takes long, gone when it is done. Only on a terminal.
struct Progress: ~Copyable {
  private var next: UInt64
  private let isStreaming: Bool

  /// Work that takes less is done before anyone asks, in nanoseconds.
  private static let waitLimit: UInt64 = 1_000_000_000
  private static let pause: UInt64 = 250_000_000

  /// Whether the line is there.
  private static let isShown = Atomic(false)
  /// When something was written to standard output.
  private static let lastOutput = Atomic<UInt64>(0)

  /// When the first work began: what comes after it continues its second.
  private static let begin = Console.now

  /// - Parameter isStreaming: Whether output is written meanwhile, which shows progress by itself.
  init(isStreaming: Bool) {
    self.isStreaming = isStreaming
    next = Self.begin + Self.waitLimit
  }

  /// As the other, of work that is no reading.
  mutating func report(_ sentence: () -> String) {
    if isDue() { Self.show(sentence()) }
  }

  private mutating func isDue() -> Bool {
    guard Console.isErrorTerminal else { return false }
    let now = Console.now
    guard now >= next else { return false }
    next = now + Self.pause
    guard isStreaming, Console.isOutputTerminal else { return true }
    return now - Self.lastOutput.load(ordering: .relaxed) > Self.waitLimit
  }

  /// Call it with each packet, after so many: asking for the time takes longer than many a packet.
  @inline(__always)
  mutating func report(_ capture: Capture, every packets: Int) {
    if packets & 0xFFF == 0 { reportIfDue(capture, packets) }
  }

  @inline(never)
  private mutating func reportIfDue(_ capture: Capture, _ packets: Int) {
    guard isDue() else { return }
    let share = capture.info.size.map { size in
      "\(size > 0 ? min(100, capture.position * 100 / size) : 100) % of "
    }
    Self.show("\(share ?? "")\(capture.name), \(packets) packets")
  }

  /// The same of captures that are merged.
  mutating func report(_ merge: CaptureMerge, every packets: Int) {
    guard packets & 0xFFF == 0 else { return }
    report(merge.captures[merge.current], every: packets)
  }

  func finish() { Self.erase() }

  /// Replaces the line.
  static func show(_ sentence: String) {
    isShown.store(true, ordering: .relaxed)
    var line = TextBuffer()
    line.text("\r\u{1B}[Khark: ")
    line.printable(sentence)
    _ = Console.write(line.bytes, to: 2)
  }

  /// Clears the line, if there is one.
  static func erase() {
    guard isShown.exchange(false, ordering: .relaxed) else { return }
    _ = Console.write(Array("\r\u{1B}[K".utf8), to: 2)
  }

  /// Clears the line before something is written to the terminal. What goes to a file leaves it there.
  static func beginOutput() {
    guard Console.isOutputTerminal else { return }
    erase()
    if Console.isErrorTerminal { lastOutput.store(Console.now, ordering: .relaxed) }
  }

  /// A line while the passkey of a pairing is searched for, which is gone afterwards.
  /// - Parameter percent: How much was tried; nil in the end.
  @Sendable static func keySearch(_ percent: Int?) {
    guard Console.isErrorTerminal else { return }
    if let percent { show("searching for the passkey of a pairing, \(percent) %") } else { erase() }
  }

  /// A line with the seconds that have passed while `work` is done, which does not report how far it is.
  static func during<Made>(_ sentence: String, _ work: () throws -> Made) rethrows -> Made {
    guard Console.isErrorTerminal, let ends = try? PipeEnds(to: "show progress") else {
      return try work()
    }
    let clock = PlatformThread {
      let begin = Console.now
      var over = pollfd(fd: ends.output, events: Int16(POLLIN), revents: 0)
      while unsafe poll(&over, 1, 1_000) == 0 {
        show("\(sentence), \((Console.now - begin) / 1_000_000_000) s")
      }
    }
    defer {
      close(ends.input)
      clock?.join()
      close(ends.output)
      erase()
    }
    return try work()
  }
}
