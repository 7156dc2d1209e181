import HarkCore

/// Google Fast Pair in advertising. Google, Fast Pair Service specification, Provider Advertising
/// Signal and Battery Notification; integers are big-endian.
enum FastPair: Dissector {
  static let name: StaticString = "Google Fast Pair"
  static let path: StaticString = "fastpair"
  static let specification: StaticString = "Google, Fast Pair Service specification"
  static let places: [AttachmentPoint] = [.serviceData(BluetoothUUID(0xFE2C as UInt16))]

  static let types: [UInt64: StaticString] = [
    0x0: "Account Key Filter, show UI indication", 0x1: "Salt",
    0x2: "Account Key Filter, hide UI indication", 0x3: "Battery, show UI indication",
    0x4: "Battery, hide UI indication", 0x5: "Random Resolvable Data", 0x7: "Model ID",
    0x8: "FP Capability Map",
  ]
  static let capabilities: [UInt64: StaticString] = [0: "Out of Box", 1: "LE Audio Sharing"]

  struct Fields: Sendable {
    let modelID = Field("Model ID", .hex, inLine: true)
    let version = Field("Version")
    let flags = Field("Flags", .hex)
    let parts = Field("Field", .list)
    let type = Field("Type", .hex, names: types, inLine: true)
    let length = Field("Length")
    let filter = Field("Account Key Filter", .bytes, personal: .identifier)
    let salt = Field("Salt", .bytes, personal: .opaque)
    let charging = Field("Charging", names: [0: "no", 1: "yes"])
    let left = Field("Left Bud Battery", lookup: FastPair.level, inLine: true)
    let right = Field("Right Bud Battery", lookup: FastPair.level, inLine: true)
    let box = Field("Case Battery", lookup: FastPair.level, inLine: true)
    let battery = Field("Battery", lookup: FastPair.level, inLine: true)
    let capabilities = Field("FP Capability Map", .hex, flags: FastPair.capabilities)
    let data = Field("Data", .bytes, personal: .opaque)
  }
  static let fields = Fields()

  @Sendable static func level(_ code: UInt64) -> String? { code == 0x7F ? "unknown" : "\(code) %" }

  static func dissect(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    // In pairing mode the model alone stands there.
    if pdu.remaining == 3 { return try modelID(&pdu) }
    let head = try pdu.word(1, of: fields.version)
    pdu.part(fields.version, head >> 4, of: 1)
    pdu.part(fields.flags, head & 0x0F, of: 1)
    while pdu.remaining > 0 {
      try pdu.group(fields.parts) { pdu throws(Malformed) in
        let head = try pdu.word(1, of: fields.type)
        pdu.part(fields.length, head >> 4, of: 1)
        pdu.part(fields.type, head & 0x0F, of: 1)
        try pdu.inside(Int(head >> 4), by: fields.length) { pdu throws(Malformed) in
          try value(head & 0x0F, &pdu)
        }
      }
    }
  }

  static func modelID(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    let word = try pdu.word(3, of: fields.modelID)
    pdu.part(fields.modelID, (word & 0xFF) << 16 | word & 0xFF00 | word >> 16, of: 3)
  }

  static func value(_ type: UInt64, _ pdu: inout PDU<some Sink>) throws(Malformed) {
    switch type {
    case 0, 2: try AdvertisingData.all(fields.filter, &pdu)
    case 1: try AdvertisingData.all(fields.salt, &pdu)
    case 3, 4:
      let isSet = pdu.remaining == 3
      for field in [fields.left, fields.right, fields.box] where isSet { try battery(field, &pdu) }
      while pdu.remaining > 0 { try battery(fields.battery, &pdu) }
    case 7 where pdu.remaining == 3: try modelID(&pdu)
    case 8 where pdu.remaining > 0: try pdu.u8(fields.capabilities)
    default: break
    }
    try AdvertisingData.all(fields.data, &pdu)
  }

  static func battery(_ field: Field, _ pdu: inout PDU<some Sink>) throws(Malformed) {
    let word = try pdu.word(1, of: field)
    pdu.part(fields.charging, word >> 7, of: 1)
    pdu.part(field, word & 0x7F, of: 1)
  }
}
