import HarkCore

/// SIM Access Profile: a phone's SIM card, used by a car over RFCOMM. Integers are big-endian.
enum SIMAccess: MessageDissector {
  static let name: StaticString = "SIM Access"
  static let path: StaticString = "sap"
  static let specification: StaticString = "SIM Access Profile 1.1, 5.1 and 5.2"
  static let service = BluetoothUUID(0x112D as UInt16)
  static let places: [AttachmentPoint] = [.service(service)]
  static let cutter: (any MessageCutter)? = Cutter()

  /// A header says how many parameters follow it, and each of them how long it is. 5.1
  struct Cutter: MessageCutter {
    let headerCount = 4
    let holdsSecrets = true

    func needed(_ begun: RawSpan) -> Int? {
      let end = end(begun)
      return end.isKnown ? nil : end.count
    }

    func count(_ header: RawSpan) -> Int? {
      // So that a stream out of step is noticed, an unknown message must stay within the reserved codes.
      let isKnown = messages[UInt64(header.byte(at: 0))] != nil
      let isReservedZero = header.byte(at: 2) == 0 && header.byte(at: 3) == 0
      return isKnown || isReservedZero ? end(header).count : nil
    }

    /// Where the message ends, or the header of the first parameter that is not there.
    private func end(_ begun: RawSpan) -> (count: Int, isKnown: Bool) {
      var end = headerCount
      for _ in 0..<begun.byte(at: 1) {
        guard begun.byteCount >= end + 4 else { return (end + 4, false) }
        let length = Int(begun.byte(at: end + 2)) << 8 | Int(begun.byte(at: end + 3))
        end += 4 + length + SIMAccess.padding(length)
      }
      return (end, true)
    }
  }

  // Table 5.1
  static let messages: [UInt64: StaticString] = [
    0x00: "CONNECT_REQ", 0x01: "CONNECT_RESP", 0x02: "DISCONNECT_REQ", 0x03: "DISCONNECT_RESP",
    0x04: "DISCONNECT_IND", 0x05: "TRANSFER_APDU_REQ", 0x06: "TRANSFER_APDU_RESP",
    0x07: "TRANSFER_ATR_REQ", 0x08: "TRANSFER_ATR_RESP", 0x09: "POWER_SIM_OFF_REQ",
    0x0A: "POWER_SIM_OFF_RESP", 0x0B: "POWER_SIM_ON_REQ", 0x0C: "POWER_SIM_ON_RESP",
    0x0D: "RESET_SIM_REQ", 0x0E: "RESET_SIM_RESP", 0x0F: "TRANSFER_CARD_READER_STATUS_REQ",
    0x10: "TRANSFER_CARD_READER_STATUS_RESP", 0x11: "STATUS_IND", 0x12: "ERROR_RESP",
    0x13: "SET_TRANSPORT_PROTOCOL_REQ", 0x14: "SET_TRANSPORT_PROTOCOL_RESP",
  ]
  // Table 5.15
  static let parameters: [UInt64: StaticString] = [
    0x00: "MaxMsgSize", 0x01: "ConnectionStatus", 0x02: "ResultCode", 0x03: "DisconnectionType",
    0x04: "CommandAPDU", 0x05: "ResponseAPDU", 0x06: "ATR", 0x07: "CardReaderStatus",
    0x08: "StatusChange", 0x09: "TransportProtocol", 0x10: "CommandAPDU7816",
  ]
  // 5.2
  static let statuses: [UInt64: StaticString] = [
    0x00: "OK, Server can fulfill requirements",
    0x01: "Error, Server unable to establish connection",
    0x02: "Error, Server does not support maximum message size",
    0x03: "Error, maximum message size by Client is too small", 0x04: "OK, ongoing call",
  ]
  // Table 5.18
  static let results: [UInt64: StaticString] = [
    0x00: "OK, request processed correctly", 0x01: "Error, no reason defined",
    0x02: "Error, card not accessible", 0x03: "Error, card (already) powered off",
    0x04: "Error, card removed", 0x05: "Error, card already powered on",
    0x06: "Error, data not available", 0x07: "Error, not supported",
  ]
  // 5.2
  static let disconnections: [UInt64: StaticString] = [0x00: "Graceful", 0x01: "Immediate"]
  // Table 5.19
  static let changes: [UInt64: StaticString] = [
    0x00: "Unknown Error", 0x01: "Card reset", 0x02: "Card not accessible", 0x03: "Card removed",
    0x04: "Card inserted", 0x05: "Card recovered",
  ]
  // 5.2
  static let protocols: [UInt64: StaticString] = [0x00: "T=0", 0x01: "T=1"]
  // 3GPP TS 11.14, 12.33: bits 1 to 3 are the identity of one of eight readers.
  static let readerFlags: [UInt64: StaticString] = [
    3: "removable", 4: "present", 5: "ID-1 size", 6: "card present", 7: "card powered",
  ]

