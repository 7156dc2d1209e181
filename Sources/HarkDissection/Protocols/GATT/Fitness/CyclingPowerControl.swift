import HarkCore

/// The control point of a power meter. Cycling Power Service 1.1, 3.4.
struct CyclingPowerControl: Sendable {
  static let opcodes: [UInt64: StaticString] = [
    1: "Set Cumulative Value", 2: "Update Sensor Location",
    3: "Request Supported Sensor Locations", 4: "Set Crank Length", 5: "Request Crank Length",
    6: "Set Chain Length", 7: "Request Chain Length", 8: "Set Chain Weight",
    9: "Request Chain Weight", 10: "Set Span Length", 11: "Request Span Length",
    12: "Start Offset Compensation",
    13: "Mask Cycling Power Measurement Characteristic Content", 14: "Request Sampling Rate",
    15: "Request Factory Calibration Date", 16: "Start Enhanced Offset Compensation",
    32: "Response Code",
  ]

  let opcode = Field("Op Code", names: opcodes, inLine: true)
  let request = Field("Request Op Code", names: opcodes, inLine: true)
  let crankLength = Field("Crank Length", unit: "0.5 mm", inLine: true)
  let chainLength = Field("Chain Length", unit: "mm", inLine: true)
  let chainWeight = Field("Chain Weight", unit: "g", inLine: true)
  let spanLength = Field("Span Length", unit: "mm", inLine: true)
  let mask = Field("Content Mask", .hex)
  let offset = Field("Offset Compensation", .signed, inLine: true)
  let rate = Field("Sampling Rate", unit: "Hz", inLine: true)
}

extension Fitness {
  static func powerControlPoint(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    let control = fields.powerControl
    switch try pdu.u8(control.opcode) {
    case 1: try pdu.u32(fields.cumulative)
    case 2: try pdu.u8(fields.location)
    case 4: try pdu.u16(control.crankLength)
    case 6: try pdu.u16(control.chainLength)
    case 8: try pdu.u16(control.chainWeight)
    case 10: try pdu.u16(control.spanLength)
    case 13: try pdu.u16(control.mask)
    case 32:
      let request = try pdu.u8(control.request)
      if try pdu.u8(fields.response) == 1 { try answer(request, &pdu) }
    default: break
    }
  }

  private static func answer(
    _ request: UInt8, _ pdu: inout PDU<some Sink>
  ) throws(Malformed) {
    let control = fields.powerControl
    switch request {
    case 3: while pdu.remaining > 0 { try pdu.u8(fields.location) }
    case 5: try pdu.u16(control.crankLength)
    case 7: try pdu.u16(control.chainLength)
    case 9: try pdu.u16(control.chainWeight)
    case 11: try pdu.u16(control.spanLength)
    case 12: try pdu.bytes(2, control.offset)
    case 14: try pdu.u8(control.rate)
    case 15: try Health.dateTime(&pdu)
    default: break
    }
  }
}
