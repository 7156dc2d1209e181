/// Memory that text is written into. It owns its bytes and cannot be copied, so that no write has to
/// ask whether somebody else sees them. `TextBuffer` is the form that can be passed around.
@safe public struct TextPen: ~Copyable, Sendable {
  @usableFromInline nonisolated(unsafe) var memory: UnsafeMutablePointer<UInt8>
  @usableFromInline var capacity: Int
  public private(set) var count = 0

  public init(reserving capacity: Int) {
    self.capacity = max(capacity, 64)
    unsafe memory = .allocate(capacity: self.capacity)
  }

  deinit { unsafe memory.deallocate() }

  public mutating func clear() { count = 0 }

  /// Cuts the text back to its first `count` bytes.
  public mutating func cut(to count: Int) {
    if count < self.count { self.count = max(0, count) }
  }

  /// The last byte; 0 where there is none.
  @inline(__always)
  public var last: UInt8 { count > 0 ? unsafe memory[count &- 1] : 0 }

  /// The text; valid until the next write.
  public var bytes: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: memory, count: count)
  }

  @inline(never)
  private mutating func grow(by bytes: Int) {
    let larger = max(capacity * 2, count + bytes)
    let new = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
    unsafe new.update(from: memory, count: count)
    unsafe memory.deallocate()
    unsafe memory = new
    capacity = larger
  }

  /// Lets `write` store up to `most` bytes at the end; it returns how many it stored.
  @inline(__always)
  mutating func add(_ most: Int, _ write: (UnsafeMutablePointer<UInt8>) -> Int) {
    if capacity &- count < most { grow(by: most) }
    count = unsafe count &+ write(memory + count)
  }

  @inline(__always)
  public mutating func byte(_ byte: UInt8) {
    if capacity == count { grow(by: 1) }
    unsafe memory[count] = byte
    count &+= 1
  }

  @inline(__always)
  public mutating func text(_ text: StaticString) {
    if text.hasPointerRepresentation {
      unsafe append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    } else {
      string(text.description)
    }
  }

  public mutating func string(_ text: some StringProtocol) {
    let isStored: Void? = text.utf8.withContiguousStorageIfAvailable { bytes in
      unsafe append(UnsafeRawBufferPointer(bytes))
    }
    if isStored == nil { append(text.utf8) }
  }

  public mutating func append(_ other: some Sequence<UInt8>) {
    for byte in other { self.byte(byte) }
  }

  public mutating func append(_ other: [UInt8]) { append(other, 0..<other.count) }

  @inline(__always)
  public mutating func append(_ other: UnsafeRawBufferPointer) {
    guard let start = other.baseAddress, other.count > 0 else { return }
    unsafe add(other.count) { end in
      // A call of memcpy takes longer than the pieces of text are long.
      if other.count <= 32 {
        unsafe Self.copy(start, other.count, to: UnsafeMutableRawPointer(end))
      } else {
        unsafe UnsafeMutableRawPointer(end).copyMemory(from: start, byteCount: other.count)
      }
      return other.count
    }
  }

  /// Copies 1 to 32 bytes in two pieces that may overlap.
  @inline(__always)
  private static func copy(
    _ from: UnsafeRawPointer, _ count: Int, to end: UnsafeMutableRawPointer
  ) {
    @inline(__always)
    func pieces<Word: BitwiseCopyable>(_: Word.Type) {
      let second = count &- MemoryLayout<Word>.size
      let (a, b) = unsafe (
        from.loadUnaligned(as: Word.self),
        from.loadUnaligned(fromByteOffset: second, as: Word.self)
      )
      unsafe end.storeBytes(of: a, as: Word.self)
      unsafe end.storeBytes(of: b, toByteOffset: second, as: Word.self)
    }
    if count >= 16 {
      pieces(SIMD16<UInt8>.self)
    } else if count >= 8 {
      pieces(UInt64.self)
    } else if count >= 4 {
      pieces(UInt32.self)
    } else if count >= 2 {
      pieces(UInt16.self)
    } else {
      pieces(UInt8.self)
    }
  }

  /// Appends the bytes of `other` in `range`.
  @inline(__always)
  public mutating func append(_ other: [UInt8], _ range: Range<Int>) {
    unsafe other.withUnsafeBytes { all in
      unsafe append(UnsafeRawBufferPointer(rebasing: all[range]))
    }
  }

  /// Appends the part of `range` that `bytes` has.
  public mutating func append(_ bytes: RawSpan, _ range: Range<Int>) {
    unsafe bytes.extracting(range.clamped(to: 0..<bytes.byteCount)).withUnsafeBytes { part in
      unsafe append(part)
    }
  }

  /// Blanks up to column `column` of the text that began at byte `start`.
  public mutating func pad(to column: Int, from start: Int) {
    let missing = column &- (count &- start)
    guard missing > 0 else { return }
    unsafe add(missing) { end in
      unsafe end.update(repeating: 0x20, count: missing)
      return missing
    }
  }
}
