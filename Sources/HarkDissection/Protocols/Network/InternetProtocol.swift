import HarkCore

/// Packets of IP and the headers of TCP and UDP in them. RFC 791, 3.1; RFC 8200, 3 and 4; RFC 9293, 3.1; RFC 768.
enum InternetProtocol: MessageDissector {
  static let name: StaticString = "IP"
  static let path: StaticString = "ip"
  static let specification: StaticString = "RFC 791; RFC 8200; RFC 9293; RFC 768"
  static let places: [AttachmentPoint] = [.internetProtocol, .record(.rawIP)]

  struct Fields: Sendable {
    let packet = EthernetPayload()
  }
  static let fields = Fields()
  // Of other protocols than IP.
  static let fieldsOfOthers: Set<Field> = {
    let packet = fields.packet
    return [
      packet.networkType, packet.vlan, packet.network, packet.hardware, packet.protocolType,
      packet.hardwareLength, packet.protocolLength, packet.operation, packet.senderHardware,
      packet.targetHardware,
    ]
  }()

  static func read(_ pdu: inout PDU<some Sink>, _ message: inout IPPacket) throws(Malformed) {
    switch pdu.peek() >> 4 {
    case 4: try fields.packet.ipv4(&pdu, &message)
    case 6: try fields.packet.ipv6(&pdu, &message)
    default:
      let version = try pdu.word(1, of: fields.packet.version)
      pdu.part(fields.packet.version, version >> 4, of: 1)
      try AdvertisingData.all(fields.packet.payload, &pdu)
      return
    }
    try AdvertisingData.all(fields.packet.padding, &pdu)
  }
}
