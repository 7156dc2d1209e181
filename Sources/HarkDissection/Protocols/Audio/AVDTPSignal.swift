/// A signal of AVDTP that was put together from a start packet and the packets that continue it:
/// their headers are left out, except that of the first. AVDTP 1.3, 8.4.
enum AVDTPSignal: MessageDissector {
  static let name: StaticString = "AVDTP"
  static let path: StaticString = "avdtp"
  static let specification: StaticString = "Audio/Video Distribution Transport Protocol 1.3, 8.4"
  static let places: [AttachmentPoint] = [.reassembled(0x0019)]

  static var fields: AVDTP.Fields { AVDTP.fields }

  static func read(
    _ pdu: inout PDU<some Sink>, _ message: inout AVDTPMessage
  ) throws(Malformed) {
    try AVDTP.header(&pdu, &message)
    message.packets = try pdu.u8(fields.packets)
    try AVDTP.signal(&pdu, &message)
  }
}
