/// Media packets of AVDTP: the header of RTP, and what the codec puts after it; and the packets of
/// RTP's control protocol that report of them. AVDTP 1.3, 7.2, 7.3; RFC 3550, 5.1, 6.
enum AVDTPMedia: MessageDissector {
  static let name: StaticString = "RTP"
  static let path: StaticString = "rtp"
  static let specification: StaticString =
    "Audio/Video Distribution Transport Protocol 1.3, 7.2, 7.3; RFC 3550, 5.1, 6"
  static let places: [AttachmentPoint] = [.media]

  static let answers: [UInt64: StaticString] = [0: "no", 1: "yes"]

  struct Fields: Sendable {
    let version = Field("Version")
    let padding = Field("Padding", names: answers)
    let hasExtension = Field("Extension", names: answers)
    let sources = Field("CSRC Count")
    let marker = Field("Marker", names: answers)
    let payloadType = Field("Payload Type")
    let sequence = Field("Sequence Number", inLine: true)
    let timestamp = Field("Timestamp", inLine: true, structural: true)
    let ssrc = Field("SSRC", .hex)
    let source = Field("CSRC", .hex)
    let extensionProfile = Field("Extension Profile", .hex)
    let extensionLength = Field("Extension Length", unit: "4 octets")
    let extensionData = Field("Extension Data", .bytes)
    let payload = Field("Media Payload", .bytes, personal: .opaque)
    let control = RTPControl()
  }
  static let fields = Fields()

  static func read(
    _ pdu: inout PDU<some Sink>, _ message: inout RTPPacket
  ) throws(Malformed) {
    guard pdu.peek() >> 6 == 2 || pdu.remaining == 0 else {
      throw pdu.invalid(fields.version, "is not 2")
    }
    if RTPControl.isControl(pdu.peek(1)) {
      message.isControl = true
      return try fields.control.read(&pdu)
    }
    let first = try pdu.word(1, of: fields.version)
    pdu.part(fields.version, first >> 6, of: 1)
    pdu.part(fields.padding, first >> 5 & 1, of: 1)
    pdu.part(fields.hasExtension, first >> 4 & 1, of: 1)
    pdu.part(fields.sources, first & 0xF, of: 1)
    let second = try pdu.word(1, of: fields.marker)
    pdu.part(fields.marker, second >> 7, of: 1)
    pdu.part(fields.payloadType, second & 0x7F, of: 1)
    message.header = RTPPacket.Header(
      sequence: try pdu.u16be(fields.sequence), timestamp: try pdu.u32be(fields.timestamp),
      source: try pdu.u32be(fields.ssrc))
    for _ in 0..<(first & 0xF) { try pdu.u32be(fields.source) }
    if first >> 4 & 1 == 1 {
      try pdu.u16be(fields.extensionProfile)
      let length = Int(try pdu.u16be(fields.extensionLength))
      if length > 0 { try pdu.bytes(4 * length, fields.extensionData) }
    }
    pdu.handToInner(orElse: fields.payload)
  }
}
