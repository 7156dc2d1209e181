/// Audio/Video Distribution Transport Protocol (AVDTP), signaling. AVDTP 1.3, 8.
enum AVDTP: MessageDissector {
  static let name: StaticString = "AVDTP"
  static let path: StaticString = "avdtp"
  static let specification: StaticString = "Audio/Video Distribution Transport Protocol 1.3, 8"
  static let places: [AttachmentPoint] = [.psm(0x0019)]

  // 8.4.2
  static let packetTypes: [UInt64: StaticString] = [
    0: "Single Packet", 1: "Start Packet", 2: "Continue Packet", 3: "End Packet",
  ]
  // 8.4.3
  static let messageTypes: [UInt64: StaticString] = [
    0: "Command", 1: "General Reject", 2: "Response Accept", 3: "Response Reject",
  ]
  // 8.5
  static let signals: [UInt64: StaticString] = [
    0x01: "AVDTP_DISCOVER", 0x02: "AVDTP_GET_CAPABILITIES", 0x03: "AVDTP_SET_CONFIGURATION",
    0x04: "AVDTP_GET_CONFIGURATION", 0x05: "AVDTP_RECONFIGURE", 0x06: "AVDTP_OPEN",
    0x07: "AVDTP_START", 0x08: "AVDTP_CLOSE", 0x09: "AVDTP_SUSPEND", 0x0A: "AVDTP_ABORT",
    0x0B: "AVDTP_SECURITY_CONTROL", 0x0C: "AVDTP_GET_ALL_CAPABILITIES",
    0x0D: "AVDTP_DELAYREPORT",
  ]
  // 8.20.6.2; from 0xC0 on: A2DP 1.4, 5.1.3
  static let errors: [UInt64: StaticString] = [
    0x01: "BAD_HEADER_FORMAT", 0x11: "BAD_LENGTH", 0x12: "BAD_ACP_SEID", 0x13: "SEP_IN_USE",
    0x14: "SEP_NOT_IN_USE", 0x17: "BAD_SERV_CATEGORY", 0x18: "BAD_PAYLOAD_FORMAT",
    0x19: "NOT_SUPPORTED_COMMAND", 0x1A: "INVALID_CAPABILITIES", 0x22: "BAD_RECOVERY_TYPE",
    0x23: "BAD_MEDIA_TRANSPORT_FORMAT", 0x25: "BAD_RECOVERY_FORMAT", 0x26: "BAD_ROHC_FORMAT",
    0x27: "BAD_CP_FORMAT", 0x28: "BAD_MULTIPLEXING_FORMAT", 0x29: "UNSUPPORTED_CONFIGURATION",
    0x31: "BAD_STATE",
    0xC1: "INVALID_CODEC_TYPE", 0xC2: "NOT_SUPPORTED_CODEC_TYPE",
    0xC3: "INVALID_SAMPLING_FREQUENCY", 0xC4: "NOT_SUPPORTED_SAMPLING_FREQUENCY",
    0xC5: "INVALID_CHANNEL_MODE", 0xC6: "NOT_SUPPORTED_CHANNEL_MODE", 0xC7: "INVALID_SUBBANDS",
    0xC8: "NOT_SUPPORTED_SUBBANDS", 0xC9: "INVALID_ALLOCATION_METHOD",
    0xCA: "NOT_SUPPORTED_ALLOCATION_METHOD", 0xCB: "INVALID_MINIMUM_BITPOOL_VALUE",
    0xCC: "NOT_SUPPORTED_MINIMUM_BITPOOL_VALUE", 0xCD: "INVALID_MAXIMUM_BITPOOL_VALUE",
    0xCE: "NOT_SUPPORTED_MAXIMUM_BITPOOL_VALUE", 0xCF: "INVALID_LAYER",
    0xD0: "NOT_SUPPORTED_LAYER", 0xD1: "NOT_SUPPORTED_CRC", 0xD2: "NOT_SUPPORTED_MPF",
    0xD3: "NOT_SUPPORTED_VBR", 0xD4: "INVALID_BIT_RATE", 0xD5: "NOT_SUPPORTED_BIT_RATE",
    0xD6: "INVALID_OBJECT_TYPE", 0xD7: "NOT_SUPPORTED_OBJECT_TYPE", 0xD8: "INVALID_CHANNELS",
    0xD9: "NOT_SUPPORTED_CHANNELS", 0xDA: "INVALID_VERSION", 0xDB: "NOT_SUPPORTED_VERSION",
    0xDC: "NOT_SUPPORTED_MAXIMUM_SUL", 0xDD: "INVALID_BLOCK_LENGTH", 0xE0: "INVALID_CP_TYPE",
    0xE1: "INVALID_CP_FORMAT", 0xE2: "INVALID_CODEC_PARAMETER",
    0xE3: "NOT_SUPPORTED_CODEC_PARAMETER", 0xE4: "INVALID_DRC", 0xE5: "NOT_SUPPORTED_DRC",
  ]
  static let answers: [UInt64: StaticString] = [0: "no", 1: "yes"]
  // 8.20.3
  static let endpointTypes: [UInt64: StaticString] = [0: "SRC", 1: "SNK"]

