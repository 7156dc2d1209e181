import HarkCapture
import HarkCore
import HarkSession

/// A row of fixed size about an event.
protocol AxisRow: BitwiseCopyable, Sendable {
  /// Its position on the time axis, in nanoseconds; never less than the previous one.
  var axis: Int64 { get }
  /// Stands for a row that cannot be read.
  static var none: Self { get }
}

/// The facts about each event, without its text.
struct EventRow: AxisRow {
  var axis: Int64
  var party: UInt16
  var lane: UInt8
  var severity: UInt8

  static let none = EventRow(axis: 0, party: 0, lane: 0, severity: 0)
}

typealias EventTable = AxisTable<EventRow>

/// Rows in blocks; all blocks but the last are stored.
struct AxisTable<Row: AxisRow>: Sendable {
  private static var blockSize: Int { 1 << 13 }

  private var blocks: StoredBlocks
  /// The position of the first event of each stored block.
  private var starts: [Int64] = []
  private var open: [Row] = []

  init(_ file: TemporaryFile) { blocks = StoredBlocks(file) }

  var count: Int { starts.count * Self.blockSize + open.count }

  mutating func append(_ row: Row) {
    open.append(row)
    guard open.count == Self.blockSize else { return }
    starts.append(open[0].axis)
    unsafe open.withUnsafeBytes { unsafe blocks.append($0) }
    open.removeAll(keepingCapacity: true)
  }

  /// Reads rows, best in order: it holds one block at a time.
  struct Reader {
    fileprivate let table: AxisTable
    private var place = -1
    private var block: [Row] = []

    fileprivate init(_ table: AxisTable) { self.table = table }

    /// `Row.none` if the file cannot be read.
    subscript(index: Int) -> Row {
      mutating get {
        let (place, row) = index.quotientAndRemainder(dividingBy: AxisTable.blockSize)
        if place != self.place {
          block = place < table.starts.count ? table.storedRows(place) : table.open
          self.place = place
        }
        return row < block.count ? block[row] : .none
      }
    }
  }

  /// Reads the current contents. Release it before appending, which would otherwise copy everything in memory.
  var reader: Reader { Reader(self) }

  private func storedRows(_ place: Int) -> [Row] {
    let bytes = blocks[place]
    return (0..<(bytes.count / MemoryLayout<Row>.stride)).map { row in
      unsafe bytes.withUnsafeBytes { all in
        unsafe all.loadUnaligned(fromByteOffset: row * MemoryLayout<Row>.stride, as: Row.self)
      }
    }
  }
}

extension AxisTable.Reader {
  /// The first row at `place` or after it; the number of rows if there is none.
  mutating func firstIndex(from place: Int64) -> Int {
    // Among stored blocks, only the last one that begins before it can hold it.
    let before = table.starts.partitioningIndex { $0 >= place }
    let from = max(0, before - 1) * AxisTable<Row>.blockSize
    let to = before < table.starts.count ? before * AxisTable<Row>.blockSize : table.count
    return (from..<to).partitioningIndex { self[$0].axis >= place }
  }
}

extension AxisTable<EventRow> {
  mutating func append(_ event: Event, axis place: Int64, party: UInt16) {
    append(
      EventRow(
        axis: place, party: party, lane: event.lane.number,
        severity: event.severity.rawValue))
  }
}
