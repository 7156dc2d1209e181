import HarkCore

/// Ethernet II frames, which recorders write of Wi-Fi, too. IEEE 802.3, 3.2; IEEE 802.1Q, 9.3.
enum Ethernet: MessageDissector {
  static let name: StaticString = "Ethernet"
  static let path: StaticString = "eth"
  static let specification: StaticString = "IEEE 802.3, 3.2; IEEE 802.1Q, 9.3"
  static let places: [AttachmentPoint] = [.record(.ethernet)]

  struct Fields: Sendable {
    let destination = Field("Destination Address", .address)
    let source = Field("Source Address", .address)
    let type = Field("Type", .hex, names: EthernetPayload.types)
    let vlan = Field("Tag Control Information", .hex)
    let payload = Field("Payload", .bytes, personal: .traffic)
  }
  static let fields = Fields()

  static func read(
    _ pdu: inout PDU<some Sink>, _ message: inout NetworkFrame
  ) throws(Malformed) {
    try NetworkFrame.address(fields.destination, &pdu)
    try NetworkFrame.address(fields.source, &pdu)
    var type = try pdu.u16be(fields.type)
    while EthernetPayload.isTag(type) {
      try pdu.u16be(fields.vlan)
      type = try pdu.u16be(fields.type)
    }
    message.carry(type == 0x0800 || type == 0x86DD, orElse: fields.payload, &pdu)
  }
}
