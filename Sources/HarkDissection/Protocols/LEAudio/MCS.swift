import HarkCore

/// Media Control Service and Generic Media Control Service: what a player plays, and its remote
/// control. MCS 1.0.1, 3.
enum MCS: MessageDissector {
  static let name: StaticString = "MCS"
  static let path: StaticString = "mcs"
  static let specification: StaticString = "Media Control Service 1.0.1, 3"
  static let controlPoint = BluetoothUUID(AttributeType.mediaControlPoint)
  static let places: [AttachmentPoint] = (0x2B93...0x2BA7).map {
    .attribute(BluetoothUUID(UInt16($0)))
  }

  // 3.17
  static let states: [UInt64: StaticString] = [
    0: "Inactive", 1: "Playing", 2: "Paused", 3: "Seeking",
  ]
  // 3.18.1
  static let opcodes: [UInt64: StaticString] = [
    0x01: "Play", 0x02: "Pause", 0x03: "Fast Rewind", 0x04: "Fast Forward", 0x05: "Stop",
    0x10: "Move Relative", 0x20: "Previous Segment", 0x21: "Next Segment",
    0x22: "First Segment", 0x23: "Last Segment", 0x24: "Goto Segment", 0x30: "Previous Track",
    0x31: "Next Track", 0x32: "First Track", 0x33: "Last Track", 0x34: "Goto Track",
    0x40: "Previous Group", 0x41: "Next Group", 0x42: "First Group", 0x43: "Last Group",
    0x44: "Goto Group",
  ]
  static let opcodeBits = Dictionary(
    uniqueKeysWithValues: opcodes.sorted { $0.key < $1.key }.enumerated()
      .map { (UInt64($0.offset), $0.element.value) })
  static let results: [UInt64: StaticString] = [
    1: "Success", 2: "Opcode Not Supported", 3: "Media Player Inactive",
    4: "Command Cannot Be Completed",
  ]
  // 3.15
  static let orders: [UInt64: StaticString] = [
    1: "Single Once", 2: "Single Repeat", 3: "In Order Once", 4: "In Order Repeat",
    5: "Oldest Once", 6: "Oldest Repeat", 7: "Newest Once", 8: "Newest Repeat",
    9: "Shuffle Once", 10: "Shuffle Repeat",
  ]
  static let orderBits = Dictionary(uniqueKeysWithValues: orders.map { ($0.key - 1, $0.value) })
  // 3.21.1
  static let searchTypes: [UInt64: StaticString] = [
    1: "Track Name", 2: "Artist Name", 3: "Album Name", 4: "Group Name", 5: "Earliest Year",
    6: "Latest Year", 7: "Genre", 8: "Only Tracks", 9: "Only Groups",
  ]
  static let searchResults: [UInt64: StaticString] = [1: "Success", 2: "Failure"]

  struct Fields: Sendable {
    let player = Field("Media Player Name", .text, inLine: true, personal: .media)
    let iconObject = Field("Media Player Icon Object ID", .hex, inLine: true, personal: .identifier)
    let iconURL = Field("Media Player Icon URL", .text, inLine: true, personal: .media)
    let title = Field("Track Title", .text, inLine: true, personal: .media)
    let duration = Field(
      "Track Duration", .signed, unit: "0.01 s", special: [0xFFFF_FFFF: "unknown"], inLine: true,
      personal: .input)
    let position = Field(
      "Track Position", .signed, unit: "0.01 s", special: [0xFFFF_FFFF: "unavailable"],
      inLine: true, personal: .input)
    // 2 to the power of a 64th of it is the factor. 3.8, 3.9
    let playbackSpeed = Field("Playback Speed", .signed, inLine: true)
    let seekingSpeed = Field("Seeking Speed", .signed, inLine: true)
    let segments = Field(
      "Current Track Segments Object ID", .hex, inLine: true, personal: .identifier)
    let track = Field("Current Track Object ID", .hex, inLine: true, personal: .identifier)
    let nextTrack = Field("Next Track Object ID", .hex, inLine: true, personal: .identifier)
    let parentGroup = Field("Parent Group Object ID", .hex, inLine: true, personal: .identifier)
    let group = Field("Current Group Object ID", .hex, inLine: true, personal: .identifier)
    let order = Field("Playing Order", names: MCS.orders, inLine: true)
    let orders = Field("Playing Orders Supported", .hex, flags: orderBits, inLine: true)
    let state = Field("Media State", names: MCS.states, title: true)
    let opcode = Field("Opcode", .hex, names: MCS.opcodes, title: true)
    let offset = Field("Offset", .signed, unit: "0.01 s", inLine: true, personal: .input)
    let number = Field("Number", .signed, inLine: true)
    let result = Field("Result Code", names: results, inLine: true)
    let opcodes = Field(
      "Media Control Point Opcodes Supported", .hex, flags: opcodeBits, inLine: true)
    let found = Field("Search Results Object ID", .hex, inLine: true, personal: .identifier)
    let items = Field("Search Control Item", .list)
    let itemLength = Field("Length")
    let itemType = Field("Type", names: searchTypes, inLine: true)
    let itemText = Field("Parameter", .text, inLine: true, personal: .media)
    let searchResult = Field("Search Result Code", names: searchResults, inLine: true)
  }
  static let fields = Fields()

