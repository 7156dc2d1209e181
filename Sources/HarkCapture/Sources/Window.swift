import HarkPlatform

/// The part of a capture that is in memory: one buffer of fixed size that moves forward.
///
/// Positions given to its functions count from the first byte not yet passed over.
@safe struct Window: ~Copyable {
  /// How far a reader may look ahead, and the most that is in memory: however the bytes come, no reader finds
  /// more of them.
  static let reach = 1 << 19
  /// How much is read at a time: what was read should still be in the processor's cache when it is
  /// looked at, and leave room there for what is made of it.
  static let step = 1 << 17

  let source: Source
  private let buffer: UnsafeMutableRawBufferPointer
  private var lower = 0
  private var upper = 0
  private var bufferOffset: Int64 = 0
  private var hasEnded = false
  /// Whether a record was found in what was read last; readers set it.
  var hasRecord = false
  /// How many bytes were read since the last record.
  private var gap = 0

  init(_ source: Source) {
    self.source = source
    // One more byte than there are, so that reading finds the end.
    let most =
      source.isRandomAccess ? source.size.map { min(Int(clamping: $0), Self.reach) + 1 } : nil
    unsafe buffer = .allocate(
      byteCount: min(Self.reach, max(most ?? Self.reach, 64)), alignment: 16)
  }

  deinit { unsafe buffer.deallocate() }

  /// Where the first byte not yet passed over lies in the capture, after decompression.
  @inline(__always)
  var offset: Int64 { bufferOffset &+ Int64(lower) }

  /// How many bytes are in memory.
  @inline(__always)
  var count: Int { upper &- lower }

  /// Whether `needed` bytes are there, after reading on if they were not. What lies after `reach`
  /// never is: lengths in the capture decide how far a reader wants to look.
  @inline(__always)
  mutating func ensure(_ needed: Int) -> Bool { upper &- lower >= needed || fill(needed) }

  @inline(never)
  private mutating func fill(_ needed: Int) -> Bool {
    if lower > 0 {
      unsafe buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[lower..<upper]))
      bufferOffset += Int64(lower)
      upper -= lower
      lower = 0
    }
    // To the end of the reach: what a reader finds in memory then does not depend on how much came at a time.
    let wanted = min(needed, Self.reach)
    while upper < wanted, !hasEnded {
      let added = unsafe source.read(
        into: UnsafeMutableRawBufferPointer(
          rebasing: buffer[upper..<min(upper + Self.step, buffer.count)]))
      upper += added
      hasEnded = added == 0
      gap = hasRecord ? added : gap &+ added
      hasRecord = false
      if !source.readsOn(after: gap) { hasEnded = true }
    }
    return upper >= needed
  }

  /// Reads once, and returns whether anything came.
  mutating func readOn() -> Bool {
    let before = count
    _ = fill(before + 1)
    return count > before
  }

  /// Passes over bytes that are in memory.
  @inline(__always)
  mutating func advance(_ bytes: Int) {
    precondition(bytes >= 0 && bytes <= count, "the window cannot move past what it holds")
    lower &+= bytes
  }

  /// Passes over the next byte and returns it; nil at the end.
  @inline(__always)
  mutating func next() -> UInt8? {
    guard ensure(1) else { return nil }
    defer { advance(1) }
    return byte(at: 0)
  }

  /// Passes over any number of bytes and returns how many were there.
  mutating func skip(_ bytes: Int) -> Int {
    var left = bytes
    while left > 0, ensure(1) {
      let step = min(left, count)
      advance(step)
      left -= step
    }
    return bytes - left
  }

  @inline(__always)
  private func load<T: FixedWidthInteger & BitwiseCopyable>(_ position: Int, as: T.Type) -> T {
    // Neither wraps: both counts are small.
    precondition(position >= 0 && position <= count &- MemoryLayout<T>.size, "outside the window")
    return unsafe buffer.baseAddress.unsafelyUnwrapped.loadUnaligned(
      fromByteOffset: lower &+ position, as: T.self)
  }

  @inline(__always)
  func byte(at position: Int) -> UInt8 { load(position, as: UInt8.self) }

  @inline(__always)
  func u16(at position: Int, _ order: CaptureInfo.ByteOrder) -> UInt16 {
    let value = load(position, as: UInt16.self)
    return order == .bigEndian ? value.bigEndian : value.littleEndian
  }

  @inline(__always)
  func u32(at position: Int, _ order: CaptureInfo.ByteOrder) -> UInt32 {
    let value = load(position, as: UInt32.self)
    return order == .bigEndian ? value.bigEndian : value.littleEndian
  }

  @inline(__always)
  func u64(at position: Int, _ order: CaptureInfo.ByteOrder) -> UInt64 {
    let value = load(position, as: UInt64.self)
    return order == .bigEndian ? value.bigEndian : value.littleEndian
  }

  /// Bytes in memory; valid until the next call that reads on.
  @inline(__always)
  func bytes(at position: Int, count bytes: Int) -> UnsafeRawBufferPointer {
    precondition(position >= 0 && bytes >= 0 && position <= count &- bytes, "outside the window")
    return unsafe UnsafeRawBufferPointer(
      start: buffer.baseAddress.unsafelyUnwrapped + (lower &+ position), count: bytes)
  }

  /// Whether it begins with these bytes.
  mutating func holds(_ mark: [UInt8]) -> Bool {
    guard ensure(mark.count) else { return false }
    return unsafe bytes(at: 0, count: mark.count).elementsEqual(mark)
  }

  /// Whether the bytes at `position` are `text`.
  mutating func holds(_ text: StaticString, at position: Int = 0) -> Bool {
    let length = text.utf8CodeUnitCount
    guard ensure(position + length) else { return false }
    let bytes = unsafe self.bytes(at: position, count: length)
    return unsafe bytes.elementsEqual(UnsafeBufferPointer(start: text.utf8Start, count: length))
  }
}
