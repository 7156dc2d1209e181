extension RawSpan {
  /// The unsigned integer in the `count` bytes (0 to 8) at `offset`, least significant first.
  /// Bytes past the end count as zero: callers check lengths, and damaged input must not trap.
  @inlinable @inline(__always)
  public func unsigned(at offset: Int, _ count: Int) -> UInt64 {
    if offset >= 0, offset <= byteCount &- 8, count > 0, count <= 8 {
      let word = unsafe unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self)
      return word.littleEndian & (.max &>> UInt64(truncatingIfNeeded: (8 &- count) &* 8))
    }
    return unsignedAtEnd(offset, count)
  }

  @inline(never) @usableFromInline
  func unsignedAtEnd(_ offset: Int, _ count: Int) -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    var index = offset
    let end = Swift.min(offset + count, byteCount)
    while index < end {
      value |= UInt64(unsafe unsafeLoad(fromUncheckedByteOffset: index, as: UInt8.self)) << shift
      shift += 8
      index += 1
    }
    return value
  }

  /// The byte at `offset`, or 0 past the end.
  @inlinable
  public func byte(at offset: Int) -> UInt8 {
    guard offset >= 0, offset < byteCount else { return 0 }
    return unsafe unsafeLoad(fromUncheckedByteOffset: offset, as: UInt8.self)
  }

  /// A copy of the part of `range` that lies inside the span.
  public func array(_ range: Range<Int>) -> [UInt8] {
    let inside = range.clamped(to: 0..<byteCount)
    return unsafe extracting(inside).withUnsafeBytes { unsafe Array($0) }
  }

  /// A copy of all bytes.
  public var array: [UInt8] { array(0..<byteCount) }
}

extension Array where Element == UInt8 {
  /// The array's bytes, to be read like those of a packet.
  @inlinable
  public var raw: RawSpan {
    @_lifetime(borrow self)
    get { unsafe span.bytes }
  }
}
