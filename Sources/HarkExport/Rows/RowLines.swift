import HarkCapture
import HarkCore

/// Rows as JSON lines, compressed for each table. Pieces of gzip may follow each other (RFC 1952, 2.2), so that
/// a long capture needs little memory.
public struct RowLines: RowSink, Sendable {
  private var texts = [TextBuffer](repeating: TextBuffer(), count: ExportTable.allCases.count)
  private var table = ExportTable.capture
  private var isFirst = true

  private static let enough = 1 << 20

  public init() {}

  public mutating func begin(_ table: ExportTable) {
    self.table = table
    isFirst = true
    texts[Int(table.rawValue)].byte(UInt8(ascii: "{"))
  }

  private mutating func write(_ column: StaticString, _ body: (inout TextBuffer) -> Void) {
    // The day is the name of the folder.
    if table == .capture, "\(column)" == "day" { return }
    let index = Int(table.rawValue)
    texts[index].text(isFirst ? "\"" : ",\"")
    isFirst = false
    texts[index].text(column)
    texts[index].text("\":")
    body(&texts[index])
  }

  public mutating func integer(_ column: StaticString, _ value: Int64?) {
    write(column) { out in
      if let value { out.decimal(value) } else { out.text("null") }
    }
  }

  public mutating func text(_ column: StaticString, _ value: String?) {
    write(column) { out in
      if let value { out.json(value) } else { out.text("null") }
    }
  }

  public mutating func document(_ column: StaticString, _ value: TextBuffer) {
    write(column) { $0.json(value.string) }
  }

  public mutating func end() { texts[Int(table.rawValue)].text("}\n") }

  public mutating func takeFrames(all: Bool, day: String?) throws -> [UInt8] {
    var frames: [UInt8] = []
    for table in ExportTable.allCases {
      let count = texts[Int(table.rawValue)].count
      guard count >= Self.enough || all && count > 0 else { continue }
      let packed = try Deflater.pack(texts[Int(table.rawValue)].bytes, .gzip)
      frames += ExportFrame.lines(table, day: day, packed).bytes
      texts[Int(table.rawValue)].clear()
    }
    return frames
  }
}
