import HarkCore

/// Rows on their way to the process that writes them into a database: of each the number of its table,
/// then its values, each after a byte that says what it is.
public struct RowBytes: RowSink, Sendable {
  private var bytes: [UInt8] = []

  private static let enough = 1 << 16

  public init() {}

  public mutating func begin(_ table: ExportTable) { bytes.append(table.rawValue) }

  public mutating func integer(_ column: StaticString, _ value: Int64?) {
    guard let value else { return bytes.append(Kind.null) }
    bytes.append(Kind.integer)
    bytes.append(little: value)
  }

  public mutating func text(_ column: StaticString, _ value: String?) {
    guard var value else { return bytes.append(Kind.null) }
    bytes.append(Kind.text)
    value.withUTF8 { utf8 in
      bytes.append(little: UInt32(clamping: utf8.count))
      unsafe bytes.append(contentsOf: utf8)
    }
  }

  public mutating func document(_ column: StaticString, _ value: TextBuffer) {
    bytes.append(Kind.text)
    bytes.append(little: UInt32(clamping: value.count))
    unsafe value.withBytes { unsafe bytes.append(contentsOf: $0) }
  }

  public mutating func end() {}

  public mutating func takeFrames(all: Bool, day: String?) throws -> [UInt8] {
    guard bytes.count >= Self.enough || all && !bytes.isEmpty else { return [] }
    let frame = ExportFrame.rows(bytes).bytes
    bytes.removeAll(keepingCapacity: true)
    return frame
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
