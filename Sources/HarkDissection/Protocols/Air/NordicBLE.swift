import HarkCore

/// What Nordic's nRF Sniffer for Bluetooth LE puts in front of packets: link type 272.
/// Nordic Semiconductor, nRF Sniffer for Bluetooth LE, Sniffer protocol, versions 0 to 3.
enum NordicBLE: MessageDissector {
  static let name: StaticString = "nRF Sniffer"
  static let path: StaticString = "nordic"
  static let specification: StaticString = "Nordic Semiconductor, nRF Sniffer for Bluetooth LE"
  static let places: [AttachmentPoint] = [.record(.nordicBLE)]

  static let identifiers: [UInt64: StaticString] = [
    0x00: "REQ_FOLLOW", 0x01: "EVENT_FOLLOW", 0x02: "EVENT_PACKET_ADVERTISING",
    0x05: "EVENT_CONNECT", 0x06: "EVENT_PACKET", 0x07: "REQ_SCAN_CONT", 0x09: "EVENT_DISCONNECT",
    0x0C: "SET_TEMPORARY_KEY", 0x0D: "PING_REQ", 0x0E: "PING_RSP", 0x13: "SWITCH_BAUD_RATE_REQ",
    0x14: "SWITCH_BAUD_RATE_RSP", 0x17: "SET_ADV_CHANNEL_HOP_SEQ", 0x18: "SET_PRIVATE_KEY",
    0x19: "SET_LEGACY_LONG_TERM_KEY", 0x1A: "SET_SC_LONG_TERM_KEY", 0x1B: "REQ_VERSION",
    0x1C: "RSP_VERSION", 0x1D: "REQ_TIMESTAMP", 0x1E: "RSP_TIMESTAMP",
    0x1F: "SET_IDENTITY_RESOLVING_KEY", 0xFE: "GO_IDLE",
  ]
  static let checks: [UInt64: StaticString] = [0: "wrong", 1: "right"]
  static let directions: [UInt64: StaticString] = [
    0: "Peripheral to Central", 1: "Central to Peripheral",
  ]
  static let answers: [UInt64: StaticString] = [0: "no", 1: "yes"]

  struct Fields: Sendable {
    let marker = Field("Marker of version 0", .hex)
    let board = Field("Board")
    let headerLength = Field("Length of header")
    let payloadLength = Field("Length of payload")
    let version = Field("Protocol version")
    let counter = Field("Packet counter")
    let identifier = Field("Packet ID", .hex, names: identifiers, inLine: true)
    let unused = Field("Not used", .hex)
    let length = Field("Length of packet header")
    let crc = Field("CRC", names: checks)
    let direction = Field("Direction", names: directions)
    let encrypted = Field("Encrypted", names: answers)
    let mic = Field("MIC", names: checks)
    let auxiliary = Field("Auxiliary PDU type", names: LERadio.auxiliaries)
    let resolved = Field("Address resolved", names: answers)
    let phy = Field("PHY", names: LERadio.phys)
    let reserved = Field("Reserved", role: .reserved)
    let channel = Field("Channel index")
    let rssi = Field("RSSI", .signed, unit: "dBm")
    let eventCounter = Field("Event counter")
    let delta = Field("Delta time", unit: "1 µs")
    let timestamp = Field("Timestamp", unit: "1 µs", structural: true)
    let more = Field("More of the header", .bytes)
    let text = Field("Text", .text, inLine: true)
    let key = Field("Key", .bytes, secret: true)
    let payload = Field("Payload", .bytes, inLine: true)
    let other = Other()
  }

  /// In place of the field of the same name, where a message holds a packet under the name of another.
  struct Other: Sendable {
    let identifier = Field("Packet ID", .hex)
  }
  static let fields = Fields()

