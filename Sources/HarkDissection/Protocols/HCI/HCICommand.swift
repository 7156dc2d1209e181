/// HCI command packets. Core Specification, Vol 4, Part E, 5.4.1.
enum HCICommand: Dissector {
  static let name: StaticString = "HCI Command"
  static let path: StaticString = "hci.cmd"
  static let places: [Place] = [.record(.command)]

  static let rows = Rows([linkControl])

  struct Fields: Sendable {
    let opcode = Field("Opcode", .hex, names: rows.names)
    let length = Field("Parameter Total Length")
    let parameters = Field("Parameters", .bytes)
    let named = HCIParameters.shared
  }
  static let fields = Fields()

  static func dissect(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    let opcode = try pdu.u16(fields.opcode)
    pdu.facts.code = opcode
    try pdu.limit(to: Int(pdu.u8(fields.length)), by: fields.length)
    if let parameters = rows[opcode]?.parameters {
      try pdu.read(parameters)
    } else {
      pdu.rest(fields.parameters)
    }
  }
}
