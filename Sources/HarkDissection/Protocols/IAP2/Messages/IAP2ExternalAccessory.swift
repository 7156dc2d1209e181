import HarkCore

/// Data of a session of Apple's External Accessory framework, in a session of type 2 of iAP2.
enum IAP2ExternalAccessory: MessageDissector {
  static let name: StaticString = "External Accessory"
  static let path: StaticString = "iap2.ea"
  static let specification: StaticString =
    "not public; based on independent implementations"
  static let places: [AttachmentPoint] = [.iap2(2)]

  struct Fields: Sendable {
    let session = Field("External Accessory Session Identifier", inLine: true)
    /// Bytes of the stream: what they mean is between app and accessory.
    let data = Field("Data", .bytes, inLine: true, personal: .opaque)
  }
  static let fields = Fields()

  static func read(
    _ pdu: inout PDU<some Sink>, _ message: inout IAP2ExternalAccessoryData
  ) throws(Malformed) {
    message.session = try pdu.u16be(fields.session)
    message.data = pdu.rest(fields.data)
  }
}

/// Data of a session of External Accessory.
package struct IAP2ExternalAccessoryData: Message {
  /// Nil if the payload is shorter than its identifier.
  package internal(set) var session: UInt16?
  /// Where the data are in the payload.
  package internal(set) var data = 0..<0

  package init() {}

  package init(_ bytes: RawSpan) {
    self = IAP2ExternalAccessory.message(bytes, isCut: false).message
  }
}
