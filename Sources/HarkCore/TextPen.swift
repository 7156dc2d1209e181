/// Memory that text is written into. It owns its bytes and cannot be copied, so that no write has to
/// ask whether somebody else sees them. `TextBuffer` is the form that can be passed around.
@safe public struct TextPen: ~Copyable, Sendable {
  @usableFromInline nonisolated(unsafe) var memory: UnsafeMutablePointer<UInt8>
  @usableFromInline var capacity: Int
  @usableFromInline var length = 0

  /// How many bytes were written.
  @inlinable public var count: Int { length }

  public init(reserving capacity: Int) {
    self.capacity = max(capacity, 64)
    unsafe memory = .allocate(capacity: self.capacity)
  }

  deinit { unsafe memory.deallocate() }

  public mutating func clear() { length = 0 }

  /// Cuts the text back to its first `count` bytes.
  public mutating func cut(to count: Int) {
    if count < length { length = max(0, count) }
  }

  /// The last byte; 0 if there is none.
  @inlinable @inline(__always)
  public var last: UInt8 { count > 0 ? unsafe memory[count &- 1] : 0 }

  /// The text; valid until the next write.
  public var bytes: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: memory, count: count)
  }

  @inline(never) @usableFromInline
  mutating func grow(by bytes: Int) {
    let larger = max(capacity * 2, count + bytes)
    let new = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
    unsafe new.update(from: memory, count: count)
    unsafe memory.deallocate()
    unsafe memory = new
    capacity = larger
  }

  /// Lets `write` store up to `most` bytes at the end; it returns how many it stored.
  @inlinable @inline(__always)
  mutating func add(_ most: Int, _ write: (UnsafeMutablePointer<UInt8>) -> Int) {
    if capacity &- count < most { grow(by: most) }
    length = unsafe length &+ write(memory + length)
  }

  @inlinable @inline(__always)
  public mutating func byte(_ byte: UInt8) {
    if capacity == count { grow(by: 1) }
    unsafe memory[length] = byte
    length &+= 1
  }

  @inlinable @inline(__always)
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

  @inlinable @inline(__always)
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

  /// Appends `count` bytes from `start`, where at least `padding` bytes can be read: short texts are
  /// then copied without a look at how long they are.
  @inlinable @inline(__always)
  public mutating func append(padded start: UnsafeRawPointer, count: Int) {
    guard count <= Self.padding else {
      return unsafe append(UnsafeRawBufferPointer(start: start, count: count))
    }
    unsafe add(Self.padding) { end in
      let target = UnsafeMutableRawPointer(end)
      let low = unsafe start.loadUnaligned(as: SIMD16<UInt8>.self)
      let high = unsafe start.loadUnaligned(fromByteOffset: 16, as: SIMD16<UInt8>.self)
      unsafe target.storeBytes(of: low, as: SIMD16<UInt8>.self)
      unsafe target.storeBytes(of: high, toByteOffset: 16, as: SIMD16<UInt8>.self)
      return count
    }
  }

  /// As above, from the beginning of an array, which has at least `padding` elements.
  @inlinable @inline(__always)
  public mutating func append(padded bytes: [UInt8], count: Int) {
    precondition(bytes.count >= Self.padding && count <= bytes.count, "the text is not padded")
    unsafe bytes.withUnsafeBytes { all in
      if let start = all.baseAddress { unsafe append(padded: start, count: count) }
    }
  }

  /// How many bytes `append(padded:count:)` reads at least.
  @inlinable public static var padding: Int { 32 }

  /// Copies 1 to 32 bytes in two pieces that may overlap.
  @inlinable @inline(__always)
  static func copy(
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
  @inlinable @inline(__always)
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
    blanks(column &- (count &- start))
  }

  /// Blanks, if `count` is more than none.
  public mutating func blanks(_ count: Int) {
    guard count > 0 else { return }
    unsafe add(max(count, 16)) { end in
      if count <= 16 {
        let blanks = SIMD16<UInt8>(repeating: 0x20)
        unsafe UnsafeMutableRawPointer(end).storeBytes(of: blanks, as: SIMD16<UInt8>.self)
      } else {
        unsafe end.update(repeating: 0x20, count: count)
      }
      return count
    }
  }
}
