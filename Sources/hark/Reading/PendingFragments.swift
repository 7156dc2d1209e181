import HarkCapture
import HarkCore

/// The last records of a recording with a filter: the last fragment of a PDU shows whether the others are kept, and the
/// records in between wait for that, so that all stay in order.
struct PendingFragments {
  /// One record.
  struct Entry {
    fileprivate let number: UInt32
    let record: CaptureRecord
    /// Empty if it is not kept.
    let bytes: [UInt8]
    fileprivate(set) var isKept: Bool
    /// Whether it is not known yet whether it is kept.
    fileprivate var isOpen: Bool
  }

  // Records follow without gaps, so the number of one gives its place.
  private var entries: [Entry] = []
  /// How many of the entries have gone.
  private var gone = 0
  private var bytes = 0

  /// PDUs have at most 65,535 bytes, and controllers take at least 27 at once.
  private static let most = 4_096
  private static let mostBytes = 1 << 20
  /// How long, in nanoseconds, fragments wait: those of one PDU follow each other.
  private static let longest: Int64 = 2_000_000_000

  var isEmpty: Bool { gone == entries.count }

  /// Adds the next record.
  mutating func add(
    _ number: UInt32, _ record: CaptureRecord, _ bytes: RawSpan, isKept: Bool, isOpen: Bool
  ) {
    let kept = isKept || isOpen ? bytes.array : []
    self.bytes += kept.count
    entries.append(
      Entry(number: number, record: record, bytes: kept, isKept: isKept, isOpen: isOpen))
  }

  /// Keeps the fragments that are open.
  /// - Returns: How many.
  mutating func keep(_ fragments: [UInt32]) -> Int {
    guard !isEmpty else { return 0 }
    let first = entries[gone].number
    var count = 0
    for number in fragments.reversed() {
      guard number >= first else { break }
      let place = gone + Int(number - first)
      guard place < entries.count, entries[place].isOpen else { continue }
      (entries[place].isOpen, entries[place].isKept) = (false, true)
      count += 1
    }
    return count
  }

  /// Hands on the records that wait for no fragment any more; with `all` every one.
  mutating func release(all: Bool = false, _ body: (Entry) -> Void) {
    while !isEmpty, all || !entries[gone].isOpen || isOverdue {
      body(entries[gone])
      bytes -= entries[gone].bytes.count
      gone += 1
    }
    // Now and then, so that moving what is left costs little.
    guard isEmpty || gone >= Self.most else { return }
    entries.removeFirst(gone)
    gone = 0
  }

  /// Whether the first record has waited too long.
  private var isOverdue: Bool {
    guard let last = entries.last else { return false }
    return entries.count - gone > Self.most || bytes > Self.mostBytes
      || last.record.time.since(entries[gone].record.time) > Self.longest
  }
}
