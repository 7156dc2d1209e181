import HarkCore
import HarkPresentation
import HarkSession

/// The number of events in each bucket, for each lane of each party: the page draws these, so its work does not depend
/// on the number of events.
struct Density: Sendable {
  static let mostBuckets = 4_096

  private struct Cell {
    var count: UInt32 = 0
    var severity: UInt8 = 0
    /// The number of its first event.
    var first: UInt32 = 0
  }

  private let buckets: Int
  private let parties: [Int]
  /// By party, lane and bucket.
  private var cells: [[Cell]]

  private static let lanes = Event.Lane.allCases.count

  /// - Parameters:
  ///   - from, to: The times on the axis, in nanoseconds; events at `to` do not count.
  ///   - shown: The parties with their own lanes.
  init(
    _ events: borrowing EventTable, _ selection: PageAnswers.Selection, from: Int64, to: Int64,
    buckets: Int, shown: [Int]
  ) {
    (self.buckets, parties) = (buckets, shown)
    cells = [[Cell]](repeating: [], count: shown.count * Self.lanes)
    var places = [Int: Int]()
    for (place, party) in shown.enumerated() { places[party] = place }
    let intervals = AxisIntervals(from: from, to: to, count: buckets)
    var reader = events.reader
    let first = selection.row(of: reader.firstIndex(from: from))
    let last = selection.row(of: reader.firstIndex(from: to))
    for row in first..<max(first, last) {
      let index = selection.number(at: row)
      let event = reader[index]
      guard let place = places[Int(event.party)] else { continue }
      let bucket = intervals.index(of: event.axis)
      let line = place * Self.lanes + Int(event.lane)
      if cells[line].isEmpty { cells[line] = [Cell](repeating: Cell(), count: buckets) }
      if cells[line][bucket].count == 0 { cells[line][bucket].first = UInt32(index) }
      cells[line][bucket].count += 1
      cells[line][bucket].severity = max(cells[line][bucket].severity, event.severity)
    }
  }

  /// Four numbers for each bucket that is not empty: its index, the number of events, their worst severity,
  /// the first event.
  func write(to out: inout TextBuffer) {
    out.text(",\"lanes\":[")
    var isFirst = true
    for (line, cells) in cells.enumerated() where !cells.isEmpty {
      out.text(isFirst ? "{\"party\":" : ",{\"party\":")
      isFirst = false
      out.decimal(parties[line / Self.lanes])
      out.text(",\"lane\":\"")
      out.string(Event.Lane.allCases[line % Self.lanes].name)
      out.text("\",\"cells\":[")
      var isFirstCell = true
      for (bucket, cell) in cells.enumerated() where cell.count > 0 {
        if !isFirstCell { out.text(",") }
        isFirstCell = false
        for (place, value) in [bucket, Int(cell.count), Int(cell.severity), Int(cell.first)]
          .enumerated()
        {
          if place > 0 { out.text(",") }
          out.decimal(value)
        }
      }
      out.text("]}")
    }
    out.text("]")
  }
}

/// A part of the axis in intervals of the same length.
struct AxisIntervals {
  private let from: Int64
  private let to: Int64
  private let count: Int
  private let scale: Double

  /// - Parameter to: After `from`.
  init(from: Int64, to: Int64, count: Int) {
    (self.from, self.to, self.count) = (from, to, count)
    scale = Double(count) / Double(to - from)
  }

  /// The interval of a place; the first or the last one for places outside, as those of rows that cannot be read.
  func index(of axis: Int64) -> Int {
    if axis <= from { return 0 }
    if axis >= to { return count - 1 }
    return min(count - 1, Int(Double(axis - from) * scale))
  }
}
