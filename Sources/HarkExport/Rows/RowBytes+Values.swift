import HarkCore

// Values in other forms.
extension RowBytes {
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
