import HarkCore

/// What packets of OBEX consist of, whichever profile they are of. IrOBEX 1.5, 2 and 3.
struct OBEXFields: Sendable {
  // 3.2, 3.4
  static let opcodes: [UInt64: StaticString] = [
    0x00: "Connect", 0x01: "Disconnect", 0x02: "Put", 0x03: "Get", 0x05: "SetPath",
    0x06: "Action", 0x07: "Session", 0x7F: "Abort", 0x10: "Continue", 0x20: "Success",
    0x21: "Created", 0x22: "Accepted", 0x23: "Non-Authoritative Information",
    0x24: "No Content", 0x25: "Reset Content", 0x26: "Partial Content",
    0x30: "Multiple Choices", 0x31: "Moved Permanently", 0x32: "Moved temporarily",
    0x33: "See Other", 0x34: "Not modified", 0x35: "Use Proxy", 0x40: "Bad Request",
    0x41: "Unauthorized", 0x42: "Payment Required", 0x43: "Forbidden", 0x44: "Not Found",
    0x45: "Method Not Allowed", 0x46: "Not Acceptable",
    0x47: "Proxy Authentication Required", 0x48: "Request Time Out", 0x49: "Conflict",
    0x4A: "Gone", 0x4B: "Length Required", 0x4C: "Precondition Failed",
    0x4D: "Requested Entity Too Large", 0x4E: "Requested URL Too Large",
    0x4F: "Unsupported media type", 0x50: "Internal Server Error", 0x51: "Not Implemented",
    0x52: "Bad Gateway", 0x53: "Service Unavailable", 0x54: "Gateway Timeout",
    0x55: "HTTP version not supported", 0x60: "Database Full", 0x61: "Database Locked",
  ]
  // 2.1
  static let identifiers: [UInt64: StaticString] = [
    0xC0: "Count", 0x01: "Name", 0x42: "Type", 0xC3: "Length", 0x44: "Time", 0xC4: "Time",
    0x05: "Description", 0x46: "Target", 0x47: "HTTP", 0x48: "Body", 0x49: "End of Body",
    0x4A: "Who", 0xCB: "Connection Id", 0x4C: "App. Parameters", 0x4D: "Auth. Challenge",
    0x4E: "Auth. Response", 0xCF: "Creator ID", 0x50: "WAN UUID", 0x51: "Object Class",
    0x52: "Session-Parameters", 0x93: "Session-Sequence-Number", 0x94: "Action Id",
    0x15: "DestName", 0xD6: "Permissions", 0x97: "Single Response Mode",
    0x98: "Single Response Mode Parameters",
  ]
  // 3.4.6.1
  static let pathFlags: [UInt64: StaticString] = [
    0: "back up a level before applying name", 1: "do not create folder if it does not exist",
  ]
  // 2.2.21
  static let actions: [UInt64: StaticString] = [
    0: "Copy", 1: "Move/Rename", 2: "Set Object Permissions",
  ]
  // GOEP 2.1.1, 4.6
  static let responseModes: [UInt64: StaticString] = [
    0: "disabled", 1: "enabled", 2: "supported",
  ]
  static let responseParameters: [UInt64: StaticString] = [
    0: "one more request", 1: "wait", 2: "one more request, and wait",
  ]
  // 3.6
  static let challengeTags: [UInt64: StaticString] = [0: "Nonce", 1: "Options", 2: "Realm"]
  static let responseTags: [UInt64: StaticString] = [
    0: "Request-Digest", 1: "User Id", 2: "Nonce",
  ]

  let code = Field("Opcode", .hex, names: opcodes, title: true)
  let isFinal = Field("Final Bit", names: [0: "not final", 1: "final"])
  let length = Field("Packet Length")
  let version = Field("OBEX Version Number", .hex, lookup: OBEXFields.version)
  let flags = Field("Flags", .hex)
  let pathFlags = Path()
  let maximum = Field("Maximum OBEX Packet Length", inLine: true)
  let constants = Field("Constants", .hex)
  let header = Field("Header", .list)
  let identifier = Field("Header Identifier", .hex, names: identifiers)
  let headerLength = Field("Header Length")
  let name = Field("Name", .utf16, inLine: true, personal: .text)
  let type = Field("Type", .text, inLine: true, role: .description)
  let description = Field("Description", .utf16, personal: .text)
  let destination = Field("DestName", .utf16, inLine: true, personal: .text)
  let text = Field("Unicode Text", .utf16, personal: .text)
  let time = Field("Time", .text)
  let http = Field("HTTP Header", .text, personal: .text)
  let target = Field("Target", .uuidBigEndian, inLine: true)
  let who = Field("Who", .uuidBigEndian)
  let texts = Texts()
  let body = Field("Body", .bytes, personal: .document)
  let count = Field("Count")
  let objectLength = Field("Length", inLine: true)
  let connection = Field("Connection Id", .hex)
  let action = Field("Action", names: actions, inLine: true)
  let responseMode = Field("Single Response Mode", names: responseModes)
  let responseParameters = Field("SRM Parameters", names: Self.responseParameters)
  let octet = Field("Value", .hex)
  let word = Field("Number", .hex)
  let data = Field("Data", .bytes, personal: .opaque)
  let parameters = OBEXParameters()
  let challenge = OBEXParameters.Tags(challengeTags)
  let response = OBEXParameters.Tags(responseTags)
  let digest = Field("Digest", .bytes, secret: true, personal: .key)

  /// In place of the field of the same name, in SetPath.
  struct Path: Sendable {
    let flags = Field("Flags", .hex, flags: OBEXFields.pathFlags)
  }

  /// In place of the fields of the same names: services that are older than Bluetooth have names.
  struct Texts: Sendable {
    let target = Field("Target", .text, inLine: true)
    let who = Field("Who", .text)
  }

