/// A datagram of a file transfer, in a session of type 1 of iAP2. Three independent implementations
/// agree on it.
enum IAP2FileTransfer: MessageDissector {
  static let name: StaticString = "iAP2 File Transfer"
  static let path: StaticString = "iap2.file"
  static let specification: StaticString =
    "not public; based on independent implementations"
  static let places: [AttachmentPoint] = [.iap2(1)]

  static let controls: [UInt64: StaticString] = [
    0x00: "Data", 0x01: "Start", 0x02: "Cancel", 0x03: "Pause", 0x04: "Setup", 0x05: "Success",
    0x06: "Failure", 0x40: "Last Data", 0x80: "First Data", 0xC0: "First and Only Data",
  ]

  struct Fields: Sendable {
    let transfer = Field("File Transfer Identifier", inLine: true)
    let control = Field("Control", .hex, names: controls, title: true)
    let size = Field("File Size", inLine: true)
    let data = Field("Data", .bytes, inLine: true, personal: .opaque)
  }
  static let fields = Fields()

  static func read(
    _ pdu: inout PDU<some Sink>, _ message: inout IAP2FileDatagram
  ) throws(Malformed) {
    message.transfer = try pdu.u8(fields.transfer)
    let control = try pdu.u8(fields.control)
    message.control = IAP2FileDatagram.Control(rawValue: control)
    if message.control == .setup {
      let size = try pdu.word(8, of: fields.size).byteSwapped
      pdu.part(fields.size, size, of: 8)
      message.size = size
    }
    message.data = pdu.rest(fields.data)
  }
}
