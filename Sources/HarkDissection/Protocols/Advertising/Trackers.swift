import HarkCore

// Tags that help to find things. What they advertise is encrypted or changes; what is public of it is
// named.

/// Tile. Its service data are not documented.
enum Tile: Dissector {
  static let name: StaticString = "Tile"
  static let path: StaticString = "tile"
  static let specification: StaticString = "Member UUIDs of Tile, Inc.; the data are opaque"
  static let places: [AttachmentPoint] = [
    .serviceData(BluetoothUUID(0xFEED as UInt16)), .serviceData(BluetoothUUID(0xFEEC as UInt16)),
  ]

  struct Fields: Sendable {
    let data = Field("Tile Data", .bytes, inLine: true, personal: .identifier)
  }
  static let fields = Fields()

  static func dissect(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    try AdvertisingData.all(fields.data, &pdu)
  }
}

/// Samsung SmartTag. T. Yu et al., Privacy Analysis of Samsung's Crowd-Sourced Bluetooth Location
/// Tracking System, 2022, as observed.
enum SmartTag: Dissector {
  static let name: StaticString = "SmartTag"
  static let path: StaticString = "smarttag"
  static let specification: StaticString =
    "Privacy Analysis of Samsung's Crowd-Sourced Bluetooth Location Tracking System, 2022"
  static let places: [AttachmentPoint] = [
    .serviceData(BluetoothUUID(0xFD5A as UInt16)), .serviceData(BluetoothUUID(0xFD59 as UInt16)),
  ]

  static let states: [UInt64: StaticString] = [
    1: "Premature Offline", 2: "Offline", 3: "Overmature Offline", 4: "Paired, with its owner",
    5: "Connected to one device", 6: "Connected to two devices",
  ]

  struct Fields: Sendable {
    let version = Field("Version")
    let type = Field("Advertisement Type")
    let state = Field("Tag State, as observed", names: states, inLine: true)
    let agingCounter = Field("Aging Counter")
    let privacyID = Field("Privacy ID", .bytes, inLine: true, personal: .identifier)
    let data = Field("Data", .bytes, personal: .opaque)
    let signature = Field("Signature", .bytes, personal: .identifier)
  }
  static let fields = Fields()

  static func dissect(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    guard pdu.remaining == 20 else { return try AdvertisingData.all(fields.data, &pdu) }
    let head = try pdu.word(1, of: fields.version)
    pdu.part(fields.version, head >> 4, of: 1)
    pdu.part(fields.type, head >> 3 & 1, of: 1)
    pdu.part(fields.state, head & 7, of: 1)
    try pdu.unsigned(3, fields.agingCounter)
    try pdu.bytes(8, fields.privacyID)
    try pdu.bytes(4, fields.data)
    try pdu.bytes(4, fields.signature)
  }
}

/// Matter devices that wait to be commissioned. Matter Core Specification 1.0, 5.4.2.5.6.
enum Matter: Dissector {
  static let name: StaticString = "Matter"
  static let path: StaticString = "matter"
  static let specification: StaticString = "Matter Core Specification 1.0, 5.4.2.5.6"
  static let places: [AttachmentPoint] = [.serviceData(BluetoothUUID(0xFFF6 as UInt16))]

  static let opcodes: [UInt64: StaticString] = [0: "Commissionable"]

  struct Fields: Sendable {
    let opcode = Field("OpCode", .hex, names: opcodes, inLine: true)
    let version = Field("Advertisement version")
    let discriminator = Field("Discriminator", .hex, inLine: true)
    let vendor = Field("Vendor ID", .hex, inLine: true)
    let product = Field("Product ID", .hex, inLine: true)
    let flags = Field(
      "Flags", .hex, flags: [0: "Additional Data", 1: "Extended Announcement"])
    let data = Field("Data", .bytes, personal: .opaque)
  }
  static let fields = Fields()

  static func dissect(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    if try pdu.u8(fields.opcode) == 0 {
      let word = try pdu.word(2, of: fields.discriminator)
      pdu.part(fields.version, word >> 12, of: 2)
      pdu.part(fields.discriminator, word & 0xFFF, of: 2)
      try pdu.u16(fields.vendor)
      try pdu.u16(fields.product)
      try pdu.u8(fields.flags)
    }
    try AdvertisingData.all(fields.data, &pdu)
  }
}

/// Any tracker that makes itself known to people nearby. Detecting Unwanted Location Trackers (IETF
/// draft-ietf-dult-accessory-protocol-00), 3.5.
enum LocationTracker: Dissector {
  static let name: StaticString = "Location-enabled accessory"
  static let path: StaticString = "dult"
  static let specification: StaticString =
    "Detecting Unwanted Location Trackers Accessory Protocol (IETF draft), 3.5"
  static let places: [AttachmentPoint] = [.serviceData(BluetoothUUID(0xFCB2 as UInt16))]

  static let networks: [UInt64: StaticString] = [1: "Apple Inc.", 2: "Google LLC"]
  static let nearness: [UInt64: StaticString] = [0: "separated", 1: "near owner"]

  struct Fields: Sendable {
    let network = Field("Network ID", .hex, names: networks, inLine: true)
    let nearOwner = Field("Near-owner bit", names: nearness, inLine: true)
    let payload = Field("Proprietary company payload", .bytes, personal: .opaque)
  }
  static let fields = Fields()

  static func dissect(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    try pdu.u8(fields.network)
    let octet = try pdu.word(1, of: fields.nearOwner)
    pdu.part(fields.nearOwner, octet & 1, of: 1)
    try AdvertisingData.all(fields.payload, &pdu)
  }
}
