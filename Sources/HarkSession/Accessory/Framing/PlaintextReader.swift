/// Reads binary plaintexts field by field and keeps each field's range.
struct PlaintextReader {
  let bytes: [UInt8]
  private(set) var offset = 0
  private var end: Int
  private(set) var fields: [PlaintextField] = []

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    end = bytes.count
  }

  var remaining: Int { end - offset }

  /// A number of `size` bytes (1 to 4).
  @discardableResult
  mutating func number(_ name: String, size: Int = 1) throws(PlaintextProblem) -> Int {
    let start = offset
    let value = try integer(name, size: size, littleEndian: false)
    add(name, start, .number(UInt64(value)))
    return value
  }

  /// Text behind its length in bytes, which has `size` bytes itself.
  mutating func text(
    _ name: String, size: Int, littleEndian: Bool = false
  ) throws(PlaintextProblem) -> String {
    let start = offset
    let count = try integer(name, size: size, littleEndian: littleEndian)
    let text = String(decoding: try take(name, count), as: UTF8.self)
    add(name, start, .text(text))
    return text
  }

  /// Bytes behind their length, which has `size` bytes itself; gives the length.
  mutating func block(_ name: String, size: Int) throws(PlaintextProblem) -> Int {
    let start = offset
    let count = try integer(name, size: size, littleEndian: false)
    _ = try take(name, count)
    add(name, start, .bytes)
    return count
  }

  /// All that is left, as text.
  mutating func rest(_ name: String) -> String {
    let start = offset
    let text = String(decoding: bytes[offset..<end], as: UTF8.self)
    offset = end
    add(name, start, .text(text))
    return text
  }

  /// Tag and length (one byte each) of the next field, unclaimed: the field's value claims them.
  mutating func header(_ name: String) throws(PlaintextProblem) -> (tag: UInt8, length: Int) {
    let tag = try integer(name, size: 1, littleEndian: false)
    let length = try integer(name, size: 1, littleEndian: false)
    guard length <= remaining else { throw short(name, length) }
    return (UInt8(truncatingIfNeeded: tag), length)
  }

  /// Claims the next `count` bytes together with the tag and length before them.
  mutating func value(
    _ name: String, count: Int, as kind: (ArraySlice<UInt8>) -> PlaintextField.Value
  ) throws(PlaintextProblem) -> ArraySlice<UInt8> {
    let start = offset - 2
    let slice = try take(name, count)
    add(name, start, kind(slice))
    return slice
  }

  /// Claims the tag and length just read and keeps what `read` reads inside the `count` bytes that
  /// follow; what it leaves is claimed as unknown.
  mutating func group(
    _ name: String, count: Int,
    _ read: (inout PlaintextReader) throws(PlaintextProblem) -> Void
  ) throws(PlaintextProblem) {
    add(name, offset - 2, .bytes)
    let outer = end
    end = min(end, offset + count)
    defer { end = outer }
    try read(&self)
    if remaining > 0 { skipRest() }
  }

  /// Bytes behind the last field, or nil.
  var problemOfTheRest: PlaintextProblem? {
    remaining > 0 ? .trailing(offset: offset, count: remaining) : nil
  }

  private mutating func skipRest() {
    let start = offset
    offset = end
    add("Unknown", start, .bytes)
  }

  private mutating func add(_ name: String, _ start: Int, _ value: PlaintextField.Value) {
    fields.append(PlaintextField(name: name, range: start..<offset, value: value))
  }

  private mutating func take(
    _ name: String, _ count: Int
  ) throws(PlaintextProblem) -> ArraySlice<UInt8> {
    guard count <= remaining else { throw short(name, count) }
    defer { offset += count }
    return bytes[offset..<offset + count]
  }

  private mutating func integer(
    _ name: String, size: Int, littleEndian: Bool
  ) throws(PlaintextProblem) -> Int {
    let slice = try take(name, size)
    return (littleEndian ? Array(slice.reversed()) : Array(slice)).reduce(0) { $0 << 8 | Int($1) }
  }

  private func short(_ name: String, _ needed: Int) -> PlaintextProblem {
    .tooShort(field: name, offset: offset, needed: needed, available: remaining)
  }
}
