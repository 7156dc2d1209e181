import HarkCapture
import HarkCore

/// Rows as JSON lines, compressed for each table. Pieces of gzip may follow each other (RFC 1952, 2.2), so that
/// a long capture needs little memory.
struct RowLines: Sendable {
  private var texts = [TextBuffer](repeating: TextBuffer(), count: ExportTable.allCases.count)

  private static let enough = 1 << 20

  /// - Parameter rows: As `RowBytes` has them.
  mutating func add(_ rows: [UInt8]) throws {
    try RowBytes.forEach(rows) { table, values in
      let index = Int(table.rawValue)
      var separator: StaticString = "{"
      for (column, value) in zip(table.columns, values) {
        // The day is the name of the folder.
        if table == .capture, column.name == "day" { continue }
        texts[index].text(separator)
        separator = ","
        texts[index].json(column.name)
        texts[index].text(":")
        switch value {
        case .null: texts[index].text("null")
        case .integer(let number): texts[index].decimal(number)
        case .text(let range): texts[index].json(String(decoding: rows[range], as: UTF8.self))
        }
      }
      texts[index].text("}\n")
    }
  }

  mutating func takeFrames(all: Bool, day: @autoclosure () -> String?) throws -> [UInt8] {
    var frames: [UInt8] = []
    for table in ExportTable.allCases {
      let count = texts[Int(table.rawValue)].count
      guard count >= Self.enough || all && count > 0 else { continue }
      let packed = try Deflater.pack(texts[Int(table.rawValue)].bytes, .gzip)
      frames += ExportFrame.lines(table, day: day(), packed).bytes
      texts[Int(table.rawValue)].clear()
    }
    return frames
  }
}