  struct Fields: Sendable {
    let transaction = Field("Transaction Label")
    let packetType = Field("Packet Type", names: packetTypes)
    let message = Field("Message Type", names: messageTypes, inLine: true)
    let packets = Field("Number of Signal Packets")
    let signal = Field("Signal Identifier", .hex, names: signals, title: true)
    let endpoint = Field("Stream End Point", .list)
    let acpSEID = Field("ACP SEID", inLine: true)
    let intSEID = Field("INT SEID", inLine: true)
    let inUse = Field("In Use", names: answers)
    let endpointType = Field("TSEP", names: endpointTypes)
    let failedCategory = Field("Service Category", names: AVDTPCapabilities.categories)
    let error = Field("Error Code", .hex, names: errors, inLine: true)
    let capabilities = AVDTPCapabilities.shared
    let delay = Field("Delay", unit: "0.1 ms", inLine: true)
    let protection = Field("Content Protection Data", .bytes)
    let fragment = Field("Fragment", .bytes, role: .fragment)
    let data = Field("Data", .bytes)
  }
  static let fields = Fields()

  static func read(
    _ pdu: inout PDU<some Sink>, _ message: inout AVDTPMessage
  ) throws(Malformed) {
    try header(&pdu, &message)
    switch message.packetType {
    case .single: try signal(&pdu, &message)
    case .start:
      message.packets = try pdu.u8(fields.packets)
      try identifier(&pdu, &message)
      pdu.rest(fields.fragment)
    case .continue, .end: message.fragment = pdu.rest(fields.fragment)
    }
  }

  /// 8.4: the octet every signaling packet begins with.
  static func header(
    _ pdu: inout PDU<some Sink>, _ message: inout AVDTPMessage
  ) throws(Malformed) {
    let word = try pdu.word(1, of: fields.transaction)
    pdu.part(fields.transaction, word >> 4, of: 1)
    pdu.part(fields.packetType, word >> 2 & 3, of: 1)
    pdu.part(fields.message, word & 3, of: 1)
    let octet = UInt8(truncatingIfNeeded: word)
    message.transaction = octet >> 4
    message.packetType = AVDTPMessage.PacketType(rawValue: octet >> 2 & 3) ?? .single
    message.type = AVDTPMessage.MessageType(rawValue: octet & 3) ?? .command
  }

  static func identifier(
    _ pdu: inout PDU<some Sink>, _ message: inout AVDTPMessage
  ) throws(Malformed) {
    let word = try pdu.word(1, of: fields.signal)
    pdu.part(fields.signal, word & 0x3F, of: 1)
    message.identifier = UInt8(truncatingIfNeeded: word & 0x3F)
  }

