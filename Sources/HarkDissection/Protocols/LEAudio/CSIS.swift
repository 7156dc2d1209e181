import HarkCore

/// Coordinated Set Identification Service: which devices belong together. CSIS 1.0.1, 5.
enum CSIS: MessageDissector {
  static let name: StaticString = "CSIS"
  static let path: StaticString = "csis"
  static let specification: StaticString = "Coordinated Set Identification Service 1.0.1, 5"
  static let sirk = BluetoothUUID(AttributeType.setIdentityResolvingKey)
  static let places: [AttachmentPoint] = [0x2B84, 0x2B85, 0x2B86, 0x2B87, 0x2C1A]
    .map { .attribute(BluetoothUUID(UInt16($0))) }

  struct Fields: Sendable {
    let type = Field("Type", names: [0: "Encrypted SIRK", 1: "Plain text SIRK"], inLine: true)
    let sirk = Field("Set Identity Resolving Key", .bytes, secret: true)
    let size = Field("Coordinated Set Size", inLine: true)
    let lock = Field("Set Member Lock", names: [1: "Unlocked", 2: "Locked"], inLine: true)
    let rank = Field("Set Member Rank", inLine: true)
    let setName = Field("Coordinated Set Name", .text, inLine: true, personal: .name)
  }
  static let fields = Fields()

  static func read(_ pdu: inout PDU<some Sink>, _ message: inout LEAudioValue) throws(Malformed) {
    switch (pdu.context.attributeType ?? pdu.context.requestedType)?.short {
    case 0x2B84:
      let type = try pdu.u8(fields.type)
      let sirk = try pdu.bytes(16, fields.sirk)
      message = .setIdentityResolvingKey(sirk, isEncrypted: type == 0)
    case 0x2B85: try pdu.u8(fields.size)
    case 0x2B86: try pdu.u8(fields.lock)
    case 0x2B87: try pdu.u8(fields.rank)
    case 0x2C1A: try AdvertisingData.all(fields.setName, &pdu)
    default: break
    }
  }
}