  struct Fields: Sendable {
    let message = Field("MsgID", .hex, names: messages, title: true)
    let count = Field("Number of Parameters")
    let reserved = Field("Reserved", .hex, role: .reserved)
    let parameter = Field("Parameter", .list)
    let id = Field("Parameter ID", .hex, names: parameters)
    let length = Field("Parameter Length")
    let maximum = Field("MaxMsgSize", inLine: true)
    let status = Field("ConnectionStatus", .hex, names: statuses, inLine: true)
    let result = Field("ResultCode", .hex, names: results, inLine: true)
    let disconnection = Field("DisconnectionType", .hex, names: disconnections, inLine: true)
    // PINs, contacts, text messages and answers to the network's challenges.
    let command = Field("CommandAPDU", .bytes, secret: true, personal: .traffic)
    let response = Field("ResponseAPDU", .bytes, secret: true, personal: .traffic)
    let command7816 = Field("CommandAPDU7816", .bytes, secret: true, personal: .traffic)
    let answerToReset = Field("ATR", .bytes, secret: true, personal: .traffic)
    let reader = Field("Identity of Card Reader")
    let readerState = Field("CardReaderStatus", .hex, flags: readerFlags, inLine: true)
    let change = Field("StatusChange", .hex, names: changes, inLine: true)
    let transport = Field("TransportProtocol", .hex, names: protocols, inLine: true)
    // Of an undocumented parameter: an APDU may be in it.
    let value = Field("Parameter Value", .bytes, secret: true, personal: .opaque)
    let padding = Field("Padding", .bytes)
  }
  static let fields = Fields()

  static func read(
    _ pdu: inout PDU<some Sink>, _ message: inout SIMAccessMessage
  ) throws(Malformed) {
    let code = try pdu.u8(fields.message)
    message.code = code
    pdu.facts.code = UInt16(code)
    let count = try pdu.u8(fields.count)
    try pdu.u16be(fields.reserved)
    for _ in 0..<count {
      try pdu.group(fields.parameter) { pdu throws(Malformed) in try parameter(&pdu, &message) }
    }
  }

  /// 5.1: each begins at a multiple of four octets.
  private static func parameter(
    _ pdu: inout PDU<some Sink>, _ message: inout SIMAccessMessage
  ) throws(Malformed) {
    let id = try pdu.u8(fields.id)
    try pdu.u8(fields.reserved)
    let length = Int(try pdu.u16be(fields.length))
    // Of a record that was cut by its recorder, what is there is read.
    let there = pdu.context.isTruncated ? min(length, pdu.remaining) : length
    // What is there of a value that is too long may be secret.
    if there > pdu.remaining { throw pdu.truncated(there, fields.value) }
    try pdu.inside(there, by: fields.length) { pdu throws(Malformed) in
      try value(id, &pdu, &message)
    }
    let padding = padding(length)
    if there == length, padding > 0 { try pdu.bytes(padding, fields.padding) }
  }

  private static func value(
    _ id: UInt8, _ pdu: inout PDU<some Sink>, _ message: inout SIMAccessMessage
  ) throws(Malformed) {
    switch id {
    case 0x00: message.maximum = try pdu.u16be(fields.maximum)
    case 0x01: message.status = try pdu.u8(fields.status)
    case 0x02: message.result = try pdu.u8(fields.result)
    case 0x03: message.disconnection = try pdu.u8(fields.disconnection)
    case 0x04: try AdvertisingData.all(fields.command, &pdu)
    case 0x05: try AdvertisingData.all(fields.response, &pdu)
    case 0x06: try AdvertisingData.all(fields.answerToReset, &pdu)
    case 0x07:
      let state = try pdu.word(1, of: fields.readerState)
      pdu.part(fields.reader, state & 0x07, of: 1)
      pdu.part(fields.readerState, state & 0xF8, of: 1)
    case 0x08: message.change = try pdu.u8(fields.change)
    case 0x09: try pdu.u8(fields.transport)
    case 0x10: try AdvertisingData.all(fields.command7816, &pdu)
    default: break
    }
    try AdvertisingData.all(fields.value, &pdu)
  }

  static func padding(_ length: Int) -> Int { -length & 3 }
}
