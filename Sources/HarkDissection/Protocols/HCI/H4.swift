/// H4 packets whose packet indicator is not one of HCI's own: controllers of several vendors send
/// their diagnostics so. Core Specification, Vol 4, Part A, 2.
enum H4: MessageDissector {
  static let name: StaticString = "H4"
  static let path: StaticString = "h4"
  static let specification: StaticString = "Core Specification, Vol 4, Part A, 2"
  static let places: [AttachmentPoint] = [.record(.h4)]

  struct Fields: Sendable {
    let type = Field("HCI packet type", .hex, inLine: true)
    let packet = Field("Packet", .bytes, inLine: true, personal: .opaque)
    let diagnostic = Field(
      "Diagnostic", .hex, names: [0: "LMP sent", 1: "LMP received"], inLine: true)
    let peer = Field("UAP and LAP of the peer", .hex, personal: .identifier)
    let unknown = Field("Unknown", .bytes, personal: .opaque)
    let llid = Field("LLID", role: .continuation)
    let flow = Field("FLOW")
    let length = Field("LENGTH", unit: "octets")
    let pdu = Field("PDU", .group)
  }
  static let fields = Fields()

  static func read(
    _ pdu: inout PDU<some Sink>, _ message: inout DiagnosticPacket
  ) throws(Malformed) {
    let type = try pdu.u8(fields.type)
    guard type == broadcom, let headerPlace = placeOfHeader(pdu) else {
      pdu.rest(fields.packet)
      return
    }
    message.isReceived = try pdu.u8(fields.diagnostic) == 1
    try pdu.bytes(4, fields.unknown)
    message.peer = try pdu.u32be(fields.peer)
    if headerPlace > 9 { try pdu.bytes(headerPlace - 9, fields.unknown) }
    let length = try pdu.payloadHeader(fields.llid, fields.flow, fields.length)
    message.linkManager = pdu.position..<(pdu.position + length)
    try pdu.within(length, fields.pdu) { pdu in
      pdu.hand(to: .linkManager, orElse: fields.packet)
    }
    pdu.rest(fields.unknown)
  }

  /// Diagnostics of Broadcom's and Cypress's controllers have this packet indicator. No public specification: as
  /// controllers send them.
  private static let broadcom: UInt8 = 0x07

  /// Where the payload header of the LMP PDU is in a diagnostic packet, which has 63 octets: LLID 3, and a length that
  /// fits. Vol 2, Part B, 6.6.2. Nil if it has none.
  private static func placeOfHeader(_ pdu: borrowing PDU<some Sink>) -> Int? {
    let place: Int
    switch pdu.peek() {
    case 0: place = 9
    case 1: place = 12
    default: return nil
    }
    let header = pdu.peek(place)
    guard pdu.remaining == 63, header & 3 == 3, 1...17 ~= header >> 3 else { return nil }
    return place
  }
}
