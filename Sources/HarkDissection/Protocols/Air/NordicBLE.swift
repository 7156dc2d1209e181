/// What Nordic's nRF Sniffer for Bluetooth LE puts in front of packets: link type 272.
/// Nordic Semiconductor, nRF Sniffer for Bluetooth LE, Sniffer protocol, versions 1 to 3.
enum NordicBLE: Dissector {
  static let name: StaticString = "nRF Sniffer"
  static let path: StaticString = "nordic"
  static let specification: StaticString = "Nordic Semiconductor, nRF Sniffer for Bluetooth LE"
  static let places: [Place] = [.record(.nordicBLE)]

  static let identifiers: [UInt64: StaticString] = [
    0x00: "REQ_FOLLOW", 0x01: "EVENT_FOLLOW", 0x02: "EVENT_PACKET_ADVERTISING",
    0x05: "EVENT_CONNECT", 0x06: "EVENT_PACKET", 0x07: "REQ_SCAN_CONT", 0x09: "EVENT_DISCONNECT",
    0x0C: "SET_TEMPORARY_KEY", 0x0D: "PING_REQ", 0x0E: "PING_RSP", 0x17: "SET_ADV_CHANNEL_HOP_SEQ",
  ]
  static let checks: [UInt64: StaticString] = [0: "wrong", 1: "right"]
  static let directions: [UInt64: StaticString] = [
    0: "Peripheral to Central", 1: "Central to Peripheral",
  ]
  static let answers: [UInt64: StaticString] = [0: "no", 1: "yes"]

  struct Fields: Sendable {
    let board = Field("Board")
    let headerLength = Field("Length of header")
    let payloadLength = Field("Length of payload")
    let version = Field("Protocol version")
    let counter = Field("Packet counter")
    let identifier = Field("Packet ID", .hex, names: identifiers)
    let length = Field("Length of packet header")
    let crc = Field("CRC", names: checks)
    let direction = Field("Direction", names: directions)
    let encrypted = Field("Encrypted", names: answers)
    let mic = Field("MIC", names: checks)
    let auxiliary = Field("Auxiliary PDU type", names: LERadio.auxiliaries)
    let resolved = Field("Address resolved", names: answers)
    let phy = Field("PHY", names: LERadio.phys)
    let reserved = Field("Reserved")
    let channel = Field("Channel index")
    let rssi = Field("RSSI", .signed, unit: "dBm")
    let eventCounter = Field("Event counter")
    let delta = Field("Delta time", unit: "1 µs")
    let timestamp = Field("Timestamp", unit: "1 µs")
    let payload = Field("Payload", .bytes)
  }
  static let fields = Fields()

  /// Whether a message of the sniffer carries a packet.
  static func isPacket(_ identifier: UInt8, _ version: UInt8) -> Bool {
    identifier == 0x06 || identifier == 0x02 && version == 3
  }

  static func dissect(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    try pdu.u8(fields.board)
    if pdu.peek(2) == 1 {
      try pdu.u8(fields.headerLength)
      try pdu.u8(fields.payloadLength)
    } else {
      try pdu.u16(fields.payloadLength)
    }
    let version = try pdu.u8(fields.version)
    try pdu.u16(fields.counter)
    let identifier = try pdu.u8(fields.identifier)
    guard 1...3 ~= version, isPacket(identifier, version) else {
      pdu.rest(fields.payload)
      return
    }
    try packet(version, identifier, &pdu)
    if let header = AirHeader(pdu.bytes, .nordicBLE) { header.tell(&pdu.context.linkLayer) }
    pdu.hand(to: .record(.leLinkLayer), orElse: fields.payload)
  }

  private static func packet(
    _ version: UInt8, _ identifier: UInt8, _ pdu: inout PDU<some Sink>
  ) throws(Malformed) {
    let length = Int(try pdu.u8(fields.length))
    try pdu.inside(length - 1, by: fields.length) { pdu throws(Malformed) in
      let flags = try pdu.word(1, of: fields.crc)
      pdu.part(fields.crc, flags & 1, of: 1)
      if version == 3, identifier == 0x02 {
        pdu.part(fields.auxiliary, flags >> 1 & 3, of: 1)
        pdu.part(fields.resolved, flags >> 3 & 1, of: 1)
      } else {
        pdu.part(fields.direction, flags >> 1 & 1, of: 1)
        pdu.part(fields.encrypted, flags >> 2 & 1, of: 1)
        pdu.part(fields.mic, flags >> 3 & 1, of: 1)
      }
      pdu.part(fields.phy, flags >> 4 & 7, of: 1)
      pdu.part(fields.reserved, flags >> 7, of: 1)
      try pdu.u8(fields.channel)
      // Its magnitude is sent.
      try pdu.bytes(1, fields.rssi, as: UInt64(0 &- pdu.peek()))
      try pdu.u16(fields.eventCounter)
      try pdu.u32(version == 3 ? fields.timestamp : fields.delta)
    }
  }
}
