/// Logical Link Control and Adaptation Protocol (L2CAP), basic frames.
/// Core Specification, Vol 3, Part A, 3.1.
enum L2CAP: Dissector {
  static let name: StaticString = "L2CAP"
  static let path: StaticString = "l2cap"
  static let places: [Place] = [.l2cap]

  // 2.1, tables 2.1 to 2.3
  static let channels: [UInt64: StaticString] = [
    0x0001: "L2CAP Signaling", 0x0002: "Connectionless", 0x0003: "AMP Manager",
    0x0004: "Attribute Protocol", 0x0005: "LE L2CAP Signaling", 0x0006: "Security Manager",
    0x0007: "BR/EDR Security Manager", 0x003F: "AMP Test Manager",
  ]

  struct Fields: Sendable {
    let length = Field("PDU Length")
    let cid = Field("Channel ID", .hex, names: channels, inLine: true)
    let payload = Field("Information Payload", .bytes, inLine: true)
  }
  static let fields = Fields()

  static func dissect(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    let length = try pdu.u16(fields.length)
    let cid = try pdu.u16(fields.cid)
    pdu.facts.cid = cid
    try pdu.limit(to: Int(length), by: fields.length)
    if cid < 0x40 {
      pdu.hand(to: .channel(cid), orElse: fields.payload)
    } else {
      pdu.handToChannel(orElse: fields.payload)
    }
  }
}
