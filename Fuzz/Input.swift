import HarkCore

/// The bytes of a fuzz target, taken from the front.
struct Input {
  private var rest: ArraySlice<UInt8>

  init(_ start: UnsafePointer<UInt8>, _ count: Int) {
    rest = ArraySlice(UnsafeBufferPointer(start: start, count: count))
  }

  var isEmpty: Bool { rest.isEmpty }

  /// 0 behind the end.
  mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

  /// Two bytes of length, least significant first, and this many bytes; fewer at the end.
  mutating func bytes() -> [UInt8] {
    let low = Int(byte())
    let count = Int(byte()) << 8 | low
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }

  /// Everything that is left.
  mutating func all() -> [UInt8] {
    defer { rest = [] }
    return Array(rest)
  }
}

/// What holds for text that hark writes: UTF-8, and no control characters but those that end lines
/// and columns.
func checkText(_ text: TextBuffer, _ what: StaticString) {
  let bytes = text.bytes
  precondition(String(validating: bytes, as: UTF8.self) != nil, "\(what) is UTF-8")
  precondition(
    bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x0A || $0 == 0x09 },
    "\(what) has no control characters")
}
