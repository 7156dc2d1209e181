/// Text records of Apple's PacketLogger: notes, configuration, log lines. No public specification.
enum PacketLoggerNote: MessageDissector {
  static let name: StaticString = "Note"
  static let path: StaticString = "note"
  static let specification: StaticString = "not public: text records of PacketLogger"
  static let places: [AttachmentPoint] = [
    .record(.note), .record(.config), .record(.newController), .record(.systemLog),
    .record(.kernelLog), .record(.error), .record(.power),
  ]

  struct Fields: Sendable {
    let text = Field("Text", .text, inLine: true)
    let data = Field("Data", .bytes, inLine: true, personal: .opaque)
    let device = PacketLoggerDevice()
  }
  static let fields = Fields()

  static func read(
    _ pdu: inout PDU<some Sink>, _ message: inout PacketLoggerNoteMessage
  ) throws(Malformed) {
    // Some records of these types are binary.
    if isText(pdu.bytes) {
      message.text = pdu.rest(fields.text)
    } else if let form = PacketLoggerDevice.Form(pdu.bytes) {
      message.device = try fields.device.read(form, &pdu)
    } else {
      pdu.rest(fields.data)
    }
  }

  /// Whether the bytes are UTF-8 without control characters but those that set a text.
  static func isText(_ bytes: RawSpan) -> Bool {
    var end = bytes.byteCount
    while end > 0, bytes.byte(at: end - 1) == 0 { end -= 1 }
    if end == 0 { return bytes.byteCount == 0 }
    let octets = bytes.array(0..<end)
    return octets.allSatisfy { $0 >= 0x20 && $0 != 0x7F || 0x09...0x0D ~= $0 || $0 == 0x1B }
      && String(validating: octets, as: UTF8.self) != nil
  }
}

/// Records of Apple's PacketLogger of an undocumented type.
enum PacketLoggerRecord: Dissector {
  static let name: StaticString = "PacketLogger"
  static let path: StaticString = "packetlogger"
  static let specification: StaticString = "not public: records of PacketLogger"
  static let places: [AttachmentPoint] = [.record(.packetLogger)]

  struct Fields: Sendable {
    let type = Field("Record Type", .hex, inLine: true)
    let data = Field("Data", .bytes, inLine: true, personal: .opaque)
  }
  static let fields = Fields()

  static func dissect(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    try pdu.u8(fields.type)
    pdu.rest(fields.data)
  }
}

/// LMP records of Apple's PacketLogger. No public specification says what is in front of the PDU.
enum PacketLoggerLMP: Dissector {
  static let name: StaticString = "PacketLogger LMP"
  static let path: StaticString = "packetlogger.lmp"
  static let specification: StaticString =
    "Core Specification, Vol 2, Part C; none for what PacketLogger puts in front"
  static let places: [AttachmentPoint] = [.record(.lmp)]

  struct Fields: Sendable {
    let data = Field("Data", .bytes, inLine: true, personal: .opaque)
  }
  static let fields = Fields()

  static func dissect(_ pdu: inout PDU<some Sink>) throws(Malformed) { pdu.rest(fields.data) }
}
