import HarkCore

/// Multi-Channel Adaptation Protocol: the control channel of health devices. MCAP 1.0, 5 and 6.
enum MCAP: Dissector {
  static let name: StaticString = "MCAP"
  static let path: StaticString = "mcap"
  static let specification: StaticString = "Multi-Channel Adaptation Protocol 1.0, 5 and 6"
  static let places: [AttachmentPoint] = [
    .service(BluetoothUUID(0x1400 as UInt16)), .service(BluetoothUUID(0x1401 as UInt16)),
    .service(BluetoothUUID(0x1402 as UInt16)),
  ]

  // 5.1.2, 6.2
  static let opcodes: [UInt64: StaticString] = [
    0x00: "ERROR_RSP", 0x01: "MD_CREATE_MDL_REQ", 0x02: "MD_CREATE_MDL_RSP",
    0x03: "MD_RECONNECT_MDL_REQ", 0x04: "MD_RECONNECT_MDL_RSP", 0x05: "MD_ABORT_MDL_REQ",
    0x06: "MD_ABORT_MDL_RSP", 0x07: "MD_DELETE_MDL_REQ", 0x08: "MD_DELETE_MDL_RSP",
    0x11: "MD_SYNC_CAP_REQ", 0x12: "MD_SYNC_CAP_RSP", 0x13: "MD_SYNC_SET_REQ",
    0x14: "MD_SYNC_SET_RSP", 0x15: "MD_SYNC_INFO_IND",
  ]
  // 5.2.1
  static let responses: [UInt64: StaticString] = [
    0x00: "Success", 0x01: "Invalid Op Code", 0x02: "Invalid Parameter Value",
    0x03: "Invalid MDEP", 0x04: "MDEP Busy", 0x05: "Invalid MDL", 0x06: "MDL Busy",
    0x07: "Invalid Operation", 0x08: "Resource Unavailable", 0x09: "Unspecified Error",
    0x0A: "Request Not Supported", 0x0B: "Configuration Rejected",
  ]

  struct Fields: Sendable {
    let opcode = Field("Op Code", .hex, names: opcodes, title: true)
    let response = Field("Response Code", .hex, names: responses, inLine: true)
    let link = Field("MDL ID", .hex, special: [0xFFFF: "all"], inLine: true)
    let endpoint = Field("MDEP ID", inLine: true)
    let configuration = Field("Configuration", .hex)
    // 6.2
    let required = Field("Timestamp required accuracy", unit: "ppm")
    let clockResolution = Field("BT Clock access resolution", unit: "0.3125 ms")
    let leadTime = Field("Sync lead time", unit: "ms", inLine: true)
    let resolution = Field("Timestamp native resolution", unit: "µs")
    let accuracy = Field("Timestamp native accuracy", unit: "ppm")
    let update = Field(
      "Timestamp Update Information", names: [0: "no indication", 1: "indication"])
    let clock = Field("BT Clock Sync time", .hex, special: [0xFFFF_FFFF: "instant"], inLine: true)
    let timestamp = Field(
      "Timestamp Sync time", .hex, special: [0xFFFF_FFFF_FFFF_FFFF: "not changed"], inLine: true)
    let syncAccuracy = Field("Timestamp Sync accuracy", unit: "µs")
    let parameters = Field("Parameters", .bytes)
  }
  static let fields = Fields()

  static func dissect(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    let opcode = try pdu.u8(fields.opcode)
    pdu.facts.code = UInt16(opcode)
    switch opcode {
    case 0x01:
      try pdu.u16be(fields.link)
      try pdu.u8(fields.endpoint)
      try pdu.u8(fields.configuration)
    case 0x03, 0x05, 0x07: try pdu.u16be(fields.link)
    case 0x00, 0x02, 0x04, 0x06, 0x08:
      try pdu.u8(fields.response)
      try pdu.u16be(fields.link)
      if opcode == 0x02, pdu.remaining > 0 { try pdu.u8(fields.configuration) }
    case 0x11: try pdu.u16be(fields.required)
    case 0x12:
      try pdu.u8(fields.response)
      if pdu.remaining >= 7 {
        try pdu.u8(fields.clockResolution)
        try pdu.u16be(fields.leadTime)
        try pdu.u16be(fields.resolution)
        try pdu.u16be(fields.accuracy)
      }
    case 0x13:
      try pdu.u8(fields.update)
      try clocks(&pdu)
    case 0x14:
      try pdu.u8(fields.response)
      if pdu.remaining >= 14 {
        try clocks(&pdu)
        try pdu.u16be(fields.syncAccuracy)
      }
    case 0x15:
      try clocks(&pdu)
      try pdu.u16be(fields.syncAccuracy)
    default: break
    }
    try AdvertisingData.all(fields.parameters, &pdu)
  }

  private static func clocks(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    try pdu.u32be(fields.clock)
    try pdu.u64be(fields.timestamp)
  }
}
