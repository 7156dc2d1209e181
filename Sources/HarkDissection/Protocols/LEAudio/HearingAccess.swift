import HarkCore

/// Hearing Access Service: hearing aids and their presets. HAS 1.0, 3.
enum HearingAccess: Dissector {
  static let name: StaticString = "HAS"
  static let path: StaticString = "has"
  static let specification: StaticString = "Hearing Access Service 1.0, 3"
  static let controlPoint = BluetoothUUID(0x2BDB as UInt16)
  static let places: [AttachmentPoint] = [0x2BDA, 0x2BDB, 0x2BDC]
    .map { .attribute(BluetoothUUID(UInt16($0))) }

  // 3.1
  static let types: [UInt64: StaticString] = [
    0: "Binaural Hearing Aid", 1: "Monaural Hearing Aid", 2: "Banded Hearing Aid",
  ]
  static let features: [UInt64: StaticString] = [
    2: "Preset Synchronization Support", 3: "Independent Presets", 4: "Dynamic Presets",
    5: "Writable Presets Support",
  ]
  // 3.2, table 3.3
  static let opcodes: [UInt64: StaticString] = [
    0x01: "Read Presets Request", 0x02: "Read Preset Response", 0x03: "Preset Changed",
    0x04: "Write Preset Name", 0x05: "Set Active Preset", 0x06: "Set Next Preset",
    0x07: "Set Previous Preset", 0x08: "Set Active Preset - Synchronized Locally",
    0x09: "Set Next Preset - Synchronized Locally",
    0x0A: "Set Previous Preset - Synchronized Locally",
  ]
  static let changes: [UInt64: StaticString] = [
    0: "Generic Update", 1: "Preset Record Deleted", 2: "Preset Record Available",
    3: "Preset Record Unavailable",
  ]

  struct Fields: Sendable {
    let type = Field("Hearing Aid Type", names: types, inLine: true)
    let features = Field("Hearing Aid Features", .hex, flags: HearingAccess.features, inLine: true)
    let opcode = Field("Opcode", .hex, names: opcodes, title: true)
    let start = Field("Start_Index", inLine: true)
    let count = Field("Num_Presets", inLine: true)
    let isLast = Field("Is_Last", names: [0: "no", 1: "yes"])
    let change = Field("Change_Id", names: changes, inLine: true)
    let previous = Field("Prev_Index")
    let index = Field("Index", special: [0: "none"], inLine: true)
    let properties = Field("Properties", .hex, flags: [0: "Writable", 1: "Is_Available"])
    let presetName = Field("Name", .text, inLine: true, personal: .name)
  }
  static let fields = Fields()

  static func dissect(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    switch (pdu.context.attributeType ?? pdu.context.requestedType)?.short {
    case 0x2BDA:
      let word = try pdu.word(1, of: fields.features)
      pdu.part(fields.features, word & ~3, of: 1)
      pdu.part(fields.type, word & 3, of: 1)
    case 0x2BDB: try operation(&pdu)
    case 0x2BDC: try pdu.u8(fields.index)
    default: break
    }
  }

  static func operation(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    switch try pdu.u8(fields.opcode) {
    case 1:
      try pdu.u8(fields.start)
      try pdu.u8(fields.count)
    case 2:
      try pdu.u8(fields.isLast)
      try record(&pdu)
    case 3:
      let change = try pdu.u8(fields.change)
      try pdu.u8(fields.isLast)
      if change == 0 {
        try pdu.u8(fields.previous)
        try record(&pdu)
      } else {
        try pdu.u8(fields.index)
      }
    case 4:
      try pdu.u8(fields.index)
      try AdvertisingData.all(fields.presetName, &pdu)
    case 5, 8: try pdu.u8(fields.index)
    default: break
    }
  }

  /// 2.5: a preset record.
  static func record(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    try pdu.u8(fields.index)
    try pdu.u8(fields.properties)
    try AdvertisingData.all(fields.presetName, &pdu)
  }
}
