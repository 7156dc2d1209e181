import HarkCore

/// What sensors of oxygen and glucose can do, and how a glucose sensor is set.
/// Pulse Oximeter Service 1.0, 3.3; Continuous Glucose Monitoring Service 1.0.2, 3.2, 3.4, 3.7.
struct HealthFeatures: Sendable {
  // PLXS 3.3.1.1
  static let oximeter: [UInt64: StaticString] = [
    0: "Measurement Status", 1: "Device and Sensor Status",
    2: "Measurement Storage for Spot-check", 3: "Timestamp for Spot-check",
    4: "SpO2PR-Fast metric", 5: "SpO2PR-Slow metric", 6: "Pulse Amplitude Index field",
    7: "Multiple Bonds",
  ]
  // CGMS 3.2.1
  static let monitor: [UInt64: StaticString] = [
    0: "Calibration", 1: "Patient High/Low Alerts", 2: "Hypo Alerts", 3: "Hyper Alerts",
    4: "Rate of Increase/Decrease Alerts", 5: "Device Specific Alert",
    6: "Sensor Malfunction Detection", 7: "Sensor Temperature High-Low Detection",
    8: "Sensor Result High-Low Detection", 9: "Low Battery Detection",
    10: "Sensor Type Error Detection", 11: "General Device Fault", 12: "E2E-CRC",
    13: "Multiple Bond", 14: "Multiple Sessions", 15: "CGM Trend Information", 16: "CGM Quality",
  ]
  // CGMS 3.7
  static let opcodes: [UInt64: StaticString] = [
    1: "Set CGM Communication Interval", 2: "Get CGM Communication Interval",
    3: "CGM Communication Interval Response", 4: "Set Glucose Calibration Value",
    5: "Get Glucose Calibration Value", 6: "Glucose Calibration Value Response",
    7: "Set Patient High Alert Level", 8: "Get Patient High Alert Level",
    9: "Patient High Alert Level Response", 10: "Set Patient Low Alert Level",
    11: "Get Patient Low Alert Level", 12: "Patient Low Alert Level Response",
    13: "Set Hypo Alert Level", 14: "Get Hypo Alert Level", 15: "Hypo Alert Level Response",
    16: "Set Hyper Alert Level", 17: "Get Hyper Alert Level", 18: "Hyper Alert Level Response",
    19: "Set Rate of Decrease Alert Level", 20: "Get Rate of Decrease Alert Level",
    21: "Rate of Decrease Alert Level Response", 22: "Set Rate of Increase Alert Level",
    23: "Get Rate of Increase Alert Level", 24: "Rate of Increase Alert Level Response",
    25: "Reset Device Specific Alert", 26: "Start the Session", 27: "Stop the Session",
    28: "Response Code",
  ]
  // CGMS 3.7.2.1
  static let responses: [UInt64: StaticString] = [
    1: "Success", 2: "Op Code not supported", 3: "Invalid Operand", 4: "Procedure not completed",
    5: "Parameter out of range",
  ]

  let oximeterFeature = Field("Supported Features", .hex, flags: oximeter, inLine: true)
  let statusSupport = Field(
    "Measurement Status Support", .hex, flags: HealthCodes.oximeterStatus)
  let sensorSupport = Field(
    "Device and Sensor Status Support", .hex, flags: HealthCodes.oximeterSensor)
  let monitorFeature = Field("CGM Feature", .hex, flags: monitor, inLine: true)
  let monitorType = Field("CGM Type", names: HealthCodes.glucoseTypes, inLine: true)
  let monitorLocation = Field("CGM Sample Location", names: HealthCodes.sampleLocations)
  let timeZone = Field("Time Zone", .signed, unit: "15 min", inLine: true)
  let dstOffset = Field("DST Offset", names: GATTCodes.dstOffsets, inLine: true)
  let opcode = Field("Op Code", names: opcodes, inLine: true)
  let request = Field("Request Op Code", names: opcodes, inLine: true)
  let response = Field("Response Code Value", names: responses, inLine: true)
  let communicationInterval = Field(
    "CGM Communication Interval", unit: "min", special: [0: "disabled", 0xFF: "fastest"],
    inLine: true)
  let level = Field("Alert Level", .medical, unit: "mg/dL", inLine: true)
  let rate = Field("Alert Level", .medical, unit: "mg/dL/min", inLine: true)
  let calibration = Field("Glucose Concentration of Calibration", .medical, unit: "mg/dL")
  let calibrationTime = Field("Calibration Time", unit: "min")
  let nextCalibration = Field("Next Calibration Time", unit: "min")
  let recordNumber = Field("Calibration Data Record Number")
  let calibrationStatus = Field("Calibration Status", .hex)
  let operand = Field("Operand", .hex)
}

extension Health {
  static func oximeterFeatures(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    let supported = try pdu.u16(fields.features.oximeterFeature)
    if supported & 1 != 0 { try pdu.u16(fields.features.statusSupport) }
    if supported & 2 != 0 { try pdu.unsigned(3, fields.features.sensorSupport) }
  }

  static func monitorFeature(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    try pdu.unsigned(3, fields.features.monitorFeature)
    let octet = try pdu.word(1, of: fields.features.monitorType)
    pdu.part(fields.features.monitorType, octet & 0xF, of: 1)
    pdu.part(fields.features.monitorLocation, octet >> 4, of: 1)
    try pdu.u16(fields.crc)
  }

  static func sessionStart(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    try dateTime(&pdu)
    try pdu.bytes(1, fields.features.timeZone)
    try pdu.u8(fields.features.dstOffset)
    if pdu.remaining == 2 { try pdu.u16(fields.crc) }
  }

  /// CGM Specific Ops Control Point. CGMS 3.7
  static func specificOps(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    let features = fields.features
    let opcode = try pdu.u8(features.opcode)
    switch opcode {
    case 1, 3: try pdu.u8(features.communicationInterval)
    case 4, 6:
      try pdu.sfloat(features.calibration)
      try pdu.u16(features.calibrationTime)
      let octet = try pdu.word(1, of: features.monitorType)
      pdu.part(features.monitorType, octet & 0xF, of: 1)
      pdu.part(features.monitorLocation, octet >> 4, of: 1)
      try pdu.u16(features.nextCalibration)
      try pdu.u16(features.recordNumber)
      try pdu.u8(features.calibrationStatus)
    case 5: try pdu.u16(features.recordNumber)
    case 7, 9, 10, 12, 13, 15, 16, 18: try pdu.sfloat(features.level)
    case 19, 21, 22, 24: try pdu.sfloat(features.rate)
    case 28:
      try pdu.u8(features.request)
      try pdu.u8(features.response)
    default: break
    }
    if pdu.remaining == 2 { try pdu.u16(fields.crc) }
  }
}
