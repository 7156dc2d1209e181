import HarkCore

/// Telephone Bearer Service and Generic Telephone Bearer Service: calls, and their remote control.
/// TBS 1.0, 3.
enum TBS: Dissector {
  static let name: StaticString = "TBS"
  static let path: StaticString = "tbs"
  static let specification: StaticString = "Telephone Bearer Service 1.0, 3"
  static let controlPoint = BluetoothUUID(0x2BBE as UInt16)
  static let places: [AttachmentPoint] = (0x2BB3...0x2BC2).map {
    .attribute(BluetoothUUID(UInt16($0)))
  }

  // Assigned Numbers, Bearer Technology
  static let technologies: [UInt64: StaticString] = [
    1: "3G", 2: "4G", 3: "LTE", 4: "WiFi", 5: "5G", 6: "GSM", 7: "CDMA", 8: "2G", 9: "WCDMA",
  ]
  // 3.7.1.1
  static let states: [UInt64: StaticString] = [
    0: "Incoming", 1: "Dialing", 2: "Alerting", 3: "Active", 4: "Locally Held",
    5: "Remotely Held", 6: "Locally and Remotely Held",
  ]
  static let callFlags: [UInt64: StaticString] = [
    0: "outgoing", 1: "information withheld by server", 2: "information withheld by network",
  ]
  // 3.9
  static let statusFlags: [UInt64: StaticString] = [
    0: "inband ringtone enabled", 1: "server in silent mode",
  ]
  // 3.12.1
  static let opcodes: [UInt64: StaticString] = [
    0: "Accept", 1: "Terminate", 2: "Local Hold", 3: "Local Retrieve", 4: "Originate", 5: "Join",
  ]
  static let results: [UInt64: StaticString] = [
    0: "Success", 1: "Opcode Not Supported", 2: "Operation Not Possible",
    3: "Invalid Call Index", 4: "State Mismatch", 5: "Lack of Resources",
    6: "Invalid Outgoing URI",
  ]
  // 3.13
  static let optional: [UInt64: StaticString] = [
    0: "Local Hold and Local Retrieve", 1: "Join",
  ]
  // 3.14
  static let reasons: [UInt64: StaticString] = [
    0: "improper URI", 1: "call failed", 2: "remote party ended the call",
    3: "server ended the call", 4: "line was busy", 5: "network congestion",
    6: "client terminated the call", 7: "no service", 8: "no answer", 9: "unspecified",
  ]

  struct Fields: Sendable {
    let provider = Field("Bearer Provider Name", .text, inLine: true, personal: .text)
    let uci = Field("Bearer UCI", .text, inLine: true, personal: .phoneNumber)
    let technology = Field("Bearer Technology", names: technologies, inLine: true)
    let schemes = Field("Bearer URI Schemes Supported List", .text, inLine: true)
    let strength = Field(
      "Bearer Signal Strength", special: [0: "no service", 255: "unavailable"], inLine: true)
    let interval = Field("Bearer Signal Strength Reporting Interval", unit: "s", inLine: true)
    let calls = Field("Call", .list)
    let length = Field("List_Item_Length")
    let index = Field("Call_Index", inLine: true)
    let state = Field("Call State", names: states, inLine: true)
    let flags = Field("Call_Flags", .hex, flags: callFlags)
    let uri = Field("Call URI", .text, inLine: true, personal: .phoneNumber)
    let ccid = Field("Content Control ID", inLine: true)
    let status = Field("Status Flags", .hex, flags: statusFlags, inLine: true)
    let target = Field(
      "Incoming Call Target Bearer URI", .text, inLine: true, personal: .phoneNumber)
    let opcode = Field("Opcode", .hex, names: opcodes, title: true)
    let result = Field("Result Code", names: results, inLine: true)
    let optional = Field(
      "Call Control Point Optional Opcodes", .hex, flags: TBS.optional, inLine: true)
    let reason = Field("Termination Reason", names: reasons, inLine: true)
    let friendlyName = Field("Call Friendly Name", .text, inLine: true, personal: .name)
  }
  static let fields = Fields()

  static func dissect(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    switch (pdu.context.attributeType ?? pdu.context.requestedType)?.short {
    case 0x2BB3: try AdvertisingData.all(fields.provider, &pdu)
    case 0x2BB4: try AdvertisingData.all(fields.uci, &pdu)
    case 0x2BB5: try pdu.u8(fields.technology)
    case 0x2BB6: try AdvertisingData.all(fields.schemes, &pdu)
    case 0x2BB7: try pdu.u8(fields.strength)
    case 0x2BB8: try pdu.u8(fields.interval)
    case 0x2BB9: try calls(isListed: true, &pdu)
    case 0x2BBA: try pdu.u8(fields.ccid)
    case 0x2BBB: try pdu.u16(fields.status)
    case 0x2BBC: try indexed(fields.target, &pdu)
    case 0x2BBD: try calls(isListed: false, &pdu)
    case 0x2BBE: try operation(&pdu)
    case 0x2BBF: try pdu.u16(fields.optional)
    case 0x2BC0:
      try pdu.u8(fields.index)
      try pdu.u8(fields.reason)
    case 0x2BC1: try indexed(fields.uri, &pdu)
    case 0x2BC2: try indexed(fields.friendlyName, &pdu)
    default: break
    }
  }

  static func indexed(_ field: Field, _ pdu: inout PDU<some Sink>) throws(Malformed) {
    try pdu.u8(fields.index)
    try AdvertisingData.all(field, &pdu)
  }

  /// 3.7 and 3.11
  static func calls(isListed: Bool, _ pdu: inout PDU<some Sink>) throws(Malformed) {
    while pdu.remaining > 0 {
      try pdu.group(fields.calls) { pdu throws(Malformed) in
        let length = isListed ? Int(try pdu.u8(fields.length)) : 3
        if length == 0 { return }
        try pdu.inside(length, by: fields.length) { pdu throws(Malformed) in
          try pdu.u8(fields.index)
          try pdu.u8(fields.state)
          try pdu.u8(fields.flags)
          try AdvertisingData.all(fields.uri, &pdu)
        }
      }
    }
  }

  /// 3.12: written is an operation, notified its result.
  static func operation(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    let opcode = try pdu.u8(fields.opcode)
    if pdu.facts.code == 0x1B {
      try pdu.u8(fields.index)
      try pdu.u8(fields.result)
    } else if opcode == 4 {
      try AdvertisingData.all(fields.uri, &pdu)
    } else {
      while pdu.remaining > 0 { try pdu.u8(fields.index) }
    }
  }
}
