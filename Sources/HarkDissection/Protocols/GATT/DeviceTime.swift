import HarkCore

/// The clock of a device, and how clients set it. Device Time Service 1.0, 3.
enum DeviceTime: Dissector {
  static let name: StaticString = "Device Time"
  static let path: StaticString = "devicetime"
  static let specification: StaticString = "Device Time Service 1.0, 3"
  static let places: [AttachmentPoint] = (0x2B8E...0x2B91)
    .map { .attribute(BluetoothUUID(UInt16($0))) }

  // 3.1
  static let features: [UInt64: StaticString] = [
    0: "E2E-CRC", 1: "Time Change Logging", 2: "Base Time Second-Fractions",
    3: "Time or Date Displayed to User", 4: "Displayed Formats", 5: "Displayed Formats Changeable",
    6: "Separate User Timeline", 7: "Authorization Required", 8: "RTC Drift Tracking",
    9: "Epoch Year 1900", 10: "Epoch Year 2000", 11: "Propose Non-Logged Time Adjustment Limit",
    12: "Retrieve Active Time Adjustments",
  ]
  // 3.3.1.5
  static let status: [UInt64: StaticString] = [
    0: "Time Fault", 1: "UTC Aligned", 2: "Qualified Local Time Synchronized",
    3: "Propose Time Update Request", 4: "Epoch Year 2000", 5: "Non-Logged Time Change Active",
    6: "Log Consolidation Active",
  ]
  // 3.7.1
  static let opcodes: [UInt64: StaticString] = [
    0x02: "Propose Time Update", 0x03: "Force Time Update", 0x09: "Response",
  ]
  static let updates: [UInt64: StaticString] = [
    0: "UTC Aligned", 1: "Qualified Local Time Synchronized", 2: "Manual Time Update",
    3: "External Reference Time Update", 4: "Change of Time Zone", 5: "Change of DST",
    6: "Epoch Year 2000", 7: "Second-Fractions Not Valid",
  ]
  static let results: [UInt64: StaticString] = [
    0x01: "Success", 0x02: "Op Code Not Supported", 0x03: "Invalid Operand",
    0x04: "Procedure Failed", 0x05: "Procedure Rejected", 0x07: "Device Busy",
  ]
  static let rejections: [UInt64: StaticString] = [
    0: "Base Time Unrealistic", 1: "Request Not Authorized", 2: "Operand Out of Range",
    3: "Time Source Not UTC Aligned", 4: "Time Accuracy", 5: "Time Source of Lower Quality",
    6: "Wrong Epoch Year", 8: "Lack of Precision",
    9: "Base Time Rejected, Time Zone and DST Offset Accepted",
    10: "Time Zone and DST Offset Rejected, Base Time Accepted",
  ]

  struct Fields: Sendable {
    let crc = Field(
      "E2E-CRC", .hex, special: [0xFFFF: "not supported"], structural: false)
    let features = Field("DT Features", .hex, flags: DeviceTime.features, inLine: true)
    let resolution = Field("RTC Resolution (1/65536 s)", inLine: true)
    let baseTime = Field("Base Time", unit: "s", inLine: true)
    let timeZone = Field(
      "Time Zone", .signed, unit: "15 min", special: [0x80: "unknown"], inLine: true,
      personal: .health)
    let dstOffset = Field(
      "DST Offset", names: GATTCodes.dstOffsets, inLine: true, personal: .health)
    let status = Field("DT Status", .hex, flags: DeviceTime.status, inLine: true)
    let opcode = Field("Op Code", .hex, names: opcodes, inLine: true)
    let update = Field("Time Update Flags", .hex, flags: updates, inLine: true)
    let source = Field("Time Source", names: GATTCodes.timeSources, inLine: true)
    let accuracy = Field(
      "Time Accuracy", unit: "125 ms", special: [254: "out of range", 255: "unknown"], inLine: true)
    let request = Field("Request Op Code", .hex, names: opcodes, inLine: true)
    let result = Field("Result Code", .hex, names: results, inLine: true)
    let rejection = Field("Rejection Flags", .hex, flags: rejections, inLine: true)
    let parameter = Field("Parameter", .bytes, personal: .opaque)
  }
  static let fields = Fields()

  /// Which optional parts a value has is up to the features of the server: values of other lengths are not divided.
  static func dissect(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    switch (pdu.context.attributeType ?? pdu.context.requestedType)?.short {
    case 0x2B8E:
      try pdu.u16(fields.crc)
      try pdu.u16(fields.features)
    case 0x2B8F where pdu.remaining == 2: try pdu.u16(fields.resolution)
    case 0x2B90 where pdu.remaining == 8:
      try clock(&pdu)
      try pdu.u16(fields.status)
    case 0x2B91: try control(&pdu)
    default: break
    }
    if pdu.remaining > 0 { pdu.rest(fields.parameter) }
  }

  /// 3.7.1
  private static func control(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    switch try pdu.u8(fields.opcode) {
    case 0x02 where pdu.remaining == 10, 0x03 where pdu.remaining == 10:
      try pdu.u16(fields.update)
      try clock(&pdu)
      try pdu.u8(fields.source)
      try pdu.u8(fields.accuracy)
    case 0x09:
      try pdu.u8(fields.request)
      let result = try pdu.u8(fields.result)
      if result == 0x05, pdu.remaining == 2 { try pdu.u16(fields.rejection) }
    default: break
    }
  }

  private static func clock(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    try pdu.u32(fields.baseTime)
    try pdu.bytes(1, fields.timeZone)
    try pdu.u8(fields.dstOffset)
  }
}
