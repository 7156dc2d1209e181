import HarkCore

/// Hardcopy Cable Replacement Profile: the control channel of printers and scanners. Integers are big-endian.
enum HCRP: MessageDissector {
  static let name: StaticString = "HCRP"
  static let path: StaticString = "hcrp"
  static let specification: StaticString =
    "Hardcopy Cable Replacement Profile 1.2, Control Channel Protocol"
  static let places: [AttachmentPoint] = [
    .service(BluetoothUUID(0x1125 as UInt16)), .service(BluetoothUUID(0x1126 as UInt16)),
    .service(BluetoothUUID(0x1127 as UInt16)),
  ]
  static let cutter: (any MessageCutter)? = Cutter()

  /// PDU ID, Transaction ID, and the length of the parameters.
  struct Cutter: MessageCutter {
    let headerCount = 6

    func count(_ header: RawSpan) -> Int? {
      // So that a stream out of step is noticed: reserved PDU IDs begin no message.
      let code = UInt64(header.byte(at: 0)) << 8 | UInt64(header.byte(at: 1))
      guard code >= 0x8000 || pdus[code] != nil else { return nil }
      return 6 + (Int(header.byte(at: 4)) << 8 | Int(header.byte(at: 5)))
    }
  }

  static let pdus: [UInt64: StaticString] = [
    0x0001: "CR_DataChannelCreditGrant", 0x0002: "CR_DataChannelCreditRequest",
    0x0003: "CR_DataChannelCreditReturn", 0x0004: "CR_DataChannelCreditQuery",
    0x0005: "CR_GetLPTStatus", 0x0006: "CR_Get1284ID", 0x0007: "CR_SoftReset",
    0x0008: "CR_HardReset", 0x0009: "CR_RegisterNotification",
    0x000A: "CR_NotificationConnectionAlive",
  ]
  static let statuses: [UInt64: StaticString] = [
    0x0000: "Feature Unsupported", 0x0001: "Success", 0x0002: "Credit Synchronization Error",
    0xFFFF: "Generic Failure",
  ]
  // As on the status lines of a parallel port.
  static let printerFlags: [UInt64: StaticString] = [3: "Not Error", 4: "Select", 5: "Paper Empty"]
  static let registrations: [UInt64: StaticString] = [0: "Unregister", 1: "Register"]

  struct Fields: Sendable {
    let pdu = Field("PDU ID", .hex, names: pdus, title: true)
    let transaction = Field("Transaction ID", .hex)
    let length = Field("Parameter Length")
    let status = Field("Status Code", .hex, names: statuses, inLine: true)
    let granted = Field("Credit Granted", unit: "B", inLine: true)
    let clientReturn = Field("Client Credit Return", unit: "B", inLine: true)
    let serverReturn = Field("Server Credit Return", unit: "B", inLine: true)
    let clientCredit = Field("Client Credit", unit: "B", inLine: true)
    let serverCredit = Field("Server Credit", unit: "B", inLine: true)
    let printer = Field("LPT Status", .hex, flags: printerFlags, inLine: true)
    let start = Field("Start Byte")
    let count = Field("Number of Bytes")
    // The model, and in most printers a serial number.
    let deviceID = Field("1284 ID", .text, inLine: true, personal: .serialNumber)
    let register = Field("Register", names: registrations, inLine: true)
    let callback = Field("Callback Context ID", .hex)
    let timeout = Field("Timeout")
    let callbackTimeout = Field("Callback Timeout")
    let parameters = Field("Parameters", .bytes, personal: .opaque)
  }
  static let fields = Fields()

  /// A request and its reply have the same PDU ID: the sender shows which one it is. Only clients send requests.
  static func read(
    _ pdu: inout PDU<some Sink>, _ message: inout HCRPMessage
  ) throws(Malformed) {
    let code = try pdu.u16be(fields.pdu)
    message.code = code
    pdu.facts.code = code
    message.transaction = try pdu.u16be(fields.transaction)
    let length = Int(try pdu.u16be(fields.length))
    try pdu.limit(to: length, by: fields.length)
    switch pdu.context.isFromAcceptor {
    case false: try request(code, &pdu)
    case true:
      message.status = try pdu.u16be(fields.status)
      // An unsupported request is answered without parameters.
      if pdu.remaining > 0 { try reply(code, &pdu) }
    case nil: break
    }
    try AdvertisingData.all(fields.parameters, &pdu)
  }

  private static func request(
    _ code: UInt16, _ pdu: inout PDU<some Sink>
  ) throws(Malformed) {
    switch code {
    case 0x0001: try pdu.u32be(fields.granted)
    case 0x0003: try pdu.u32be(fields.clientReturn)
    case 0x0004: try pdu.u32be(fields.clientCredit)
    case 0x0006:
      try pdu.u16be(fields.start)
      try pdu.u16be(fields.count)
    case 0x0009:
      try pdu.u8(fields.register)
      try pdu.u32be(fields.callback)
      try pdu.u32be(fields.callbackTimeout)
    default: break
    }
  }

  private static func reply(
    _ code: UInt16, _ pdu: inout PDU<some Sink>
  ) throws(Malformed) {
    switch code {
    case 0x0002: try pdu.u32be(fields.granted)
    case 0x0003: try pdu.u32be(fields.serverReturn)
    case 0x0004: try pdu.u32be(fields.serverCredit)
    case 0x0005: try pdu.u8(fields.printer)
    case 0x0006: try AdvertisingData.all(fields.deviceID, &pdu)
    case 0x0009:
      try pdu.u32be(fields.timeout)
      try pdu.u32be(fields.callbackTimeout)
    case 0x000A: try pdu.u32be(fields.timeout)
    default: break
    }
  }
}
