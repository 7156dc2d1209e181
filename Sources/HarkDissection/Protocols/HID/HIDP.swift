import HarkCore

/// Human Interface Device Protocol over L2CAP. HID Profile 1.1.1, 3.1.
enum HIDP: Dissector {
  static let name: StaticString = "HIDP"
  static let path: StaticString = "hidp"
  static let specification: StaticString = "Human Interface Device Profile 1.1.1, 3.1"
  static let places: [AttachmentPoint] = [.psm(0x0011), .psm(0x0013)]

  // 3.1.1, table 3.1
  static let types: [UInt64: StaticString] = [
    0x0: "HANDSHAKE", 0x1: "HID_CONTROL", 0x4: "GET_REPORT", 0x5: "SET_REPORT",
    0x6: "GET_PROTOCOL", 0x7: "SET_PROTOCOL", 0x8: "GET_IDLE", 0x9: "SET_IDLE", 0xA: "DATA",
    0xB: "DATC",
  ]
  // 3.1.2.1
  static let results: [UInt64: StaticString] = [
    0x0: "SUCCESSFUL", 0x1: "NOT_READY", 0x2: "ERR_INVALID_REPORT_ID",
    0x3: "ERR_UNSUPPORTED_REQUEST", 0x4: "ERR_INVALID_PARAMETER", 0xE: "ERR_UNKNOWN",
    0xF: "ERR_FATAL",
  ]
  // 3.1.2.2; 0 to 2 are deprecated
  static let operations: [UInt64: StaticString] = [
    0x0: "NOP", 0x1: "HARD_RESET", 0x2: "SOFT_RESET", 0x3: "SUSPEND", 0x4: "EXIT_SUSPEND",
    0x5: "VIRTUAL_CABLE_UNPLUG",
  ]
  // 3.1.2.3
  static let reports: [UInt64: StaticString] = [
    0: "Other", 1: "Input", 2: "Output", 3: "Feature",
  ]
  static let protocols: [UInt64: StaticString] = [0: "Boot Protocol", 1: "Report Protocol"]

  struct Fields: Sendable {
    let type = Field("Transaction Type", .hex, names: types, title: true)
    let parameter = Field("Parameter", .hex)
    let result = Field("Result Code", .hex, names: results, inLine: true)
    let operation = Field("Control Operation", .hex, names: operations, inLine: true)
    let report = Field("Report Type", names: reports, inLine: true)
    let size = Field("Size", names: [0: "no BufferSize", 1: "BufferSize follows"])
    let reportID = Field("Report ID", inLine: true)
    let bufferSize = Field("BufferSize")
    let mode = Field("Protocol", names: protocols, inLine: true)
    let idle = Field("Idle Rate", unit: "4 ms")
    let data = Field("Report Data", .bytes, inLine: true, personal: .input)
  }
  static let fields = Fields()

  static func dissect(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    let head = try pdu.word(1, of: fields.type)
    let type = head >> 4
    let parameter = head & 0xF
    pdu.part(fields.type, type, of: 1)
    pdu.facts.code = UInt16(truncatingIfNeeded: type)
    switch HIDPMessage(header: UInt8(truncatingIfNeeded: head)) {
    case .handshake: pdu.part(fields.result, parameter, of: 1)
    case .control: pdu.part(fields.operation, parameter, of: 1)
    case .request(.getReport):
      pdu.part(fields.size, parameter >> 3, of: 1)
      pdu.part(fields.report, parameter & 3, of: 1)
      // Devices that declare no Report IDs have none here.
      if pdu.remaining == (parameter >> 3 == 1 ? 3 : 1) { try pdu.u8(fields.reportID) }
      if parameter >> 3 == 1 { try pdu.u16(fields.bufferSize) }
    // The answer to a request that is not for a report. 3.1.2.5, 3.1.2.7
    case .data(.other) where pdu.remaining == 1 && answers(.getProtocol, pdu):
      pdu.part(fields.report, parameter & 3, of: 1)
      try pdu.u8(fields.mode)
    case .data(.other) where pdu.remaining == 1 && answers(.getIdle, pdu):
      pdu.part(fields.report, parameter & 3, of: 1)
      try pdu.u8(fields.idle)
    case .request(.setReport), .data, .dataContinued:
      pdu.part(fields.report, parameter & 3, of: 1)
      try report(UInt8(truncatingIfNeeded: parameter & 3), &pdu)
    case .setProtocol: pdu.part(fields.mode, parameter & 1, of: 1)
    case .request(.setIdle):
      pdu.part(fields.parameter, parameter, of: 1)
      try pdu.u8(fields.idle)
    case .request, .other: pdu.part(fields.parameter, parameter, of: 1)
    }
  }

  private static func answers(
    _ request: HIDPMessage.Transaction, _ pdu: borrowing PDU<some Sink>
  ) -> Bool {
    pdu.context.report.request == request.rawValue
  }

  /// What a DATA or SET_REPORT carries. 3.1.2.9
  private static func report<Out: Sink>(
    _ type: UInt8, _ pdu: inout PDU<Out>
  ) throws(Malformed) {
    guard let hasIDs = pdu.context.report.reports?.hasIDs else {
      pdu.rest(fields.data)
      return
    }
    if hasIDs, pdu.remaining > 0 { pdu.context.report.id = try pdu.u8(fields.reportID) }
    pdu.context.report.type = type
    pdu.hand(to: .hidReport, orElse: fields.data)
  }
}
