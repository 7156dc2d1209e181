import HarkCore

/// Data of a USB interface for accessories, as one transfer carries it: a part of a stream of iAP2.
enum USBAccessoryData: Dissector {
  static let name: StaticString = "USB accessory"
  static let path: StaticString = "usb"
  static let specification: StaticString =
    "not public; based on independent implementations (wiomoc/iap2 and others)"
  static let places: [AttachmentPoint] = [.record(.usbAccessory)]

  struct Fields: Sendable {
    let data = Field("Data", .bytes, inLine: true, personal: .opaque)
    let secret = Secret()

    /// In place of the field of the same name, where a key or a passphrase may be in it.
    struct Secret: Sendable {
      let data = Field("Data", .bytes, inLine: true, secret: true, personal: .opaque)
    }
  }
  static let fields = Fields()

  static func dissect(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    let isSecret = pdu.context.isSecret
    pdu.rest(isSecret ? fields.secret.data : fields.data)
  }
}
