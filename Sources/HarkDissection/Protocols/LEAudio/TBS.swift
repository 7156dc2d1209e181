import HarkCore

/// Telephone Bearer Service and Generic Telephone Bearer Service: calls, and their remote control.
/// TBS 1.0, 3.
enum TBS: MessageDissector {
  static let name: StaticString = "TBS"
  static let path: StaticString = "tbs"
  static let specification: StaticString = "Telephone Bearer Service 1.0, 3"
  static let controlPoint = BluetoothUUID(AttributeType.callControlPoint)
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
    let schemes = Field(
      "Bearer URI Schemes Supported List", .text, inLine: true, role: .description)
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

  static func read(_ pdu: inout PDU<some Sink>, _ message: inout LEAudioValue) throws(Malformed) {
    switch (pdu.context.attributeType ?? pdu.context.requestedType)?.short {
    case 0x2BB3: try AdvertisingData.all(fields.provider, &pdu)
    case 0x2BB4: try AdvertisingData.all(fields.uci, &pdu)
    case 0x2BB5: try pdu.u8(fields.technology)
    case 0x2BB6: try AdvertisingData.all(fields.schemes, &pdu)
    case 0x2BB7: try pdu.u8(fields.strength)
    case 0x2BB8: try pdu.u8(fields.interval)
    case 0x2BB9: try calls(isListed: true, &pdu) { _ in }
    case 0x2BBA: try pdu.u8(fields.ccid)
    case 0x2BBB: try pdu.u16(fields.status)
    case 0x2BBC: try indexed(fields.target, &pdu)
    case 0x2BBD:
      var all: [LEAudioValue.Call] = []
      defer { message = .calls(all) }
      try calls(isListed: false, &pdu) { all.append($0) }
    case 0x2BBE: try operation(&pdu, &message)
    case 0x2BBF: try pdu.u16(fields.optional)
    case 0x2BC0:
      let call = try pdu.u8(fields.index)
      message = .callEnded(call: call, reason: try pdu.u8(fields.reason))
    case 0x2BC1:
      let (call, uri) = try indexed(fields.uri, &pdu)
      message = .incomingCall(call: call, uri: uri)
    case 0x2BC2: try indexed(fields.friendlyName, &pdu)
    default: break
    }
  }

  @discardableResult
  private static func indexed(
    _ field: Field, _ pdu: inout PDU<some Sink>
  ) throws(Malformed) -> (call: UInt8, text: Range<Int>) {
    let call = try pdu.u8(fields.index)
    let text = pdu.position..<pdu.end
    try AdvertisingData.all(field, &pdu)
    return (call, text)
  }

  /// 3.7 and 3.11
  private static func calls(
    isListed: Bool, _ pdu: inout PDU<some Sink>, _ found: (LEAudioValue.Call) -> Void
  ) throws(Malformed) {
    while pdu.remaining > 0 {
      try pdu.group(fields.calls) { pdu throws(Malformed) in
        let length = isListed ? Int(try pdu.u8(fields.length)) : 3
        if length == 0 { return }
        try pdu.inside(length, by: fields.length) { pdu throws(Malformed) in
          let index = try pdu.u8(fields.index)
          let state = try pdu.u8(fields.state)
          let flags = try pdu.u8(fields.flags)
          found(LEAudioValue.Call(index: index, state: state, flags: flags))
          try AdvertisingData.all(fields.uri, &pdu)
        }
      }
    }
  }

  /// 3.12: written is an operation, notified its result.
  private static func operation(
    _ pdu: inout PDU<some Sink>, _ message: inout LEAudioValue
  ) throws(Malformed) {
    let opcode = try pdu.u8(fields.opcode)
    if pdu.facts.code == 0x1B {
      let call = try pdu.u8(fields.index)
      message = .callResult(opcode: opcode, call: call, result: try pdu.u8(fields.result))
    } else if opcode == 4 {
      message = .originateCall(opcode: opcode, uri: pdu.position..<pdu.end)
      try AdvertisingData.all(fields.uri, &pdu)
    } else {
      var calls: [UInt8] = []
      while pdu.remaining > 0 { calls.append(try pdu.u8(fields.index)) }
      message = .callOperation(opcode: opcode, calls: calls)
    }
  }
}
