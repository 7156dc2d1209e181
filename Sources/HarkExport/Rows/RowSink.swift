import HarkCore
import HarkPresentation

/// Takes rows of tables: all values of a row, in the order of the table's columns.
public protocol RowSink {
  mutating func begin(_ table: ExportTable)
  mutating func integer(_ column: StaticString, _ value: Int64?)
  mutating func text(_ column: StaticString, _ value: String?)
  /// A text that is complete already, such as a JSON document.
  mutating func document(_ column: StaticString, _ value: TextBuffer)
  mutating func end()

  /// What is to be sent to the process that writes, once it is much.
  /// - Parameter day: Of the capture; nil where it is not known.
  /// - Returns: Whole frames; nothing as long as there is little.
  mutating func takeFrames(all: Bool, day: String?) throws -> [UInt8]
}

extension RowSink {
  mutating func number(_ column: StaticString, _ value: (some FixedWidthInteger)?) {
    integer(column, value.map { Int64(clamping: $0) })
  }

  mutating func flag(_ column: StaticString, _ value: Bool?) {
    integer(column, value.map { $0 ? 1 : 0 })
  }

  /// A time of the recorder's clock; null where that was not set.
  mutating func time(_ column: StaticString, _ time: Timestamp?) {
    integer(column, time.flatMap { $0.isDated ? $0.nanoseconds : nil })
  }

  /// An array of texts as JSON.
  mutating func texts(_ column: StaticString, _ values: [String]) {
    array(column, values) { $1.json($0) }
  }

  /// An array of numbers as JSON.
  mutating func numbers(_ column: StaticString, _ values: [UInt32]) {
    array(column, values) { $1.decimal(UInt64($0)) }
  }

  private mutating func array<Value>(
    _ column: StaticString, _ values: [Value], _ write: (Value, inout TextBuffer) -> Void
  ) {
    var out = TextBuffer()
    out.byte(UInt8(ascii: "["))
    for (index, value) in values.enumerated() {
      if index > 0 { out.byte(UInt8(ascii: ",")) }
      write(value, &out)
    }
    out.byte(UInt8(ascii: "]"))
    document(column, out)
  }
}
