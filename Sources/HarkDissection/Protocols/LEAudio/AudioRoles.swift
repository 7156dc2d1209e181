import HarkCore

/// What a device is in the Telephony and Media Audio Profile and in the Gaming Audio Profile.
/// TMAP 1.0, 4.2; GMAP 1.0, 4.
enum AudioRoles: Dissector {
  static let name: StaticString = "Audio Roles"
  static let path: StaticString = "audiorole"
  static let specification: StaticString =
    "Telephony and Media Audio Profile 1.0, 4; Gaming Audio Profile 1.0, 4"
  static let places: [AttachmentPoint] =
    [0x2B51, 0x2C00, 0x2C01, 0x2C02, 0x2C03, 0x2C04]
    .map { .attribute(BluetoothUUID(UInt16($0))) }
    + [.serviceData(BluetoothUUID(0x1855 as UInt16))]

  // TMAP 4.2, table 4.2
  static let telephonyAndMedia: [UInt64: StaticString] = [
    0: "Call Gateway", 1: "Call Terminal", 2: "Unicast Media Sender",
    3: "Unicast Media Receiver", 4: "Broadcast Media Sender", 5: "Broadcast Media Receiver",
  ]
  // GMAP 4
  static let gaming: [UInt64: StaticString] = [
    0: "Unicast Game Gateway", 1: "Unicast Game Terminal", 2: "Broadcast Game Sender",
    3: "Broadcast Game Receiver",
  ]
  static let gateway: [UInt64: StaticString] = [
    0: "UGG Multiplex", 1: "UGG 96 kbps Source", 2: "UGG Multisink",
  ]
  static let terminal: [UInt64: StaticString] = [
    0: "UGT Source", 1: "UGT 80 kbps Source", 2: "UGT Sink", 3: "UGT 64 kbps Sink",
    4: "UGT Multiplex", 5: "UGT Multisink", 6: "UGT Multisource",
  ]
  static let sender: [UInt64: StaticString] = [0: "BGS 96 kbps"]
  static let receiver: [UInt64: StaticString] = [0: "BGR Multisink", 1: "BGR Multiplex"]

  struct Fields: Sendable {
    let tmap = Field("TMAP Role", .hex, flags: telephonyAndMedia, inLine: true)
    let gmap = Field("GMAP Role", .hex, flags: gaming, inLine: true)
    let gateway = Field("UGG Features", .hex, flags: AudioRoles.gateway, inLine: true)
    let terminal = Field("UGT Features", .hex, flags: AudioRoles.terminal, inLine: true)
    let sender = Field("BGS Features", .hex, flags: AudioRoles.sender, inLine: true)
    let receiver = Field("BGR Features", .hex, flags: AudioRoles.receiver, inLine: true)
  }
  static let fields = Fields()

  static func dissect(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    switch (pdu.context.attributeType ?? pdu.context.requestedType)?.short {
    case 0x2C00: try pdu.u8(fields.gmap)
    case 0x2C01: try pdu.u8(fields.gateway)
    case 0x2C02: try pdu.u8(fields.terminal)
    case 0x2C03: try pdu.u8(fields.sender)
    case 0x2C04: try pdu.u8(fields.receiver)
    // In advertising no attribute is meant.
    default: try pdu.u16(fields.tmap)
    }
  }
}
