/// Connectionless L2CAP frames. Core Specification, Vol 3, Part A, 3.2.
enum L2CAPConnectionless: Dissector {
  static let name: StaticString = "L2CAP Connectionless"
  static let path: StaticString = "l2cap.connectionless"
  static let specification: StaticString = "Core Specification, Vol 3, Part A, 3.2"
  static let places: [AttachmentPoint] = [.channel(0x0002)]

  struct Fields: Sendable {
    let psm = Field("PSM", .hex, lookup: L2CAP.protocolName, inLine: true)
    let payload = Field("Information Payload", .bytes, inLine: true, personal: .opaque)
  }
  static let fields = Fields()

  static func dissect(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    // The octet with an even least significant bit is the last: all that are known have two. 4.2
    var count = 2
    while pdu.peek(count - 1) & 1 == 1, count < 8 { count += 1 }
    try pdu.unsigned(count, fields.psm)
    pdu.rest(fields.payload)
  }
}
