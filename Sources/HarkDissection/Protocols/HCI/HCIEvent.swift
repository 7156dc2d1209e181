/// HCI event packets. Core Specification, Vol 4, Part E, 5.4.4.
enum HCIEvent: Dissector {
  static let name: StaticString = "HCI Event"
  static let path: StaticString = "hci.evt"
  static let specification: StaticString = "Core Specification, Vol 4, Part E, 5.4.4 and 7.7"
  static let places: [AttachmentPoint] = [.record(.event)]

  static let sections: [[Row]] = [
    HCIInquiryEvent.rows, HCIConnectionEvent.rows, HCILinkEvent.rows, HCIControllerEvent.rows,
    HCISecurityEvent.rows, broadcastEvents, earlierEvents,
  ]
  static let leSections: [[Row]] = [
    LEConnectionEvent.rows, LEAdvertisingEvent.rows, LEPeriodicEvent.rows,
    LEIsochronousEvent.rows, LESoundingEvent.rows,
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
    let vendors = HCIVendorFields("Command Opcode")
    let parameters = Field("Event Parameters", .bytes, personal: .opaque)
    let returns = Field("Return Parameters", .bytes, personal: .opaque)
    let named = HCIParameters.shared
    let secret = Secret()

    /// Of events and commands whose parameters a profile declares to be secret.
    struct Secret: Sendable {
      let parameters = Field("Event Parameters", .bytes, secret: true, personal: .opaque)
      let returns = Field("Return Parameters", .bytes, secret: true, personal: .opaque)
    }
  }
  static let fields = Fields()

  static let fieldsOfOthers = HCICommand.named.subtracting(named)
  static let named = ([HCICommand.rows] + HCIVendor.commands).reduce(
    ([rows, subevents] + HCIVendor.events).reduce(into: Set<Field>([HCIParameters.shared.status])) {
      $0.formUnion($1.fields(\.parameters))
    }
  ) { $0.union($1.fields(\.returns)) }

  static func dissect(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    let code = try pdu.u8(fields.code)
    pdu.facts.code = UInt16(code)
    // What cannot be decoded may be part of a secret.
    if pdu.hidesAdvertising || code == 0xFF && pdu.conceals(.vendorEvent(pdu.peek(1))) {
      pdu.context.isSecret = true
    }
    try pdu.limit(to: Int(pdu.u8(fields.length)), by: fields.length)
    switch code {
    case 0x0E: try commandComplete(&pdu)
    case 0x0F: try commandStatus(&pdu)
    case 0x3E: try leMeta(&pdu)
    case 0xFF where pdu.remaining > 0:
      try vendorSpecific(&pdu)
    default:
      try read(rows[UInt16(code)]?.parameters, of: rows, &pdu, orElse: fields.parameters)
    }
  }

  static func read(
    _ parameters: Rows.Block?, of rows: Rows, _ pdu: inout PDU<some Sink>,
    orElse other: @autoclosure () -> Field
  ) throws(Malformed) {
    if let parameters {
      try pdu.read(parameters, of: rows)
    } else if pdu.remaining > 0 {
      pdu.rest(other())
    }
  }

  /// Manufacturers distinguish their events by the first octet. Layouts that users have of their own
  /// are asked first.
  static func vendorSpecific(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    let code = pdu.peek()
    if pdu.conceals(.vendorEvent(code)) {
      return try AdvertisingData.all(fields.secret.parameters, &pdu)
    }
    guard !pdu.hasPlace(.vendorEvent(code)),
      let (vendor, line) = HCIVendor.event(code, pdu.context.manufacturer)
    else {
      pdu.hand(to: .vendorEvent(code), orElse: fields.parameters)
      return
    }
    try pdu.u8(fields.vendors[vendor].subevent)
    try read(
      line.parameters, of: HCIVendor.of(vendor).events, &pdu, orElse: fields.parameters)
  }

  /// 7.7.14
  static func commandComplete(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    try pdu.u8(fields.allowedCommands)
    let opcode = UInt16(pdu.peek()) | UInt16(pdu.peek(1)) << 8
    let vendor = opcode >= 0xFC00 ? HCIVendor.command(opcode, pdu.context.manufacturer) : nil
    try pdu.u16(vendor.map { fields.vendors[$0.kind].opcode } ?? fields.opcode)
    if pdu.conceals(.vendorCommand(opcode)) {
      return try AdvertisingData.all(fields.secret.returns, &pdu)
    }
    guard let row = vendor?.line ?? HCICommand.rows[opcode] else {
      pdu.rest(fields.returns)
      return
    }
    let rows = vendor.map { HCIVendor.of($0.kind).commands } ?? HCICommand.rows
    if let returns = row.returns {
      // A command that failed may return its status alone.
      try pdu.read(returns, of: rows, mayEnd: pdu.peek() != 0)
    } else if pdu.remaining > 0 {
      try pdu.u8(fields.named.status)
      pdu.rest(fields.returns)
    }
  }

  /// 7.7.15
  static func commandStatus(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    try pdu.u8(fields.named.status)
    try pdu.u8(fields.allowedCommands)
    let opcode = UInt16(pdu.peek()) | UInt16(pdu.peek(1)) << 8
    let vendor = opcode >= 0xFC00 ? HCIVendor.command(opcode, pdu.context.manufacturer) : nil
    try pdu.u16(vendor.map { fields.vendors[$0.kind].opcode } ?? fields.opcode)
  }

  /// 7.7.65
  static func leMeta(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    let subevent = try pdu.u8(fields.subevent)
    pdu.facts.subevent = subevent
    try read(
      subevents[UInt16(subevent)]?.parameters, of: subevents, &pdu, orElse: fields.parameters)
  }
}
