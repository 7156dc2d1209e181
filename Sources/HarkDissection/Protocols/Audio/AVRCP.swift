/// Audio/Video Remote Control Profile (AVRCP), AV/C frames of the control channel. AVRCP 1.6, 4.
enum AVRCP: MessageDissector {
  static let name: StaticString = "AVRCP"
  static let path: StaticString = "avrcp"
  static let specification: StaticString = "Audio/Video Remote Control Profile 1.6, 4 and 6"
  static let places: [AttachmentPoint] = [.avctp(0x110E), .avctp(0x110C)]

  typealias Fields = AVRCPFields
  static let fields = Fields()

  /// The company that defines the PDUs read here. AVRCP 1.6, 4.5.
  static let bluetoothSIG: UInt64 = 0x001958

  static func read(
    _ pdu: inout PDU<some Sink>, _ message: inout AVRCPMessage
  ) throws(Malformed) {
    try frame(isWhole: false, &pdu, &message)
  }

  /// `isWhole`: the parameters of all fragments follow the header of the first.
  static func frame(
    isWhole: Bool, _ pdu: inout PDU<some Sink>, _ message: inout AVRCPMessage
  ) throws(Malformed) {
    let type = try pdu.word(1, of: fields.type) & 0xF
    pdu.part(fields.type, type, of: 1)
    message.type = AVRCPMessage.CommandType(rawValue: UInt8(type))
    let subunit = try pdu.word(1, of: fields.subunit)
    pdu.part(fields.subunit, subunit >> 3, of: 1)
    pdu.part(fields.subunitID, subunit & 7, of: 1)
    let opcode = try pdu.u8(fields.opcode)
    message.opcode = AVRCPMessage.Opcode(rawValue: opcode)
    let isResponse = type >= 8
    switch message.opcode {
    case .vendorDependent:
      try vendorDependent(isResponse: isResponse, isWhole: isWhole, &pdu, &message)
    case .unitInfo: try unitInfo(isResponse, &pdu)
    case .subunitInfo: try subunitInfo(isResponse, &pdu)
    case .passThrough: try passThrough(&pdu, &message)
    case nil: pdu.rest(fields.operands)
    }
  }

  /// 4.5, 6.3
  private static func vendorDependent(
    isResponse: Bool, isWhole: Bool, _ pdu: inout PDU<some Sink>, _ message: inout AVRCPMessage
  ) throws(Malformed) {
    guard try pdu.u24be(fields.company) == bluetoothSIG else {
      pdu.rest(fields.operands)
      return
    }
    let id = try pdu.u8(fields.pdu)
    message.identifier = id
    let packetType = try pdu.word(1, of: fields.packetType) & 3
    pdu.part(fields.packetType, packetType, of: 1)
    message.packetType =
      AVRCPMessage.PacketType(rawValue: UInt8(truncatingIfNeeded: packetType)) ?? .single
    let length = Int(try pdu.u16be(fields.length))
    if !isWhole { try pdu.limit(to: length, by: fields.length) }
    if message.packetType != .single, !isWhole {
      message.fragment = pdu.rest(fields.fragment)
    } else if message.type == .rejected {
      message.status = try pdu.u8(fields.status)
    } else if message.type == .notImplemented {
      // It has no parameters, or the command's.
      pdu.rest(fields.parameters)
    } else if isResponse {
      try AVRCPParameters.response(id, &pdu, &message)
    } else {
      try AVRCPParameters.command(id, &pdu, &message)
    }
  }

  /// 4.3.1: a command's operands say nothing.
  private static func unitInfo(
    _ isResponse: Bool, _ pdu: inout PDU<some Sink>
  ) throws(Malformed) {
    guard isResponse else {
      pdu.rest(fields.operands)
      return
    }
    try pdu.u8(fields.unitInformation)
    let word = try pdu.word(1, of: fields.unit)
    pdu.part(fields.unit, word >> 3, of: 1)
    pdu.part(fields.unitID, word & 7, of: 1)
    try pdu.u24be(fields.company)
  }

  /// 4.3.2
  private static func subunitInfo(
    _ isResponse: Bool, _ pdu: inout PDU<some Sink>
  ) throws(Malformed) {
    let word = try pdu.word(1, of: fields.page)
    pdu.part(fields.page, word >> 4 & 7, of: 1)
    pdu.part(fields.extensionCode, word & 7, of: 1)
    if isResponse {
      let first = try pdu.word(1, of: fields.unit)
      pdu.part(fields.unit, first >> 3, of: 1)
      pdu.part(fields.unitID, first & 7, of: 1)
    }
    pdu.rest(fields.operands)
  }

  /// 4.4.1
  private static func passThrough(
    _ pdu: inout PDU<some Sink>, _ message: inout AVRCPMessage
  ) throws(Malformed) {
    let word = try pdu.word(1, of: fields.state)
    pdu.part(fields.state, word >> 7, of: 1)
    let isDigit = 0x20...0x29 ~= word & 0x7F
    pdu.part(isDigit ? fields.digit.operation : fields.operation, word & 0x7F, of: 1)
    message.isReleased = word >> 7 == 1
    message.operation = UInt8(truncatingIfNeeded: word & 0x7F)
    let length = Int(try pdu.u8(fields.operationLength))
    try pdu.limit(to: length, by: fields.operationLength)
    if word & 0x7F == 0x7E, length == 5 {
      try pdu.u24be(fields.company)
      try pdu.u16be(fields.vendorOperation)
    } else {
      pdu.rest(fields.operationData)
    }
  }
}

/// A response whose fragments were put together: their headers are left out, except that of the
/// first. AVRCP 1.6, 6.3.1.
enum AVRCPResponse: MessageDissector {
  static let name: StaticString = "AVRCP"
  static let path: StaticString = "avrcp"
  static let specification: StaticString = "Audio/Video Remote Control Profile 1.6, 6.3.1"
  static let places: [AttachmentPoint] = [.reassembledResponse]

  static var fields: AVRCP.Fields { AVRCP.fields }

  static func read(
    _ pdu: inout PDU<some Sink>, _ message: inout AVRCPMessage
  ) throws(Malformed) {
    try AVRCP.frame(isWhole: true, &pdu, &message)
  }
}
