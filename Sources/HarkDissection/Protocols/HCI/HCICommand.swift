/// HCI command packets. Core Specification, Vol 4, Part E, 5.4.1.
enum HCICommand: Dissector {
  static let name: StaticString = "HCI Command"
  static let path: StaticString = "hci.cmd"
  static let specification: StaticString = "Core Specification, Vol 4, Part E, 5.4.1 and 7"
  static let places: [AttachmentPoint] = [.record(.command)]

  static let sections: [[Row]] = [
    linkControl, linkPolicy, controllerBaseband, informational, status, testing,
    leController, leAdvertising, leScanning, leConnections, leSecurity, leIsochronous,
    leDirectionFinding, leChannelSounding,
  ]
  static let rows = Rows(sections)
  /// Opcodes that have a name and no row. 4.4, 5.4.1.
  static let names = rows.names(and: [0: "NOP"], vendors: 0xFC00...0xFFFF)

  struct Fields: Sendable {
    let opcode = Field("Opcode", .hex, names: names, title: true)
    let vendors = HCIVendorFields("Opcode")
    let length = Field("Parameter Total Length")
    let parameters = Field("Parameters", .bytes, personal: .opaque)
    let named = HCIParameters.shared
    let secret = Secret()

    /// Of commands whose parameters a profile declares to be secret.
    struct Secret: Sendable {
      let parameters = Field("Parameters", .bytes, secret: true, personal: .opaque)
    }
  }
  static let fields = Fields()

  /// What only commands or only events have, of the parameters that they share.
  static let fieldsOfOthers = HCIEvent.named.subtracting(named)
    .union(HCIVendor.Kind.allCases.map { fields.vendors[$0].subevent })
  static let named = HCIVendor.commands.reduce(rows.fields(\.parameters)) {
    $0.union($1.fields(\.parameters))
  }

  static func dissect(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    let expected = UInt16(pdu.peek()) | UInt16(pdu.peek(1)) << 8
    let isSecret = expected >= 0xFC00 && pdu.conceals(.vendorCommand(expected))
    // What cannot be decoded may be part of a secret.
    if isSecret || pdu.hidesAdvertising { pdu.context.isSecret = true }
    // Layouts that users have of their own are asked first.
    guard expected >= 0xFC00, !isSecret, !pdu.hasPlace(.vendorCommand(expected)),
      let (vendor, line) = HCIVendor.command(expected, pdu.context.manufacturer)
    else {
      let opcode = try pdu.u16(fields.opcode)
      pdu.facts.code = opcode
      try pdu.limit(to: Int(pdu.u8(fields.length)), by: fields.length)
      if isSecret {
        try AdvertisingData.all(fields.secret.parameters, &pdu)
      } else if let parameters = rows[opcode]?.parameters {
        try pdu.read(parameters, of: rows)
      } else if opcode >= 0xFC00 {
        pdu.hand(to: .vendorCommand(opcode), orElse: fields.parameters)
      } else {
        pdu.rest(fields.parameters)
      }
      return
    }
    pdu.facts.code = try pdu.u16(fields.vendors[vendor].opcode)
    try pdu.limit(to: Int(pdu.u8(fields.length)), by: fields.length)
    try HCIEvent.read(
      line.parameters, of: HCIVendor.of(vendor).commands, &pdu, orElse: fields.parameters)
  }
}