  static func read(_ pdu: inout PDU<some Sink>, _ message: inout LEAudioValue) throws(Malformed) {
    let isNotified = pdu.facts.code == 0x1B
    switch (pdu.context.attributeType ?? pdu.context.requestedType)?.short {
    case 0x2B93: try AdvertisingData.all(fields.player, &pdu)
    case 0x2B94: try pdu.unsigned(6, fields.iconObject)
    case 0x2B95: try AdvertisingData.all(fields.iconURL, &pdu)
    case 0x2B97:
      message = .trackTitle(pdu.position..<pdu.end)
      try AdvertisingData.all(fields.title, &pdu)
    case 0x2B98: try pdu.u32(fields.duration)
    case 0x2B99: try pdu.u32(fields.position)
    case 0x2B9A: try pdu.u8(fields.playbackSpeed)
    case 0x2B9B: try pdu.u8(fields.seekingSpeed)
    case 0x2B9C: try pdu.unsigned(6, fields.segments)
    case 0x2B9D: try pdu.unsigned(6, fields.track)
    case 0x2B9E: try pdu.unsigned(6, fields.nextTrack)
    case 0x2B9F: try pdu.unsigned(6, fields.parentGroup)
    case 0x2BA0: try pdu.unsigned(6, fields.group)
    case 0x2BA1: try pdu.u8(fields.order)
    case 0x2BA2: try pdu.u16(fields.orders)
    case 0x2BA3: message = .mediaState(try pdu.u8(fields.state))
    case 0x2BA4: try operation(isNotified, &pdu, &message)
    case 0x2BA5: try pdu.u32(fields.opcodes)
    case 0x2BA6: try pdu.unsigned(6, fields.found)
    case 0x2BA7: try search(isNotified, &pdu)
    default: break
    }
  }

  /// 3.18: written is an operation, notified its result.
  private static func operation(
    _ isNotified: Bool, _ pdu: inout PDU<some Sink>, _ message: inout LEAudioValue
  ) throws(Malformed) {
    let opcode = try pdu.u8(fields.opcode)
    if !isNotified { message = .mediaOperation(opcode: opcode) }
    if isNotified {
      message = .mediaResult(opcode: opcode, result: try pdu.u8(fields.result))
    } else if opcode == 0x10 {
      try pdu.u32(fields.offset)
    } else if opcode & 0x0F == 4, opcode > 0x10 {
      try pdu.u32(fields.number)
    }
  }

  /// 3.21
  static func search(_ isNotified: Bool, _ pdu: inout PDU<some Sink>) throws(Malformed) {
    if isNotified {
      try pdu.u8(fields.searchResult)
      return
    }
    while pdu.remaining > 0 {
      try pdu.group(fields.items) { pdu throws(Malformed) in
        let length = Int(try pdu.u8(fields.itemLength))
        if length == 0 { return }
        try pdu.inside(length, by: fields.itemLength) { pdu throws(Malformed) in
          try pdu.u8(fields.itemType)
          try AdvertisingData.all(fields.itemText, &pdu)
        }
      }
    }
  }
}
