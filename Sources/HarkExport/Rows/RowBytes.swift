import HarkCore

/// Rows on their way to the process that writes them into a database: of each the number of its table,
/// then its values, each after a byte that says what it is.
///
/// Takes all values of a row, in the order of the table's columns. It is one type for all forms of output, so that
/// its calls, some 15 for each event, cost no look-up of types.
public struct RowBytes: Sendable {
  private var bytes: [UInt8] = []
  /// Makes JSON lines of the rows; nil if they are sent as they are.
  private var lines: RowLines?
  /// The columns that the row has still to come: looked at by tests and debug builds alone.
  private var expected: ArraySlice<ExportTable.Column> = []

  private static let enough = 1 << 16

  /// - Parameter asLines: Whether the rows are sent as compressed JSON lines.
  public init(asLines: Bool = false) { lines = asLines ? RowLines() : nil }

  mutating func begin(_ table: ExportTable) {
    assert(expected.isEmpty)
    assert(expect(table.columns[...]))
    bytes.append(table.rawValue)
  }

  mutating func integer(_ column: StaticString, _ value: Int64?) {
    assert(isNext(column))
    guard let value else { return bytes.append(Kind.null) }
    bytes.append(Kind.integer)
    bytes.append(little: value)
  }

  mutating func text(_ column: StaticString, _ value: String?) {
    assert(isNext(column))
    guard var value else { return bytes.append(Kind.null) }
    value.withUTF8 { unsafe write(UnsafeRawBufferPointer($0)) }
  }

  /// A text that is complete already, such as a JSON document.
  mutating func document(_ column: StaticString, _ value: TextBuffer) {
    assert(isNext(column))
    unsafe value.withBytes { unsafe write($0) }
  }

  /// A word of hark's.
  mutating func word(_ column: StaticString, _ value: StaticString) {
    guard value.hasPointerRepresentation else { return text(column, value.description) }
    assert(isNext(column))
    unsafe write(UnsafeRawBufferPointer(start: value.utf8Start, count: value.utf8CodeUnitCount))
  }

  private mutating func write(_ text: UnsafeRawBufferPointer) {
    bytes.append(Kind.text)
    bytes.append(little: UInt32(clamping: text.count))
    unsafe bytes.append(contentsOf: text)
  }

  private mutating func expect(_ columns: ArraySlice<ExportTable.Column>) -> Bool {
    expected = columns
    return true
  }

  private mutating func isNext(_ column: StaticString) -> Bool {
    expected.popFirst()?.name == column.description
  }

  /// What is to be sent to the process that writes, once it is much.
  /// - Parameter day: Of the capture; nil if it is not known.
  /// - Returns: Whole frames; nothing as long as there is little.
  public mutating func takeFrames(
    all: Bool, day: @autoclosure () -> String?
  ) throws -> [UInt8] {
    guard bytes.count >= Self.enough || all else { return [] }
    defer { bytes.removeAll(keepingCapacity: true) }
    guard lines == nil else {
      try lines?.add(bytes)
      return try lines?.takeFrames(all: all, day: day()) ?? []
    }
    return bytes.isEmpty ? [] : ExportFrame.rows(bytes).bytes
  }

  enum Kind {
    static let null: UInt8 = 0
    static let integer: UInt8 = 1
    static let text: UInt8 = 2
  }

  /// A value in a list of rows.
  enum Value: Equatable {
    case null
    case integer(Int64)
    /// The bytes that it has there.
    case text(Range<Int>)
  }

  /// Something else than rows came.
  struct Problem: Error {}

  /// Gives each row to `body`.
  static func forEach(
    _ rows: [UInt8], _ body: (ExportTable, [Value]) throws -> Void
  ) throws {
    var place = 0
    var values: [Value] = []
    while place < rows.count {
      guard let table = ExportTable(rawValue: rows[place]) else { throw Problem() }
      place += 1
      values.removeAll(keepingCapacity: true)
      for column in table.columns {
        let value = try value(of: column.kind, in: rows, &place)
        values.append(value)
      }
      try body(table, values)
    }
  }

  private static func value(
    of kind: ExportTable.Column.Kind, in rows: [UInt8], _ place: inout Int
  ) throws -> Value {
    guard place < rows.count else { throw Problem() }
    let tag = rows[place]
    place += 1
    switch (tag, kind) {
    case (Kind.null, _): return .null
    case (Kind.integer, .integer):
      guard rows.count - place >= 8 else { throw Problem() }
      defer { place += 8 }
      return .integer(Int64(bitPattern: rows.little(at: place)))
    case (Kind.text, .text):
      guard rows.count - place >= 4 else { throw Problem() }
      let count = Int(rows.little(at: place) as UInt32)
      place += 4
      guard rows.count - place >= count else { throw Problem() }
      place += count
      return .text((place - count)..<place)
    default: throw Problem()
    }
  }
}
