import HarkCore

/// HomeKit's pairing over GATT: the HAP PDUs that the characteristics Pair Setup and Pair Verify carry unencrypted. The
/// values of all other characteristics are encrypted once a session is open. HomeKit Accessory Protocol Specification
/// (Non-Commercial Version), R2, 7.3 and Tables 5-3 to 5-6; integers are little-endian.
enum HomeKitPairing: MessageDissector {
  static let name: StaticString = "HomeKit pairing"
  static let path: StaticString = "hap"
  static let specification: StaticString =
    "HomeKit Accessory Protocol Specification (Non-Commercial Version), R2, 5 and 7.3"
  static let types = ["4C", "4E"].compactMap {
    BluetoothUUID("000000\($0)-0000-1000-8000-0026BB765291")
  }
  static let places: [AttachmentPoint] = types.map { .attribute($0) }

  // 7.3.3, Tables 7-3 and 7-4
  static let fragments: [UInt64: StaticString] = [0: "first or only", 1: "continuation"]
  static let pduTypes: [UInt64: StaticString] = [0: "Request", 1: "Response"]
  // Table 7-8
  static let opcodes: [UInt64: StaticString] = [
    1: "HAP-Characteristic-Signature-Read", 2: "HAP-Characteristic-Write",
    3: "HAP-Characteristic-Read", 4: "HAP-Characteristic-Timed-Write",
    5: "HAP-Characteristic-Execute-Write", 6: "HAP-Service-Signature-Read",
    7: "HAP-Characteristic-Configuration", 8: "HAP-Protocol-Configuration",
  ]
  // HAP Status Codes
  static let statuses: [UInt64: StaticString] = [
    0: "Success", 1: "Unsupported-PDU", 2: "Max-Procedures", 3: "Insufficient Authorization",
    4: "Invalid Instance ID", 5: "Insufficient Authentication", 6: "Invalid Request",
  ]
  // Additional Parameter Types
  static let parameterTypes: [UInt64: StaticString] = [
    1: "HAP-Param-Value", 2: "HAP-Param-Additional-Authorization-Data",
    3: "HAP-Param-Origin", 8: "HAP-Param-TTL", 9: "HAP-Param-Return-Response",
  ]
  // Table 5-6
  static let itemTypes: [UInt64: StaticString] = [
    0x00: "kTLVType_Method", 0x01: "kTLVType_Identifier", 0x02: "kTLVType_Salt",
    0x03: "kTLVType_PublicKey", 0x04: "kTLVType_Proof", 0x05: "kTLVType_EncryptedData",
    0x06: "kTLVType_State", 0x07: "kTLVType_Error", 0x08: "kTLVType_RetryDelay",
    0x09: "kTLVType_Certificate", 0x0A: "kTLVType_Signature", 0x0B: "kTLVType_Permissions",
    0x0C: "kTLVType_FragmentData", 0x0D: "kTLVType_FragmentLast", 0x13: "kTLVType_Flags",
    0xFF: "kTLVType_Separator",
  ]
  // Table 5-3
  static let methods: [UInt64: StaticString] = [
    0: "Pair Setup", 1: "Pair Setup with Auth", 2: "Pair Verify", 3: "Add Pairing",
    4: "Remove Pairing", 5: "List Pairings", 6: "Pair Resume",
  ]
  static let states: [UInt64: StaticString] = [
    1: "M1", 2: "M2", 3: "M3", 4: "M4", 5: "M5", 6: "M6",
  ]
  // Table 5-5
  static let errors: [UInt64: StaticString] = [
    1: "kTLVError_Unknown", 2: "kTLVError_Authentication", 3: "kTLVError_Backoff",
    4: "kTLVError_MaxPeers", 5: "kTLVError_MaxTries", 6: "kTLVError_Unavailable",
    7: "kTLVError_Busy",
  ]

