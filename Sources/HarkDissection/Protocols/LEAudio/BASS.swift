import HarkCore

/// Broadcast Audio Scan Service: broadcasts that a device listens to, and how it learns about them.
/// BASS 1.0.1, 3.
enum BASS: MessageDissector {
  static let name: StaticString = "BASS"
  static let path: StaticString = "bass"
  static let specification: StaticString = "Broadcast Audio Scan Service 1.0.1, 3"
  static let controlPoint = BluetoothUUID(
    AttributeType.broadcastAudioScanControlPoint)
  static let receiveState = BluetoothUUID(AttributeType.broadcastReceiveState)
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
    let addressType = Field(
      "Advertiser_Address_Type", names: LEAudioNames.addressTypes, role: .addressType)
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

  static func read(_ pdu: inout PDU<some Sink>, _ message: inout LEAudioValue) throws(Malformed) {
    if (pdu.context.attributeType ?? pdu.context.requestedType) == receiveState {
      // Before a source is added, and after its removal.
      message = pdu.remaining == 0 ? .noReceiveState : .receiveState(try state(&pdu))
      return
    }
    let opcode = try pdu.u8(fields.opcode)
    var (source, broadcast) = (UInt8?.none, UInt32?.none)
    // What lies after the Broadcast_ID or the Source_ID changes nothing.
    defer {
      if opcode != 2 || broadcast != nil {
        message = .broadcastOperation(opcode: opcode, source: source, broadcast: broadcast)
      }
    }
    switch opcode {
    case 2:
      try pdu.u8(fields.addressType)
      try pdu.address(fields.address)
      try pdu.u8(fields.set)
      broadcast = UInt32(truncatingIfNeeded: try pdu.unsigned(3, fields.broadcast))
      try pdu.u8(fields.synchronization)
      try pdu.u16(fields.interval)
      try subgroups(fields.streams, &pdu)
    case 3:
      source = try pdu.u8(fields.source)
      try pdu.u8(fields.synchronization)
      try pdu.u16(fields.interval)
      try subgroups(fields.streams, &pdu)
    case 4:
      source = try pdu.u8(fields.source)
      try pdu.bytes(16, fields.broadcastCode)
    case 5: source = try pdu.u8(fields.source)
    default: break
    }
  }

  /// 3.2
  private static func state(
    _ pdu: inout PDU<some Sink>
  ) throws(Malformed) -> LEAudioValue.ReceiveState {
    let source = try pdu.u8(fields.source)
    try pdu.u8(fields.addressType)
    try pdu.address(fields.address)
    try pdu.u8(fields.set)
    let broadcast = try pdu.unsigned(3, fields.broadcast)
    let synchronization = try pdu.u8(fields.state)
    let encryption = try pdu.u8(fields.encryption)
    if encryption == LEAudioValue.Encryption.badCode.rawValue {
      try pdu.bytes(16, fields.badCode)
    }
    var state = LEAudioValue.ReceiveState(
      source: source, broadcast: UInt32(truncatingIfNeeded: broadcast),
      synchronization: synchronization, encryption: encryption)
    state.streams = try subgroups(fields.streamStates, &pdu)
    return state
  }

  /// Gives which streams each subgroup is about.
  @discardableResult
  private static func subgroups(
    _ field: Field, _ pdu: inout PDU<some Sink>
  ) throws(Malformed) -> [UInt32] {
    var streams: [UInt32] = []
    for _ in 0..<(try pdu.u8(fields.subgroupCount)) {
      try pdu.group(fields.subgroups) { pdu throws(Malformed) in
        streams.append(try pdu.u32(field))
        try fields.audio.list(.metadata, &pdu)
      }
    }
    return streams
  }
}
