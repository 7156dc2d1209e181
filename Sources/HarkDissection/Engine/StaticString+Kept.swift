extension StaticString {
  /// Text that only a file contains, such as the name of a layout's field, kept for as long as the program runs. The
  /// declarations of built-in protocols are literals, and reading them counts no references; this gives other texts
  /// the same form.
  public init(kept text: String) {
    let bytes = Array(text.utf8)
    let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: bytes.count + 1)
    unsafe memory.initialize(repeating: 0, count: bytes.count + 1)
    for (index, byte) in bytes.enumerated() { unsafe memory[index] = byte }
    let isASCII = bytes.allSatisfy { $0 < 0x80 }
    // The parts of a literal: the layout of StaticString is frozen.
    let parts = Parts(
      start: UInt(bitPattern: memory), count: UInt(bytes.count), flags: isASCII ? 2 : 0)
    precondition(
      MemoryLayout<Parts>.size == MemoryLayout<StaticString>.size,
      "StaticString is laid out otherwise here")
    self = unsafe unsafeBitCast(parts, to: StaticString.self)
  }

  private struct Parts {
    let start: UInt
    let count: UInt
    let flags: UInt8
  }
}