  static let shared = OBEXFields()

  /// `1.5` for 0x15.
  @Sendable static func version(_ code: UInt64) -> String? { "\(code >> 4).\(code & 0xF)" }

  func read(
    _ profile: OBEXParameters.Profile, _ pdu: inout PDU<some Sink>, _ message: inout OBEXMessage
  ) throws(Malformed) {
    let head = try pdu.word(1, of: code)
    let opcode = head & 0x7F
    pdu.part(code, opcode, of: 1)
    pdu.part(isFinal, head >> 7, of: 1)
    message.code = UInt8(truncatingIfNeeded: opcode)
    message.isFinal = head >> 7 == 1
    let count = Int(try pdu.u16be(length))
    guard count >= 3 else { throw pdu.invalid(length, "is less than 3") }
    try pdu.limit(to: count - 3, by: length)
    // Only the packet that it answers would say that a response is Connect's: no header begins as
    // a version number does.
    let isAnswer = opcode == 0x20 && 0x10...0x14 ~= pdu.peek() && pdu.remaining >= 4
    if message.operation == .connect || isAnswer {
      try pdu.u8(version)
      try pdu.u8(flags)
      message.maximum = try pdu.u16be(maximum)
    } else if message.operation == .setPath {
      message.isUp = try pdu.u8(pathFlags.flags) & 1 == 1
      try pdu.u8(constants)
    }
    while pdu.remaining > 0 {
      try pdu.group(header) { pdu throws(Malformed) in try header(profile, &pdu, &message) }
    }
  }

  /// 2.1: the two high bits determine the form of the value.
  private func header(
    _ profile: OBEXParameters.Profile, _ pdu: inout PDU<some Sink>, _ message: inout OBEXMessage
  ) throws(Malformed) {
    let id = try pdu.u8(identifier)
    switch id >> 6 {
    case 2: try octet(id, &pdu, &message)
    case 3:
      switch id {
      case 0xC0: try pdu.u32be(count)
      case 0xC3: message.length = try pdu.u32be(objectLength)
      case 0xCB: try pdu.u32be(connection)
      default: try pdu.u32be(word)
      }
    default:
      let length = Int(try pdu.u16be(headerLength))
      guard length >= 3 else { throw pdu.invalid(headerLength, "is less than 3") }
      try pdu.inside(length - 3, by: headerLength) { pdu throws(Malformed) in
        if id >> 6 == 0 {
          let text = try all(text(id), &pdu)
          if id == 0x01, !text.isEmpty { message.name = text }
        } else {
          try sequence(id, profile, &pdu, &message)
        }
      }
    }
  }

  /// The rest of the window, as one value; nothing if nothing is left.
  private func all(_ field: Field, _ pdu: inout PDU<some Sink>) throws(Malformed) -> Range<Int> {
    let start = pdu.position
    try AdvertisingData.all(field, &pdu)
    return start..<pdu.position
  }

  private func octet(
    _ id: UInt8, _ pdu: inout PDU<some Sink>, _ message: inout OBEXMessage
  ) throws(Malformed) {
    switch id {
    case 0x94: message.action = try pdu.u8(action)
    case 0x97: try pdu.u8(responseMode)
    case 0x98: try pdu.u8(responseParameters)
    default: try pdu.u8(octet)
    }
  }

  private func text(_ id: UInt8) -> Field {
    switch id {
    case 0x01: name
    case 0x05: description
    case 0x15: destination
    default: text
    }
  }

  private func sequence(
    _ id: UInt8, _ profile: OBEXParameters.Profile, _ pdu: inout PDU<some Sink>,
    _ message: inout OBEXMessage
  ) throws(Malformed) {
    switch id {
    case 0x42:
      let text = try all(type, &pdu)
      if !text.isEmpty { message.type = text }
    case 0x44: try AdvertisingData.all(time, &pdu)
    case 0x46, 0x4A: try service(id, &pdu, &message)
    case 0x47: try AdvertisingData.all(http, &pdu)
    case 0x48, 0x49: message.bodyCount += try all(body, &pdu).count
    case 0x4C: try parameters.read(profile, &pdu)
    case 0x4D, 0x4E: try authentication(isChallenge: id == 0x4D, &pdu)
    default: try AdvertisingData.all(data, &pdu)
    }
  }

  /// 2.2.7, 2.2.10: mostly a UUID; `IRMC-SYNC` and `SYNCML-SYNC` are none.
  private func service(
    _ id: UInt8, _ pdu: inout PDU<some Sink>, _ message: inout OBEXMessage
  ) throws(Malformed) {
    let isTarget = id == 0x46
    guard pdu.remaining == 16 else {
      let isText = (0..<pdu.remaining).allSatisfy { 0x20...0x7E ~= pdu.peek($0) }
      let range = try all(isText ? isTarget ? texts.target : texts.who : data, &pdu)
      if isTarget, isText, !range.isEmpty { message.targetText = range }
      return
    }
    let range = try pdu.bytes(16, isTarget ? target : who)
    if isTarget { message.target = BluetoothUUID(bigEndian: pdu.bytes.extracting(range)) }
  }

  /// 3.6: what is in them is made of a password.
  private func authentication(
    isChallenge: Bool, _ pdu: inout PDU<some Sink>
  ) throws(Malformed) {
    while pdu.remaining > 0 {
      try pdu.group(parameters.parameter) { pdu throws(Malformed) in
        let tag = try pdu.u8(isChallenge ? challenge.tag : response.tag)
        let count = Int(try pdu.u8(parameters.tagLength))
        if count > 0 { try pdu.bytes(count, !isChallenge && tag == 0 ? digest : data) }
      }
    }
  }
}
