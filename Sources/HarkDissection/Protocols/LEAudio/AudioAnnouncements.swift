import HarkCore

// Announcements of LE Audio in advertising. In service data nothing says which service it is of but
// the place, so each is a protocol of its own.

/// A device that broadcasts audio. Basic Audio Profile 1.0.1, 3.7.2.1.
enum BroadcastAudioAnnouncement: Dissector {
  static let name: StaticString = "Broadcast Audio Announcement"
  static let path: StaticString = "broadcast"
  static let specification: StaticString = "Basic Audio Profile 1.0.1, 3.7.2.1"
  static let places: [AttachmentPoint] = [.serviceData(BluetoothUUID(0x1852 as UInt16))]

  struct Fields: Sendable {
    let broadcast = Field("Broadcast_ID", .hex, inLine: true)
    let data = Field("Further Data", .bytes)
  }
  static let fields = Fields()

  static func dissect(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    try pdu.unsigned(3, fields.broadcast)
    try AdvertisingData.all(fields.data, &pdu)
  }
}

/// What is broadcast: the Broadcast Audio Source Endpoint (BASE) structure.
/// Basic Audio Profile 1.0.1, 3.7.2.2.
enum BasicAudioAnnouncement: Dissector {
  static let name: StaticString = "Basic Audio Announcement"
  static let path: StaticString = "base"
  static let specification: StaticString = "Basic Audio Profile 1.0.1, 3.7.2.2"
  static let places: [AttachmentPoint] = [.serviceData(BluetoothUUID(0x1851 as UInt16))]

  struct Fields: Sendable {
    let presentationDelay = Field("Presentation_Delay", unit: "µs", inLine: true)
    let subgroupCount = Field("Num_Subgroups")
    let subgroups = Field("Subgroup", .list)
    let streamCount = Field("Num_BIS", inLine: true)
    let streams = Field("BIS", .list)
    let streamIndex = Field("BIS_index")
    let audio = LEAudioParameters.shared
  }
  static let fields = Fields()
  static let fieldsOfOthers = fields.audio.fields(besides: [.configuration, .metadata])

  static func dissect(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    try pdu.unsigned(3, fields.presentationDelay)
    for _ in 0..<(try pdu.u8(fields.subgroupCount)) {
      try pdu.group(fields.subgroups) { pdu throws(Malformed) in try subgroup(&pdu) }
    }
  }

  static func subgroup(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    let count = try pdu.u8(fields.streamCount)
    let isLTV = try fields.audio.codecID(&pdu).isLTV
    try fields.audio.list(.configuration, isLTV: isLTV, &pdu)
    try fields.audio.list(.metadata, &pdu)
    for _ in 0..<count {
      try pdu.group(fields.streams) { pdu throws(Malformed) in
        try pdu.u8(fields.streamIndex)
        try fields.audio.list(.configuration, isLTV: isLTV, &pdu)
      }
    }
  }
}

/// Which broadcasts are meant for everybody. Public Broadcast Profile 1.0.1, 4.1.
enum PublicBroadcastAnnouncement: Dissector {
  static let name: StaticString = "Public Broadcast Announcement"
  static let path: StaticString = "pba"
  static let specification: StaticString = "Public Broadcast Profile 1.0.1, 4.1"
  static let places: [AttachmentPoint] = [.serviceData(BluetoothUUID(0x1856 as UInt16))]

  static let features: [UInt64: StaticString] = [
    0: "encrypted", 1: "Standard Quality Public Broadcast Audio",
    2: "High Quality Public Broadcast Audio",
  ]

  struct Fields: Sendable {
    let features = Field(
      "Public Broadcast Announcement features", .hex,
      flags: PublicBroadcastAnnouncement.features, inLine: true)
    let audio = LEAudioParameters.shared
  }
  static let fields = Fields()
  static let fieldsOfOthers = fields.audio.fields(besides: [.metadata])

  static func dissect(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    try pdu.u8(fields.features)
    try fields.audio.list(.metadata, &pdu)
  }
}

/// A device that accepts connections for audio. Audio Stream Control Service in advertising: Basic Audio
/// Profile 1.0.1, 3.5.3; Common Audio Profile 1.0, 8.1.1.
enum UnicastAnnouncement: Dissector {
  static let name: StaticString = "Unicast Announcement"
  static let path: StaticString = "unicast"
  static let specification: StaticString =
    "Basic Audio Profile 1.0.1, 3.5.3; Common Audio Profile 1.0, 8.1.1"
  static let places: [AttachmentPoint] = [
    .serviceData(BluetoothUUID(0x184E as UInt16)), .serviceData(BluetoothUUID(0x1853 as UInt16)),
  ]

  static let types: [UInt64: StaticString] = [
    0: "General Announcement", 1: "Targeted Announcement",
  ]

  struct Fields: Sendable {
    let type = Field("Announcement Type", names: types, inLine: true)
    let sinkContexts = Field(
      "Available_Sink_Contexts", .hex, flags: LEAudioNames.contexts,
      special: [0: "none"])
    let sourceContexts = Field(
      "Available_Source_Contexts", .hex, flags: LEAudioNames.contexts,
      special: [0: "none"])
    let audio = LEAudioParameters.shared
  }
  static let fields = Fields()
  static let fieldsOfOthers = fields.audio.fields(besides: [.metadata])

  static func dissect(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    try pdu.u8(fields.type)
    // Of the Common Audio Profile that is all.
    if pdu.remaining == 0 { return }
    try pdu.u16(fields.sinkContexts)
    try pdu.u16(fields.sourceContexts)
    try fields.audio.list(.metadata, &pdu)
  }
}
