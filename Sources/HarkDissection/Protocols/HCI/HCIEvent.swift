/// HCI event packets. Core Specification, Vol 4, Part E, 5.4.4.
enum HCIEvent: Dissector {
  static let name: StaticString = "HCI Event"
  static let path: StaticString = "hci.evt"
  static let specification: StaticString = "Core Specification, Vol 4, Part E, 5.4.4 and 7.7"
  static let places: [Place] = [.record(.event)]

  static let sections: [[Row]] = [events, securityEvents, broadcastEvents, earlierEvents]
  static let leSections: [[Row]] = [
    leEvents, leAdvertisingEvents, leIsochronousEvents, leSoundingEvents,
  ]
  static let rows = Rows(sections)
  /// LE Meta event, by subevent code. 7.7.65.
  static let subevents = Rows(leSections)

  struct Fields: Sendable {
    let code = Field(
      "Event Code", .hex, names: rows.names(and: [0xFF: "Vendor-Specific"]), title: true)
    let subevent = Field("Subevent Code", .hex, names: subevents.names(), title: true)
    let length = Field("Parameter Total Length")
    let allowedCommands = Field("Num HCI Command Packets")
    let opcode = Field("Command Opcode", .hex, names: HCICommand.names, title: true)
    let parameters = Field("Event Parameters", .bytes)
    let returns = Field("Return Parameters", .bytes)
    let named = HCIParameters.shared
  }
  static let fields = Fields()

  static func dissect(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    let code = try pdu.u8(fields.code)
    pdu.facts.code = UInt16(code)
    try pdu.limit(to: Int(pdu.u8(fields.length)), by: fields.length)
    switch code {
    case 0x0E: try commandComplete(&pdu)
    case 0x0F: try commandStatus(&pdu)
    case 0x3E: try leMeta(&pdu)
    case 0xFF where pdu.remaining > 0:
      // Manufacturers tell their events apart by the first octet.
      pdu.hand(to: .vendorEvent(pdu.peek()), orElse: fields.parameters)
    default: try read(rows[UInt16(code)]?.parameters, of: rows, &pdu)
    }
  }

  static func read(
    _ parameters: Rows.Block?, of rows: Rows, _ pdu: inout PDU<some Sink>
  ) throws(Malformed) {
    if let parameters {
      try pdu.read(parameters, of: rows)
    } else {
      pdu.rest(fields.parameters)
    }
  }

  /// 7.7.14
  static func commandComplete(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    try pdu.u8(fields.allowedCommands)
    let opcode = try pdu.u16(fields.opcode)
    pdu.facts.subcode = opcode
    guard let row = HCICommand.rows[opcode] else {
      pdu.rest(fields.returns)
      return
    }
    if let returns = row.returns {
      // A command that failed may return its status alone.
      try pdu.read(returns, of: HCICommand.rows, mayEnd: pdu.peek() != 0)
    } else if pdu.remaining > 0 {
      try pdu.u8(fields.named.status)
      pdu.rest(fields.returns)
    }
  }

  /// 7.7.15
  static func commandStatus(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    try pdu.u8(fields.named.status)
    try pdu.u8(fields.allowedCommands)
    pdu.facts.subcode = try pdu.u16(fields.opcode)
  }

  /// 7.7.65
  static func leMeta(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    let subevent = try pdu.u8(fields.subevent)
    pdu.facts.subcode = UInt16(subevent)
    try read(subevents[UInt16(subevent)]?.parameters, of: subevents, &pdu)
  }
}
