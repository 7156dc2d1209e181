import HarkCore

/// Declarations of services, includes and characteristics, where they are read by their handles as other
/// attributes are. Their parts are those that discovery shows. Core Specification, Vol 3, Part G, 3.1 to 3.3.
enum GATTDeclaration: Dissector {
  static let name: StaticString = "GATT declaration"
  static let path: StaticString = "gatt.declaration"
  static let specification: StaticString = "Core Specification, Vol 3, Part G, 3.1 to 3.3"
  static let places: [AttachmentPoint] = [0x2800, 0x2801, 0x2802, 0x2803].map {
    .attribute(BluetoothUUID($0 as UInt16))
  }

  struct Fields: Sendable {
    let other = Field("Declaration", .bytes)
  }
  static let fields = Fields()

  static func dissect(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    let att = ATT.fields
    let type = pdu.context.attributeType ?? pdu.context.requestedType
    switch (type?.short, pdu.remaining) {
    case (0x2800, 2), (0x2800, 16), (0x2801, 2), (0x2801, 16):
      try pdu.uuid(pdu.remaining, att.declared.uuid)
    case (0x2802, 4), (0x2802, 6):
      try pdu.u16(att.includedHandle)
      try pdu.u16(att.groupEndHandle)
      if pdu.remaining > 0 { try pdu.uuid(2, att.declared.uuid) }
    case (0x2803, 5), (0x2803, 19):
      try pdu.u8(att.properties)
      try pdu.u16(att.valueHandle)
      try pdu.uuid(pdu.remaining, att.declared.ofAttribute.uuid)
    default: pdu.rest(fields.other)
    }
  }
}
