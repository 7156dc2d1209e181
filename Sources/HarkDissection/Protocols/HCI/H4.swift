/// H4 packets whose packet indicator is not one of HCI's own: controllers of several vendors send
/// their diagnostics so. Core Specification, Vol 4, Part A, 2.
enum H4: Dissector {
  static let name: StaticString = "H4"
  static let path: StaticString = "h4"
  static let specification: StaticString = "Core Specification, Vol 4, Part A, 2"
  static let places: [AttachmentPoint] = [.record(.h4)]

  struct Fields: Sendable {
    let type = Field("HCI packet type", .hex, inLine: true)
    let packet = Field("Packet", .bytes, inLine: true, personal: .opaque)
  }
  static let fields = Fields()

  static func dissect(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    try pdu.u8(fields.type)
    pdu.rest(fields.packet)
  }
}
