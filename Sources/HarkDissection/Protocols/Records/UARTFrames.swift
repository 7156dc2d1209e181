import HarkCore

/// Frames of the Three-wire UART transport (H5) that carry no HCI packet: acknowledgments and the
/// establishment of the link. Core Specification, Vol 4, Part D.
enum ThreeWireUART: Dissector {
  static let name: StaticString = "Three-wire UART"
  static let path: StaticString = "h5"
  static let specification: StaticString = "Core Specification, Vol 4, Part D"
  static let places: [AttachmentPoint] = [.record(.threeWire)]

  // 4.4
  static let types: [UInt64: StaticString] = [
    0: "Acknowledgment Packet", 1: "HCI Command Packet", 2: "HCI ACL Data Packet",
    3: "HCI Synchronous Data Packet", 4: "HCI Event Packet", 5: "HCI ISO Data Packet",
    14: "Vendor Specific", 15: "Link Control Packet",
  ]
  // 8; each is two octets, in the order they are sent.
  static let messages: [UInt64: StaticString] = [
    0x017E: "SYNC", 0x027D: "SYNC RESPONSE", 0x03FC: "CONFIG", 0x047B: "CONFIG RESPONSE",
    0x05FA: "WAKEUP", 0x06F9: "WOKEN", 0x0778: "SLEEP",
  ]
  // 8.6.1
  static let flowControls: [UInt64: StaticString] = [0: "no", 1: "yes"]

  struct Fields: Sendable {
    let header = UARTHeader(types)
    let message = Field("Message", .hex, names: messages, title: true)
    let window = Field("Sliding Window Size", inLine: true)
    let flowControl = Field("OOF Flow Control", names: flowControls)
    let integrity = Field("Data Integrity Check Type", names: flowControls)
    let version = Field("Version Number")
    let payload = Field("Payload", .bytes, inLine: true)
    let crc = Field("Data Integrity Check", .hex)
  }
  static let fields = Fields()

  static func dissect(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    let (type, hasCheck) = try fields.header.read(&pdu)
    let payload = pdu.remaining - (hasCheck ? 2 : 0)
    guard payload >= 0 else { return }
    try pdu.inside(payload, by: fields.header.length) { pdu throws(Malformed) in
      if type == 15, pdu.remaining >= 2 { try control(&pdu) }
      try AdvertisingData.all(fields.payload, &pdu)
    }
    if hasCheck { try pdu.u16be(fields.crc) }
  }

  /// 8: a message and, in CONFIG and CONFIG RESPONSE, the configuration field.
  static func control(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    let message = try pdu.u16be(fields.message)
    guard message == 0x03FC || message == 0x047B, pdu.remaining > 0 else { return }
    let word = try pdu.word(1, of: fields.window)
    pdu.part(fields.window, word & 7, of: 1)
    pdu.part(fields.flowControl, word >> 3 & 1, of: 1)
    pdu.part(fields.integrity, word >> 4 & 1, of: 1)
    pdu.part(fields.version, word >> 5, of: 1)
  }
}

/// Frames of CSR's BlueCore Serial Protocol that carry no HCI packet. Its header is that of H5, which
/// was made from it. CSR, BlueCore Serial Protocol, and BCSP Link Establishment Protocol.
enum BCSPFrame: Dissector {
  static let name: StaticString = "BCSP"
  static let path: StaticString = "bcsp"
  static let specification: StaticString = "CSR, BlueCore Serial Protocol (BCSP)"
  static let places: [AttachmentPoint] = [.record(.bcsp)]

  static let channels: [UInt64: StaticString] = [
    0: "Acknowledgement", 1: "Link establishment", 2: "BCCMD", 3: "HQ", 4: "Device management",
    5: "HCI command or event", 6: "HCI ACL data", 7: "HCI SCO data",
  ]
  static let messages: [UInt64: StaticString] = [
    0xDADC_EDED: "sync", 0xACAF_EFEE: "sync-resp", 0xADEF_ACED: "conf", 0xDEAD_D0D0: "conf-resp",
  ]

  struct Fields: Sendable {
    let header = UARTHeader(channels)
    let message = Field("Message", .hex, names: messages, title: true)
    let payload = Field("Payload", .bytes, inLine: true)
    let crc = Field("Data Integrity Check", .hex)
  }
  static let fields = Fields()

  static func dissect(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    let (channel, hasCheck) = try fields.header.read(&pdu)
    let payload = pdu.remaining - (hasCheck ? 2 : 0)
    guard payload >= 0 else { return }
    try pdu.inside(payload, by: fields.header.length) { pdu throws(Malformed) in
      if channel == 1, pdu.remaining == 4 { try pdu.u32be(fields.message) }
      try AdvertisingData.all(fields.payload, &pdu)
    }
    if hasCheck { try pdu.u16be(fields.crc) }
  }
}

/// The header in front of each frame. Core Specification, Vol 4, Part D, 4.
struct UARTHeader: Sendable {
  static let flags: [UInt64: StaticString] = [0: "no", 1: "yes"]

  let sequence = Field("Sequence Number")
  let acknowledgment = Field("Acknowledgment Number", inLine: true)
  let hasCheck = Field("Data Integrity Check Present", names: flags)
  let isReliable = Field("Reliable Packet", names: flags)
  let type: Field
  let length = Field("Payload Length")
  // Of the header, of which all stays.
  let checksum = Field("Header Checksum", .hex, structural: true)

  init(_ types: [UInt64: StaticString]) {
    type = Field("Packet Type", names: types, title: true)
  }

  /// Gives the type of the packet, and whether a check is after its payload.
  func read(_ pdu: inout PDU<some Sink>) throws(Malformed) -> (type: UInt64, hasCheck: Bool) {
    let word = try pdu.word(3, of: sequence)
    pdu.part(sequence, word & 7, of: 3)
    pdu.part(acknowledgment, word >> 3 & 7, of: 3)
    pdu.part(hasCheck, word >> 6 & 1, of: 3)
    pdu.part(isReliable, word >> 7 & 1, of: 3)
    pdu.part(type, word >> 8 & 0xF, of: 3)
    pdu.part(length, word >> 12, of: 3)
    try pdu.u8(checksum)
    return (word >> 8 & 0xF, word >> 6 & 1 == 1)
  }
}
