/// Audio/Video Control Transport Protocol (AVCTP), control channel. AVCTP 1.4, 6.
enum AVCTP: MessageDissector {
  static let name: StaticString = "AVCTP"
  static let path: StaticString = "avctp"
  static let specification: StaticString = "Audio/Video Control Transport Protocol 1.4, 6"
  static let places: [AttachmentPoint] = [.psm(0x0017)]

  // 6.1.1
  static let packetTypes: [UInt64: StaticString] = [
    0: "single packet", 1: "start packet", 2: "continue packet", 3: "end packet",
  ]
  static let kinds: [UInt64: StaticString] = [0: "Command", 1: "Response"]
  static let answers: [UInt64: StaticString] = [0: "no", 1: "yes"]
  // Assigned Numbers, 3.3
  static let profiles: [UInt64: StaticString] = [
    0x110C: "A/V Remote Control Target", 0x110E: "A/V Remote Control",
    0x110F: "A/V Remote Control Controller",
  ]

  struct Fields: Sendable {
    let transaction = Field("Transaction label")
    let packetType = Field("Packet_type", names: packetTypes)
    let kind = Field("C/R", names: kinds)
    let invalidProfile = Field("IPID", names: answers)
    let packets = Field("Number of AVCTP packets")
    let profile = Field("Profile Identifier", .hex, names: profiles)
    let fragment = Field("Fragment", .bytes, role: .fragment)
    let message = Field("Message Information", .bytes)
  }
  static let fields = Fields()

  static func read(
    _ pdu: inout PDU<some Sink>, _ message: inout AVCTPPacket
  ) throws(Malformed) {
    try frame(isBrowsing: false, &pdu, &message)
  }

  static func frame(
    isBrowsing: Bool, _ pdu: inout PDU<some Sink>, _ message: inout AVCTPPacket
  ) throws(Malformed) {
    try header(&pdu, &message)
    switch message.type {
    case .single:
      let profile = try pdu.u16be(fields.profile)
      let place = isBrowsing ? AttachmentPoint.avctpBrowsing(profile) : .avctp(profile)
      message.profile = profile
      message.information = pdu.position..<pdu.end
      // Of a profile that is not there, no message is.
      if pdu.remaining > 0 { pdu.hand(to: place, orElse: fields.message) }
    case .start:
      message.packets = try pdu.u8(fields.packets)
      try pdu.u16be(fields.profile)
      pdu.rest(fields.fragment)
    case .continue, .end: message.information = pdu.rest(fields.fragment)
    }
  }

  /// 6.1.1: the octet every packet begins with.
  static func header(
    _ pdu: inout PDU<some Sink>, _ message: inout AVCTPPacket
  ) throws(Malformed) {
    let word = try pdu.word(1, of: fields.transaction)
    pdu.part(fields.transaction, word >> 4, of: 1)
    pdu.part(fields.packetType, word >> 2 & 3, of: 1)
    pdu.part(fields.kind, word >> 1 & 1, of: 1)
    pdu.part(fields.invalidProfile, word & 1, of: 1)
    let octet = UInt8(truncatingIfNeeded: word)
    message.transaction = octet >> 4
    message.type = AVCTPPacket.PacketType(rawValue: octet >> 2 & 3) ?? .single
    message.isResponse = octet >> 1 & 1 == 1
    message.hasUnknownProfile = message.isResponse && octet & 1 == 1
    pdu.context.isResponse = message.isResponse
  }
}

/// The browsing channel of AVCTP, whose messages have another form. AVRCP 1.6, 4.2.2.
enum AVCTPBrowsing: MessageDissector {
  static let name: StaticString = "AVCTP"
  static let path: StaticString = "avctp"
  static let specification: StaticString = "Audio/Video Remote Control Profile 1.6, 4.2.2"
  static let places: [AttachmentPoint] = [.psm(0x001B)]

  static var fields: AVCTP.Fields { AVCTP.fields }

  static func read(
    _ pdu: inout PDU<some Sink>, _ message: inout AVCTPPacket
  ) throws(Malformed) {
    try AVCTP.frame(isBrowsing: true, &pdu, &message)
  }
}

/// A message that was put together from a start packet and the packets that continue it: their
/// headers are left out, except that of the first. AVCTP 1.4, 6.1.
enum AVCTPMessage: MessageDissector {
  static let name: StaticString = "AVCTP"
  static let path: StaticString = "avctp"
  static let specification: StaticString = "Audio/Video Control Transport Protocol 1.4, 6.1"
  static let places: [AttachmentPoint] = [.reassembled(0x0017)]

  static var fields: AVCTP.Fields { AVCTP.fields }

  static func read(
    _ pdu: inout PDU<some Sink>, _ message: inout AVCTPPacket
  ) throws(Malformed) {
    try AVCTP.header(&pdu, &message)
    message.packets = try pdu.u8(fields.packets)
    let profile = try pdu.u16be(fields.profile)
    message.profile = profile
    message.information = pdu.position..<pdu.end
    pdu.hand(to: .avctp(profile), orElse: fields.message)
  }
}
