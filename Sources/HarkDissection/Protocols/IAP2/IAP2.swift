import HarkCore

/// The link of iAP2, Apple's accessory protocol, as independent implementations speak it
/// (wiomoc/iap2 and others): detection, link packets, their negotiation.
enum IAP2: MessageDissector {
  static let name: StaticString = "iAP2"
  static let path: StaticString = "iap2"
  static let specification: StaticString =
    "not public; based on independent implementations (wiomoc/iap2 and others)"
  /// Of the accessory, and of the Apple device.
  static let places: [AttachmentPoint] = [
    .service(IAP2LinkPacket.service),
    .service(BluetoothUUID(high: 0x0000_0000_DECA_FADE, low: 0xDECA_DEAF_DECA_CAFE)),
  ]

  /// What both sides send until the other one does: a frame of iAP1 that no iAP1 command has.
  static let detections: [UInt64: StaticString] = [0xFF55_0200_EE10: "iAP2 detection"]
  static let controls: [(bit: IAP2LinkPacket.Control, name: StaticString)] = [
    (.synchronize, "SYN"), (.acknowledgement, "ACK"), (.extendedAcknowledgement, "EAK"),
    (.reset, "RST"), (.sleep, "SLP"),
  ]

  struct Fields: Sendable {
    let detection = Field("Detection", .hex, names: detections, title: true)
    let start = Field("Start of Packet", .hex)
    let length = Field("Packet Length")
    let control = Field("Control", .hex, lookup: IAP2.controlName, title: true)
    let sequence = Field("Packet Sequence Number", inLine: true)
    let acknowledgement = Field("Packet Acknowledgement Number", inLine: true)
    let session = Field("Session Identifier", inLine: true)
    // Of the header, of which all stays.
    let headerChecksum = Field("Header Checksum", .hex, structural: true)
    let synchronization = IAP2Synchronization()
    /// The packets that an extended acknowledgement wants again.
    let missing = Field("Missing Sequence Number", inLine: true)
    let payload = Field("Payload", .bytes, inLine: true, personal: .opaque)
    let checksum = Field("Payload Checksum", .hex, checksum: IAP2.checksum)
    let secret = Secret()

    /// In place of the field of the same name, where a key or a passphrase may be in it.
    struct Secret: Sendable {
      let payload = Field("Payload", .bytes, inLine: true, secret: true, personal: .opaque)
    }
  }
  static let fields = Fields()

  /// The octet that makes the sum of all 0, modulo 256: of payloads, and of frames of iAP1.
  static let checksum: Field.Checksum = { UInt64(0 &- $0.reduce(0, &+)) }

  /// `SYN, ACK`; nil if no bit is known.
  static func controlName(_ value: UInt64) -> String? {
    let names = controls.filter { value & UInt64($0.bit.rawValue) != 0 }.map(\.name.description)
    return names.isEmpty ? nil : names.joined(separator: ", ")
  }

  static func read(
    _ pdu: inout PDU<some Sink>, _ message: inout IAP2LinkPacket
  ) throws(Malformed) {
    if pdu.peek(1) == 0x55 {
      let word = try pdu.word(6, of: fields.detection)
      return pdu.part(fields.detection, word.byteSwapped >> 16, of: 6)
    }
    let start = pdu.position
    try pdu.u16be(fields.start)
    let length = Int(try pdu.u16be(fields.length))
    let control = try pdu.u8(fields.control)
    message.control = IAP2LinkPacket.Control(rawValue: control)
    message.sequence = try pdu.u8(fields.sequence)
    message.acknowledgement = try pdu.u8(fields.acknowledgement)
    message.session = try pdu.u8(fields.session)
    try checksum(fields.headerChecksum, from: start, &pdu)
    guard length >= 9 else { throw pdu.invalid(fields.length, "is less than the header") }
    // Of a record that was cut by its recorder, what is there is read.
    let isCut = pdu.context.isTruncated && pdu.remaining < length - 9
    try pdu.limit(to: length - 9, by: fields.length)
    guard pdu.remaining > 0 else { return }
    let payload = pdu.position
    try pdu.inside(pdu.remaining - (isCut ? 0 : 1), by: fields.length) { pdu throws(Malformed) in
      message.payload = pdu.position..<pdu.end
      try readPayload(&pdu, &message)
    }
    if !isCut { message.isIntact = try checksum(fields.checksum, from: payload, &pdu) }
  }

  private static func readPayload(
    _ pdu: inout PDU<some Sink>, _ message: inout IAP2LinkPacket
  ) throws(Malformed) {
    if message.control.contains(.synchronize) {
      message.synchronization = try fields.synchronization.read(&pdu)
    } else if message.control.contains(.extendedAcknowledgement) {
      while pdu.remaining > 0 { try pdu.u8(fields.missing) }
    } else if pdu.remaining > 0 {
      let field = pdu.context.isSecret ? fields.secret.payload : fields.payload
      pdu.handToInner(orElse: field)
    }
  }

  /// The octet that makes the sum of all from `start` to itself 0; gives whether it does.
  @discardableResult
  private static func checksum(
    _ field: Field, from start: Int, _ pdu: inout PDU<some Sink>
  ) throws(Malformed) -> Bool {
    try pdu.u8(field)
    if sum(pdu.bytes, start..<pdu.position) == 0 { return true }
    pdu.note(.error, "does not match the octets before it", over: 1)
    return false
  }

  /// The sum of octets, modulo 256.
  static func sum(_ bytes: RawSpan, _ range: Range<Int>) -> UInt8 {
    var sum: UInt8 = 0
    for index in range { sum &+= bytes.byte(at: index) }
    return sum
  }
}