  struct Fields: Sendable {
    let fragment = Field("Fragment", names: fragments)
    let pduType = Field("PDU Type", names: pduTypes)
    let opcode = Field("OpCode", .hex, names: opcodes, inLine: true)
    let transaction = Field("TID")
    let instance = Field("Characteristic Instance ID")
    let status = Field("Status", .hex, names: statuses, inLine: true)
    let bodyLength = Field("Body Length")
    let parameters = Field("Parameter", .list)
    let parameterType = Field("Parameter Type", .hex, names: parameterTypes)
    let items = Field("Item", .list)
    let itemType = Field("Item Type", .hex, names: itemTypes)
    let length = Field("Length")
    let state = Field("State", names: states, inLine: true)
    let method = Field("Method", names: methods, inLine: true)
    let error = Field("Error", names: errors, inLine: true)
    let delay = Field("Retry Delay")
    let flags = Field("Flags", .hex, flags: [4: "Transient", 24: "Split"])
    let data = Field("Data", .bytes, personal: .opaque)
  }
  static let fields = Fields()

  static func read(
    _ pdu: inout PDU<some Sink>, _ message: inout HomeKitPairingMessage
  ) throws(Malformed) {
    let control = try pdu.word(1, of: fields.fragment)
    pdu.part(fields.fragment, control >> 7, of: 1)
    pdu.part(fields.pduType, control >> 1 & 0x07, of: 1)
    guard control & 0x80 == 0 else {
      try pdu.u8(fields.transaction)
      return try all(fields.data, &pdu)
    }
    switch control >> 1 & 0x07 {
    case 0:
      try pdu.u8(fields.opcode)
      try pdu.u8(fields.transaction)
      try pdu.u16(fields.instance)
    case 1:
      try pdu.u8(fields.transaction)
      message.status = try pdu.u8(fields.status)
    default: return try all(fields.data, &pdu)
    }
    guard pdu.remaining > 0 else { return }
    try pdu.u16(fields.bodyLength)
    var continues = false
    while pdu.remaining > 0 {
      try pdu.group(fields.parameters) { pdu throws(Malformed) in
        let type = try pdu.u8(fields.parameterType)
        let count = Int(try pdu.u8(fields.length))
        // The rest may be in the next fragment.
        try pdu.inside(min(count, pdu.remaining), by: fields.length) { pdu throws(Malformed) in
          if type == 1, !continues {
            try items(&pdu, &message)
          } else {
            try all(fields.data, &pdu)
          }
        }
        // A value of more than 255 octets continues in the next parameter of its type.
        continues = type == 1 && count == 0xFF
      }
    }
  }

  private static func items(
    _ pdu: inout PDU<some Sink>, _ message: inout HomeKitPairingMessage
  ) throws(Malformed) {
    while pdu.remaining > 0 {
      try pdu.group(fields.items) { pdu throws(Malformed) in
        let type = try pdu.u8(fields.itemType)
        guard pdu.remaining > 0 else { return }
        let count = Int(try pdu.u8(fields.length))
        try pdu.inside(min(count, pdu.remaining), by: fields.length) { pdu throws(Malformed) in
          try item(type, &pdu, &message)
        }
      }
    }
  }

  private static func item(
    _ type: UInt8, _ pdu: inout PDU<some Sink>, _ message: inout HomeKitPairingMessage
  ) throws(Malformed) {
    switch (type, pdu.remaining) {
    case (0x00, 1): message.method = try pdu.u8(fields.method)
    case (0x06, 1): message.state = try pdu.u8(fields.state)
    case (0x07, 1): message.error = try pdu.u8(fields.error)
    case (0x08, 1...8): try pdu.unsigned(pdu.remaining, fields.delay)
    case (0x13, 1...8): try pdu.unsigned(pdu.remaining, fields.flags)
    default: try all(fields.data, &pdu)
    }
  }

  private static func all(_ field: Field, _ pdu: inout PDU<some Sink>) throws(Malformed) {
    if pdu.remaining > 0 { try pdu.bytes(pdu.remaining, field) }
  }
}
