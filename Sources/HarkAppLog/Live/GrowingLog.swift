import HarkCore
import HarkSession

/// A log that grows beside a live capture: its entries as they come, and how its clock compares.
struct GrowingLog: Sendable {
  struct Entry: Sendable {
    /// By the log's own clock.
    let time: Timestamp
    let event: AppEvent
    /// When it was read, in nanoseconds of the monotonic clock.
    let arrived: Int64
  }

  /// A log is quiet after this time, in nanoseconds: its last entry has no more lines.
  private static let quiet: Int64 = 200_000_000

  private(set) var log: AppLog
  /// What waits to be reported.
  var waiting: [Entry] = []
  var clock: LiveClock
  private var bytes: GrowingBytes
  private var splitter = LineSplitter()
  private var reader: (any LogFormat)?
  /// Lines that came before one that says what format it is.
  private var head: [(line: [UInt8], isWhole: Bool)] = []
  private var lastRead: Int64 = 0
  /// Whether all that was there when it was opened was read: what comes later is new.
  private var isFresh = false
  private var isReported = false
  /// What is to be said about it on standard error.
  var problem: String?

  /// - Parameter offset: As the user gives it.
  init(_ name: String, own: AppNames, offset: Int64?) throws(AppLogError) {
    bytes = try GrowingBytes(name)
    log = AppLog(growing: name == "-" ? "standard input" : name, own)
    clock = LiveClock(offset: offset)
  }

  /// Reads what came since.
  /// - Parameter isLast: Whether this is the last time.
  mutating func read(at monotonic: Int64, _ now: Timestamp, isLast: Bool = false) {
    let more = bytes.read(at: monotonic)
    if more.isEmpty { isFresh = true } else { lastRead = monotonic }
    var lines: [(line: [UInt8], isWhole: Bool)] = []
    splitter.take(more) { lines.append(($0, $1)) }
    if isLast || bytes.isAtEnd { splitter.finish { lines.append(($0, $1)) } }
    for (line, isWhole) in lines { take(line, isWhole: isWhole, near: now) }
    let isQuiet = isLast || bytes.isAtEnd || monotonic - lastRead >= Self.quiet
    for entry in log.takeEntries(isQuiet: isQuiet) {
      if isFresh { clock.came(entry.time, at: now) }
      clock.note(entry)
      waiting.append(Entry(time: entry.time, event: entry.event, arrived: monotonic))
    }
  }

  private mutating func take(_ line: [UInt8], isWhole: Bool, near now: Timestamp) {
    if reader == nil, isWhole, let type = LogFormats.all.first(where: { $0.recognises(line) }) {
      reader = type.init(near: now)
      log.recognise(type)
      for (line, isWhole) in head { pass(line, isWhole) }
      head = []
    }
    guard reader == nil else { return pass(line, isWhole) }
    if head.count >= LogFormats.mostHead {
      head.removeFirst()
      if !isReported {
        isReported = true
        problem =
          "\(bytes.name): its first \(LogFormats.mostHead) lines do not belong to a log that hark recognizes; "
          + "hark keeps reading it"
      }
    }
    head.append((line, isWhole))
  }

  private mutating func pass(_ line: [UInt8], _ isWhole: Bool) {
    guard var reader else { return }
    log.read(line, isWhole: isWhole, &reader)
    self.reader = reader
  }
}
