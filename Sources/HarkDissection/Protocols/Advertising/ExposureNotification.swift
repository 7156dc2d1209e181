import HarkCore

/// Apple and Google, Exposure Notification, Bluetooth Specification 1.2.
enum ExposureNotification: Dissector {
  static let name: StaticString = "Exposure Notification"
  static let path: StaticString = "exposure"
  static let specification: StaticString =
    "Exposure Notification, Bluetooth Specification 1.2"
  static let places: [AttachmentPoint] = [.serviceData(BluetoothUUID(0xFD6F as UInt16))]

  struct Fields: Sendable {
    let identifier = Field(
      "Rolling Proximity Identifier", .bytes, inLine: true, personal: .identifier)
    let metadata = Field("Associated Encrypted Metadata", .bytes, personal: .identifier)
  }
  static let fields = Fields()

  static func dissect(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    try pdu.bytes(16, fields.identifier)
    try pdu.bytes(4, fields.metadata)
  }
}