  /// The Signal Identifier and its parameters, which end the window.
  static func signal(
    _ pdu: inout PDU<some Sink>, _ message: inout AVDTPMessage
  ) throws(Malformed) {
    try identifier(&pdu, &message)
    switch message.type {
    case .command: try command(&pdu, &message)
    case .accept: try accept(&pdu, &message)
    case .reject: try reject(&pdu, &message)
    case .generalReject: break
    }
  }

  /// 8.6 to 8.19
  static func command(
    _ pdu: inout PDU<some Sink>, _ message: inout AVDTPMessage
  ) throws(Malformed) {
    switch message.signal {
    case .discover: break
    case .getCapabilities, .getConfiguration, .open, .close, .abort, .getAllCapabilities:
      message.acpSEIDs.append(try seid(fields.acpSEID, &pdu))
    case .setConfiguration:
      message.acpSEIDs.append(try seid(fields.acpSEID, &pdu))
      message.intSEID = try seid(fields.intSEID, &pdu)
      try fields.capabilities.read(&pdu, &message.capabilities)
    case .reconfigure:
      message.acpSEIDs.append(try seid(fields.acpSEID, &pdu))
      try fields.capabilities.read(&pdu, &message.capabilities)
    case .start, .suspend:
      repeat { message.acpSEIDs.append(try seid(fields.acpSEID, &pdu)) } while pdu.remaining > 0
    case .securityControl:
      message.acpSEIDs.append(try seid(fields.acpSEID, &pdu))
      pdu.rest(fields.protection)
    case .delayReport:
      message.acpSEIDs.append(try seid(fields.acpSEID, &pdu))
      message.delay = try pdu.u16be(fields.delay)
    case nil: pdu.rest(fields.data)
    }
  }

  static func accept(
    _ pdu: inout PDU<some Sink>, _ message: inout AVDTPMessage
  ) throws(Malformed) {
    switch message.signal {
    case .discover:
      repeat { message.endpoints.append(try endpoint(&pdu)) } while pdu.remaining > 0
    case .getCapabilities, .getConfiguration, .getAllCapabilities:
      try fields.capabilities.read(&pdu, &message.capabilities)
    case .setConfiguration, .reconfigure, .open, .start, .close, .suspend, .abort, .delayReport:
      break
    case .securityControl: pdu.rest(fields.protection)
    case nil: pdu.rest(fields.data)
    }
  }

  static func reject(
    _ pdu: inout PDU<some Sink>, _ message: inout AVDTPMessage
  ) throws(Malformed) {
    switch message.signal {
    case .setConfiguration, .reconfigure:
      message.failedCategory = try pdu.u8(fields.failedCategory)
    case .start, .suspend: try seid(fields.acpSEID, &pdu)
    default: break
    }
    message.error = try pdu.u8(fields.error)
  }

  /// 8.20.1: the upper six bits.
  @discardableResult
  static func seid(_ field: Field, _ pdu: inout PDU<some Sink>) throws(Malformed) -> UInt8 {
    let word = try pdu.word(1, of: field)
    pdu.part(field, word >> 2, of: 1)
    return UInt8(truncatingIfNeeded: word >> 2)
  }

  /// 8.6.2
  static func endpoint(
    _ pdu: inout PDU<some Sink>
  ) throws(Malformed) -> AVDTPMessage.Endpoint {
    var endpoint = AVDTPMessage.Endpoint()
    try pdu.group(fields.endpoint) { pdu throws(Malformed) in
      let first = try pdu.word(1, of: fields.acpSEID)
      pdu.part(fields.acpSEID, first >> 2, of: 1)
      pdu.part(fields.inUse, first >> 1 & 1, of: 1)
      let second = try pdu.word(1, of: fields.capabilities.codec.mediaType)
      pdu.part(fields.capabilities.codec.mediaType, second >> 4, of: 1)
      pdu.part(fields.endpointType, second >> 3 & 1, of: 1)
      endpoint.seid = UInt8(truncatingIfNeeded: first >> 2)
      endpoint.isInUse = first >> 1 & 1 == 1
      endpoint.isSink = second >> 3 & 1 == 1
    }
    return endpoint
  }
}
