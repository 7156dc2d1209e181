/// Data of a session of Apple's External Accessory framework, in a session of type 2 of iAP2.
enum IAP2ExternalAccessory: Dissector {
  static let name: StaticString = "External Accessory"
  static let path: StaticString = "iap2.ea"
  static let specification: StaticString =
    "none that is public: as independent implementations speak it"
  static let places: [Place] = [.iap2(2)]

  struct Fields: Sendable {
    let session = Field("External Accessory Session Identifier", inLine: true)
    /// Bytes of the stream: what they mean is between app and accessory.
    let data = Field("Data", .bytes, inLine: true, personal: .opaque)
  }
  static let fields = Fields()

  static func dissect(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    pdu.facts.code = try pdu.u16be(fields.session)
    pdu.rest(fields.data)
  }
}
