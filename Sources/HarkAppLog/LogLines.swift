import HarkCapture
import HarkCore
import HarkPlatform

/// The lines of a file, or of what an archive holds, one after the other, in bounded memory.
struct LogLines: ~Copyable {
  /// Longer lines are cut, and counted as damaged.
  static let longest = 1 << 20
  /// A line that continues for longer is no line of text, and what follows it none either.
  private static let endless = 1 << 26
  private static let chunk = 1 << 16

  private let descriptor: Int32
  /// Gives what comes next, or nothing at the end.
  private let more: (() -> ArraySlice<UInt8>)?
  private var buffer: [UInt8] = []
  private var taken = 0
  private var isAtEnd = false
  private var isBegun = false
  /// The lines that were cut.
  private(set) var cut = 0

  /// - Throws: `AppLogError` where the file cannot be opened.
  init(path: String) throws(AppLogError) {
    descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    more = nil
    guard descriptor >= 0 else {
      throw AppLogError("\(path): cannot open: \(systemMessage(errno))")
    }
  }

  /// The lines of what is in memory.
  init(_ bytes: [UInt8]) { (descriptor, buffer, isAtEnd, more) = (-1, bytes, true, nil) }

  /// The lines of `bytes` and what follows them.
  init(_ bytes: [UInt8], then more: @escaping () -> ArraySlice<UInt8>) {
    (descriptor, buffer, self.more) = (-1, bytes, more)
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// The next line without its end, and whether all of it is there; nil after the last.
  mutating func next() -> (line: [UInt8], isWhole: Bool)? {
    var line: [UInt8] = []
    var isWhole = true
    var count = 0
    while true {
      if taken == buffer.count {
        guard !isAtEnd, fill() else {
          if line.isEmpty, isWhole { return nil }
          break
        }
      }
      let end = buffer[taken...].firstIndex(of: 0x0A)
      let part = buffer[taken..<(end ?? buffer.count)]
      line += part.prefix(Self.longest - line.count)
      if line.count == Self.longest, isWhole, part.count > 0 {
        isWhole = false
        cut += 1
      }
      taken = end.map { $0 + 1 } ?? buffer.count
      if end != nil { break }
      count += part.count
      if count > Self.endless { isAtEnd = true }
    }
    if line.last == 0x0D { line.removeLast() }
    // A byte order mark of UTF-8.
    if !isBegun, line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
    isBegun = true
    return (line, isWhole)
  }

  private mutating func fill() -> Bool {
    if let more {
      (buffer, taken) = (Array(more()), 0)
      isAtEnd = buffer.isEmpty
      return !isAtEnd
    }
    buffer = [UInt8](repeating: 0, count: Self.chunk)
    taken = 0
    while true {
      let count = unsafe read(descriptor, &buffer, Self.chunk)
      if count < 0, errno == EINTR { continue }
      buffer.removeLast(Self.chunk - max(0, count))
      isAtEnd = count <= 0
      return count > 0
    }
  }
}

/// Why a file of the app's side cannot be used: a sentence for people.
public struct AppLogError: Error, CustomStringConvertible {
  public let description: String

  init(_ description: String) { self.description = description }
}
