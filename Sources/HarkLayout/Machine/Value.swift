/// A value while a layout runs: 16 bytes without references. Text and bytes lie in one of three
/// spaces; arrays, objects and streams are numbers of what the machine keeps.
struct Value {
  enum Tag: UInt8 {
    /// Nothing has been read or computed yet.
    case unset
    /// An instance that is being computed.
    case pending
    /// Left out by its `if`.
    case null
    case int
    /// An integer from 2^63 on.
    case bigInt
    case float, bool
    /// UTF-8.
    case string
    case bytes, enumeration, array, object, stream
  }

  /// Where text and bytes lie.
  enum Space: UInt32 {
    /// The packet.
    case packet
    /// What was made while the layout runs: decoded, unpacked, joined.
    case scratch
    /// Literals.
    case constants
  }

  var tag: Tag
  /// The space of bytes, or the number of an enum.
  var detail: UInt32 = 0
  var bits: UInt64 = 0

  static let null = Value(tag: .null)
  static let unset = Value(tag: .unset)

  init(tag: Tag, detail: UInt32 = 0, bits: UInt64 = 0) {
    (self.tag, self.detail, self.bits) = (tag, detail, bits)
  }

  init(_ value: Int) { self.init(tag: .int, bits: UInt64(bitPattern: Int64(value))) }

  init(_ value: Integer) { self.init(tag: value.isBig ? .bigInt : .int, bits: value.bits) }

  init(_ value: Double) { self.init(tag: .float, bits: value.bitPattern) }

  init(_ value: Bool) { self.init(tag: .bool, bits: value ? 1 : 0) }

  init(_ tag: Tag, number: Int) { self.init(tag: tag, bits: UInt64(truncatingIfNeeded: number)) }

  init(_ tag: Tag, _ space: Space, _ range: Range<Int>) {
    self.init(
      tag: tag, detail: space.rawValue,
      bits: UInt64(UInt32(truncatingIfNeeded: range.lowerBound)) << 32
        | UInt64(UInt32(truncatingIfNeeded: range.count)))
  }

  var isTrue: Bool { bits != 0 }
  var integer: Integer {
    tag == .bigInt ? Integer(unsigned: bits) : Integer(Int64(bitPattern: bits))
  }
  var double: Double { Double(bitPattern: bits) }
  var number: Int { Int(truncatingIfNeeded: bits) }
  var space: Space { Space(rawValue: detail) ?? .constants }
  var start: Int { Int(bits >> 32) }
  var count: Int { Int(bits & 0xFFFF_FFFF) }
  var range: Range<Int> { start..<(start + count) }
  var isInteger: Bool { tag == .int || tag == .bigInt }
}
