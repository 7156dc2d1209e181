import HarkCore

/// Characteristic Properties. Core Specification, Vol 3, Part G, 3.3.1.1
package struct CharacteristicProperties: OptionSet, Sendable {
  package let rawValue: UInt8

  package static let read = CharacteristicProperties(rawValue: 1 << 1)
  package static let writeWithoutResponse = CharacteristicProperties(rawValue: 1 << 2)
  package static let write = CharacteristicProperties(rawValue: 1 << 3)
  package static let notify = CharacteristicProperties(rawValue: 1 << 4)
  package static let indicate = CharacteristicProperties(rawValue: 1 << 5)
  package static let signedWrite = CharacteristicProperties(rawValue: 1 << 6)

  package init(rawValue: UInt8) { self.rawValue = rawValue }
}

/// The value of a characteristic's declaration. Core Specification, Vol 3, Part G, 3.3.1
package struct CharacteristicDeclaration: Sendable {
  package let properties: UInt8
  package let valueHandle: UInt16
  package let uuid: BluetoothUUID

  /// Nil if the value has another size.
  package init?(_ value: RawSpan) {
    guard value.byteCount == 5 || value.byteCount == 19,
      let uuid = BluetoothUUID(littleEndian: value.extracting(3..<value.byteCount))
    else { return nil }
    properties = value.byte(at: 0)
    valueHandle = UInt16(truncatingIfNeeded: value.unsigned(at: 1, 2))
    self.uuid = uuid
  }
}

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
