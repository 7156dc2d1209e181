import HarkCore

/// Data elements of SDP: what precedes every value. Core Specification, Vol 3, Part B, 3.
struct SDPDataElement: Sendable {
  /// The type descriptors. 3.2
  enum Kind {
    static let unsigned: UInt8 = 1
    static let signed: UInt8 = 2
    static let uuid: UInt8 = 3
    static let text: UInt8 = 4
    static let boolean: UInt8 = 5
    static let sequence: UInt8 = 6
    static let alternative: UInt8 = 7
    static let url: UInt8 = 8
  }

  // 3.2
  static let kinds: [StaticString] = [
    "Nil", "Unsigned Integer", "Signed Integer", "UUID", "Text string", "Boolean",
    "Data element sequence", "Data element alternative", "URL",
  ]
  // 3.3
  static let sizes: [StaticString] = [
    ", 1 byte", ", 2 bytes", ", 4 bytes", ", 8 bytes", ", 16 bytes",
    ", size in 8 bits", ", size in 16 bits", ", size in 32 bits",
  ]

  let descriptor = Field("Data Element", .hex, lookup: SDPDataElement.name)
  let size = Field("Size", unit: "bytes")

  /// `Unsigned Integer, 2 bytes` for 0x09.
  @Sendable static func name(_ descriptor: UInt64) -> String? {
    let kind = Int(truncatingIfNeeded: descriptor >> 3 & 0x1F)
    guard kind < kinds.count else { return nil }
    return kind == 0 ? "Nil" : kinds[kind].description + sizes[Int(descriptor & 7)].description
  }

  /// The type descriptor of the element that begins at the window's position.
  static func kind(_ pdu: borrowing PDU<some Sink>) -> UInt8 { pdu.peek() >> 3 }

  /// Whether the window holds exactly one data element sequence.
  static func isWhole(_ pdu: borrowing PDU<some Sink>) -> Bool {
    switch pdu.peek() {
    case 0x35: return pdu.remaining == 2 + Int(pdu.peek(1))
    case 0x36: return pdu.remaining == 3 + (Int(pdu.peek(1)) << 8 | Int(pdu.peek(2)))
    case 0x37:
      var size = 0
      for octet in 1...4 { size = size << 8 | Int(pdu.peek(octet)) }
      return pdu.remaining == 5 + size
    default: return false
    }
  }

  /// Whether the sequence ahead begins as AttributeList or, with a sequence in it that does, as AttributeLists
  /// must: with an attribute ID, an unsigned integer of 16 bits. Vol 3, Part B, 4.6.2, 4.7.2
  static func holdsAttributes(_ pdu: borrowing PDU<some Sink>, areLists: Bool) -> Bool {
    var position = 0
    for _ in 0..<(areLists ? 2 : 1) {
      guard position < pdu.remaining else { return true }
      switch pdu.peek(position) {
      case 0x35: position += 2
      case 0x36: position += 3
      case 0x37: position += 5
      default: return false
      }
    }
    guard position < pdu.remaining else { return true }
    return pdu.peek(position) == 0x09
  }

  /// Reads the descriptor and the size of one element, then its value with `body`.
  func read<Out: Sink>(
    _ pdu: inout PDU<Out>, _ body: (inout PDU<Out>, UInt8) throws(Malformed) -> Void
  ) throws(Malformed) {
    let octet = try pdu.u8(descriptor)
    let kind = octet >> 3
    let count: Int
    switch octet & 7 {
    case 5: count = Int(try pdu.u8(size))
    case 6: count = Int(try pdu.u16be(size))
    case 7: count = Int(try pdu.u32be(size))
    default: count = kind == 0 ? 0 : 1 << Int(octet & 7)
    }
    try pdu.inside(count, by: octet & 7 < 5 ? descriptor : size) { pdu throws(Malformed) in
      try body(&pdu, kind)
    }
  }
}
