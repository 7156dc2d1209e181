import HarkCore

/// Which bonds a device deletes. Bond Management Service 1.0, 3.
enum BondManagement: Dissector {
  static let name: StaticString = "Bond Management"
  static let path: StaticString = "bonds"
  static let specification: StaticString = "Bond Management Service 1.0, 3"
  static let places: [AttachmentPoint] = [0x2AA4, 0x2AA5].map {
    .attribute(BluetoothUUID(UInt16($0)))
  }

  // 3.1.1
  static let opcodes: [UInt64: StaticString] = [
    0x01: "Delete bond of requesting device (BR/EDR and LE)",
    0x02: "Delete bond of requesting device (BR/EDR transport only)",
    0x03: "Delete bond of requesting device (LE transport only)",
    0x04: "Delete all bonds on server (BR/EDR and LE)",
    0x05: "Delete all bonds on server (BR/EDR transport only)",
    0x06: "Delete all bonds on server (LE transport only)",
    0x07: "Delete all but the active bond on server (BR/EDR and LE)",
    0x08: "Delete all but the active bond on server (BR/EDR transport only)",
    0x09: "Delete all but the active bond on server (LE transport only)",
  ]
  // 3.2.1
  static let features: [UInt64: StaticString] = [
    0: "Delete Bond of current connection (BR/EDR and LE)",
    1: "Authorization Code required for it",
    2: "Delete bond of current connection (BR/EDR transport only)",
    3: "Authorization Code required for it (BR/EDR transport only)",
    4: "Delete bond of current connection (LE transport only)",
    5: "Authorization Code required for it (LE transport only)",
    6: "Remove all bonds on server (BR/EDR and LE)",
    7: "Authorization Code required for all bonds",
    8: "Remove all bonds on server (BR/EDR transport only)",
    9: "Authorization Code required for all bonds (BR/EDR transport only)",
    10: "Remove all bonds on server (LE transport only)",
    11: "Authorization Code required for all bonds (LE transport only)",
    12: "Remove all but the active bond on server (BR/EDR and LE)",
    13: "Authorization Code required for all but the active bond",
    14: "Remove all but the active bond on server (BR/EDR transport only)",
    15: "Authorization Code required for all but the active bond (BR/EDR transport only)",
    16: "Remove all but the active bond on server (LE transport only)",
    17: "Authorization Code required for all but the active bond (LE transport only)",
    18: "Identify yourself", 23: "Feature Extension",
  ]

  struct Fields: Sendable {
    let opcode = Field("Op Code", .hex, names: opcodes, inLine: true)
    let code = Field("Authorization Code", .bytes, secret: true)
    let features = Field("Features", .hex, flags: BondManagement.features, inLine: true)
  }
  static let fields = Fields()

  static func dissect(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    switch (pdu.context.attributeType ?? pdu.context.requestedType)?.short {
    case 0x2AA4:
      try pdu.u8(fields.opcode)
      if pdu.remaining > 0 { try pdu.bytes(pdu.remaining, fields.code) }
    case 0x2AA5: try pdu.unsigned(3, fields.features)
    default: break
    }
  }
}