  static func read(
    _ pdu: inout PDU<some Sink>, _ message: inout NordicMessage
  ) throws(Malformed) {
    guard let header = NordicHeader(pdu.bytes) else {
      pdu.rest(fields.payload)
      return
    }
    switch header.layout {
    case .marked:
      try pdu.u16be(fields.marker)
      try identifier(header, &pdu)
      try pdu.u16(fields.counter)
      try pdu.u16(fields.unused)
      try pdu.u8(fields.payloadLength)
      pdu.inferred(fields.version, 0)
    case .octetLengths, .wordLength:
      try pdu.u8(fields.board)
      if header.layout == .octetLengths {
        try pdu.u8(fields.headerLength)
        try pdu.u8(fields.payloadLength)
      } else {
        try pdu.u16(fields.payloadLength)
      }
      try pdu.u8(fields.version)
      if header.version > 3 {
        pdu.note(.info, "newer than what is known: read as version 3", over: 1)
      }
      try pdu.u16(fields.counter)
      try identifier(header, &pdu)
    }
    guard header.isPacket else { return Self.message(header, &pdu, &message) }
    try packet(header, &pdu)
    if let header = AirHeader(pdu.bytes, .nordicBLE) { header.add(to: &pdu.context.linkLayer) }
    pdu.hand(to: .record(.leLinkLayer), orElse: fields.payload)
  }

  private static func identifier(
    _ header: NordicHeader, _ pdu: inout PDU<some Sink>
  ) throws(Malformed) {
    guard header.isPacket, !header.isNamedPacket else {
      try pdu.u8(fields.identifier)
      return
    }
    try pdu.u8(fields.other.identifier)
    pdu.note(.info, "does not identify a packet, but a packet follows", over: 1)
  }

  /// Messages between the sniffer and the program that controls it.
  private static func message(
    _ header: NordicHeader, _ pdu: inout PDU<some Sink>, _ message: inout NordicMessage
  ) {
    let count = pdu.remaining
    switch header.identifier {
    case 0x0C, 0x18...0x1A, 0x1F: pdu.rest(fields.key)
    case _ where isText(pdu): message.text = pdu.rest(fields.text)
    default: pdu.rest(fields.payload)
    }
    if count > 0 { pdu.note(.info, "a sniffer message, not a packet", over: count) }
  }

  private static func isText(_ pdu: PDU<some Sink>) -> Bool {
    for index in 0..<pdu.remaining {
      switch pdu.peek(index) {
      case 0x20...0x7E, 0x09, 0x0A, 0x0D: continue
      // What ends a text.
      case 0 where index > 0 && index + 1 == pdu.remaining: continue
      default: return false
      }
    }
    return pdu.remaining > 0
  }

  private static func packet(
    _ header: NordicHeader, _ pdu: inout PDU<some Sink>
  ) throws(Malformed) {
    if header.layout != .marked, try pdu.u8(fields.length) < 10 {
      pdu.note(.warning, "the header has 10 octets", over: 1)
    }
    let flags = try pdu.word(1, of: fields.crc)
    pdu.part(fields.crc, flags & 1, of: 1)
    if header.isAdvertising(pdu.bytes) {
      if pdu.peek() < 37 {
        pdu.part(fields.auxiliary, flags >> 1 & 3, of: 1)
      } else {
        pdu.part(fields.reserved, flags >> 1 & 3, of: 1)
      }
      pdu.part(header.version >= 3 ? fields.resolved : fields.reserved, flags >> 3 & 1, of: 1)
    } else {
      pdu.part(fields.direction, flags >> 1 & 1, of: 1)
      pdu.part(fields.encrypted, flags >> 2 & 1, of: 1)
      // Of a packet that is not encrypted there is no MIC to check.
      pdu.part(flags & 4 != 0 ? fields.mic : fields.reserved, flags >> 3 & 1, of: 1)
    }
    pdu.part(fields.phy, flags >> 4 & 7, of: 1)
    pdu.part(fields.reserved, flags >> 7, of: 1)
    try pdu.u8(fields.channel)
    // Its magnitude is sent.
    try pdu.bytes(1, fields.rssi, as: UInt64(0 &- pdu.peek()))
    try pdu.u16(fields.eventCounter)
    try pdu.u32(header.version >= 3 ? fields.timestamp : fields.delta)
    if header.start > pdu.position { try pdu.bytes(header.start - pdu.position, fields.more) }
  }
}
