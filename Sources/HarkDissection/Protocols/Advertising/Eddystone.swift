import HarkCore

/// Google Eddystone beacons. https://github.com/google/eddystone: protocol-specification.md and the
/// documents of the frames; integers are big-endian.
enum Eddystone: Dissector {
  static let name: StaticString = "Eddystone"
  static let path: StaticString = "eddystone"
  static let specification: StaticString = "Google, Eddystone Protocol Specification"
  static let places: [AttachmentPoint] = [.serviceData(BluetoothUUID(0xFEAA as UInt16))]

  // 0x40 and 0x41 are those of Find My Device, on the same service UUID.
  static let frames: [UInt64: StaticString] = [
    0x00: "Eddystone-UID", 0x10: "Eddystone-URL", 0x20: "Eddystone-TLM", 0x30: "Eddystone-EID",
    0x40: "Google Find My Device", 0x41: "Google Find My Device, unwanted tracking protection",
  ]
  // eddystone-url: URL Scheme Prefix, Eddystone-URL HTTP URL encoding
  static let schemes: [UInt64: StaticString] = [
    0: "http://www.", 1: "https://www.", 2: "http://", 3: "https://",
  ]
  static let expansions: [StaticString] = [
    ".com/", ".org/", ".edu/", ".net/", ".info/", ".biz/", ".gov/", ".com", ".org", ".edu",
    ".net", ".info", ".biz", ".gov",
  ]

  struct Fields: Sendable {
    let frame = Field("Frame Type", .hex, names: frames, inLine: true)
    let power = Field("Ranging Data", .signed, unit: "dBm")
    let namespace = Field("Namespace ID", .bytes, inLine: true, personal: .opaque)
    let instance = Field("Instance ID", .bytes, inLine: true, personal: .identifier)
    let reserved = Field("Reserved", .hex, role: .reserved)
    let scheme = Field("URL Scheme", .hex, names: schemes, inLine: true)
    let url = Field("Encoded URL", .text, inLine: true, personal: .text)
    let expansion = Field(
      "URL Expansion", .hex, lookup: Eddystone.expansion, inLine: true)
    let version = Field("TLM Version", .hex, names: [0: "unencrypted", 1: "encrypted"])
    let voltage = Field("Battery Voltage", unit: "mV", special: [0: "not supported"], inLine: true)
    let temperature = Field(
      "Beacon Temperature", .signed, unit: "0.00390625 °C", special: [0x8000: "not supported"],
      inLine: true)
    // Whoever receives the beacon at another time can identify it by them.
    let count = Field("Advertising PDU Count", personal: .identifier)
    let uptime = Field("Time since Power-on", unit: "0.1 s", personal: .identifier)
    let encrypted = Field("Encrypted TLM Data", .bytes, personal: .opaque)
    let salt = Field("Salt", .hex)
    let mic = Field("Message Integrity Check", .hex, structural: false)
    let ephemeral = Field("Ephemeral ID", .bytes, inLine: true, personal: .identifier)
    let hashedFlags = Field("Hashed Flags", .hex)
    let data = Field("Data", .bytes, personal: .opaque)
  }
  static let fields = Fields()

  @Sendable static func expansion(_ code: UInt64) -> String? {
    code < UInt64(expansions.count) ? expansions[Int(code)].description : nil
  }

  static func dissect(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    switch try pdu.u8(fields.frame) {
    case 0x00:
      try pdu.u8(fields.power)
      try pdu.bytes(10, fields.namespace)
      try pdu.bytes(6, fields.instance)
      if pdu.remaining == 2 { try pdu.u16(fields.reserved) }
    case 0x10:
      try pdu.u8(fields.power)
      try pdu.u8(fields.scheme)
      try url(&pdu)
    case 0x20: try telemetry(&pdu)
    case 0x30:
      try pdu.u8(fields.power)
      try pdu.bytes(8, fields.ephemeral)
    case 0x40, 0x41:
      try pdu.bytes(min(20, pdu.remaining), fields.ephemeral)
      if pdu.remaining == 1 { try pdu.u8(fields.hashedFlags) }
    default: break
    }
    try AdvertisingData.all(fields.data, &pdu)
  }

  /// Octets below 0x0E stand for several characters.
  private static func url(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    while pdu.remaining > 0 {
      if pdu.peek() < 0x0E {
        try pdu.u8(fields.expansion)
        continue
      }
      var count = 1
      while count < pdu.remaining, pdu.peek(count) >= 0x0E { count += 1 }
      try pdu.bytes(count, fields.url)
    }
  }

  private static func telemetry(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    guard try pdu.u8(fields.version) == 0 else {
      try pdu.bytes(12, fields.encrypted)
      try pdu.u16be(fields.salt)
      try pdu.u16be(fields.mic)
      return
    }
    try pdu.u16be(fields.voltage)
    try pdu.u16be(fields.temperature)
    try pdu.u32be(fields.count)
    try pdu.u32be(fields.uptime)
  }
}
