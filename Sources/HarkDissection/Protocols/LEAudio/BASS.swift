import HarkCore

/// Broadcast Audio Scan Service: broadcasts that a device listens to, and how it is told of them.
/// BASS 1.0.1, 3.
enum BASS: Dissector {
  static let name: StaticString = "BASS"
  static let path: StaticString = "bass"
  static let specification: StaticString = "Broadcast Audio Scan Service 1.0.1, 3"
  static let controlPoint = BluetoothUUID(0x2BC7 as UInt16)
  static let receiveState = BluetoothUUID(0x2BC8 as UInt16)
  static let places: [AttachmentPoint] = [.attribute(controlPoint), .attribute(receiveState)]

  // 3.1.1
  static let opcodes: [UInt64: StaticString] = [
    0: "Remote Scan Stopped", 1: "Remote Scan Started", 2: "Add Source", 3: "Modify Source",
    4: "Set Broadcast_Code", 5: "Remove Source",
  ]
  static let synchronizations: [UInt64: StaticString] = [
    0: "Do not synchronize to PA", 1: "Synchronize to PA - PAST available",
    2: "Synchronize to PA - PAST not available",
  ]
  // 3.2
  static let states: [UInt64: StaticString] = [
    0: "Not synchronized to PA", 1: "SyncInfo Request", 2: "Synchronized to PA",
    3: "Failed to synchronize to PA", 4: "No PAST",
  ]
  static let encryptions: [UInt64: StaticString] = [
    0: "Not encrypted", 1: "Broadcast_Code required", 2: "Decrypting", 3: "Bad_Code",
  ]

  struct Fields: Sendable {
    let opcode = Field("Opcode", .hex, names: opcodes, title: true)
    let source = Field("Source_ID", inLine: true)
    let addressType = Field("Advertiser_Address_Type", names: LEAudioNames.addressTypes)
    let address = Field("Advertiser_Address", .address, inLine: true)
    let set = Field("Advertising_SID")
    let broadcast = Field("Broadcast_ID", .hex, inLine: true)
    let synchronization = Field("PA_Sync", names: synchronizations, inLine: true)
    let interval = Field("PA_Interval", unit: "1.25 ms", special: [0xFFFF: "unknown"])
    let broadcastCode = Field("Broadcast_Code", .bytes, secret: true)
    let state = Field("PA_Sync_State", names: states, inLine: true)
    let encryption = Field("BIG_Encryption", names: encryptions, inLine: true)
    let badCode = Field("Bad_Code", .bytes, secret: true)
    let subgroupCount = Field("Num_Subgroups")
    let subgroups = Field("Subgroup", .list)
    // Bit n is the BIS with the BIS_index n + 1.
    let streams = Field("BIS_Sync", .hex, special: [0xFFFF_FFFF: "no preference"])
    let streamStates = Field("BIS_Sync_State", .hex, special: [0xFFFF_FFFF: "failed to sync"])
    let audio = LEAudioParameters.shared
  }
  static let fields = Fields()
  static let fieldsOfOthers = fields.audio.fields(besides: [.metadata])

  static func dissect(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    if (pdu.context.attributeType ?? pdu.context.requestedType) == receiveState {
      return try state(&pdu)
    }
    switch try pdu.u8(fields.opcode) {
    case 2:
      try pdu.u8(fields.addressType)
      try pdu.address(fields.address)
      try pdu.u8(fields.set)
      try pdu.unsigned(3, fields.broadcast)
      try pdu.u8(fields.synchronization)
      try pdu.u16(fields.interval)
      try subgroups(fields.streams, &pdu)
    case 3:
      try pdu.u8(fields.source)
      try pdu.u8(fields.synchronization)
      try pdu.u16(fields.interval)
      try subgroups(fields.streams, &pdu)
    case 4:
      try pdu.u8(fields.source)
      try pdu.bytes(16, fields.broadcastCode)
    case 5: try pdu.u8(fields.source)
    default: break
    }
  }

  /// 3.2
  static func state(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    try pdu.u8(fields.source)
    try pdu.u8(fields.addressType)
    try pdu.address(fields.address)
    try pdu.u8(fields.set)
    try pdu.unsigned(3, fields.broadcast)
    try pdu.u8(fields.state)
    if try pdu.u8(fields.encryption) == 3 { try pdu.bytes(16, fields.badCode) }
    try subgroups(fields.streamStates, &pdu)
  }

  static func subgroups(
    _ streams: Field, _ pdu: inout PDU<some Sink>
  ) throws(Malformed) {
    for _ in 0..<(try pdu.u8(fields.subgroupCount)) {
      try pdu.group(fields.subgroups) { pdu throws(Malformed) in
        try pdu.u32(streams)
        try fields.audio.list(.metadata, &pdu)
      }
    }
  }
}
