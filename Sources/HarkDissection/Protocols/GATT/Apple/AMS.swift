import HarkCore

// Apple Media Service (AMS): what the phone plays, for an accessory. Apple, Apple Media Service
// Specification; numbers in comments are its chapters.

/// What the characteristics of AMS share.
struct AMSFields: Sendable {
  // Appendix: RemoteCommandID, EntityID, EntityUpdateFlags
  static let commandIDs: [UInt64: StaticString] = [
    0: "Play", 1: "Pause", 2: "TogglePlayPause", 3: "NextTrack", 4: "PreviousTrack",
    5: "VolumeUp", 6: "VolumeDown", 7: "AdvanceRepeatMode", 8: "AdvanceShuffleMode",
    9: "SkipForward", 10: "SkipBackward", 11: "LikeTrack", 12: "DislikeTrack",
    13: "BookmarkTrack",
  ]
  static let entityIDs: [UInt64: StaticString] = [0: "Player", 1: "Queue", 2: "Track"]
  static let updateFlags: [UInt64: StaticString] = [0: "Truncated"]
  // Appendix: PlayerAttributeID, QueueAttributeID, TrackAttributeID
  static let playerAttributes: [UInt64: StaticString] = [
    0: "Name", 1: "PlaybackInfo", 2: "Volume", 3: "BundleIdentifier, as observed",
  ]
  static let queueAttributes: [UInt64: StaticString] = [
    0: "Index", 1: "Count", 2: "ShuffleMode", 3: "RepeatMode",
  ]
  static let trackAttributes: [UInt64: StaticString] = [
    0: "Artist", 1: "Album", 2: "Title", 3: "Duration",
  ]

  let command = Field("RemoteCommandID", names: Self.commandIDs, inLine: true)
  let entity = Field("EntityID", names: Self.entityIDs, inLine: true)
  let attribute = Field("AttributeID", inLine: true)
  let flags = Field("EntityUpdateFlags", .hex, flags: Self.updateFlags, inLine: true)
  let value = Field("Value", .text, inLine: true, personal: .media)
  let text = Text()
  let player = Player()
  let queue = Queue()
  let track = Track()

  struct Player: Sendable {
    let attribute = Field("AttributeID", names: AMSFields.playerAttributes, inLine: true)
  }
  struct Queue: Sendable {
    let attribute = Field("AttributeID", names: AMSFields.queueAttributes, inLine: true)
  }
  /// In place of the field of the same name, for what is no number.
  struct Text: Sendable {
    let value = Field("Value", .text, inLine: true, personal: .text)
  }
  struct Track: Sendable {
    let attribute = Field("AttributeID", names: AMSFields.trackAttributes, inLine: true)
  }

  /// The field of the attributes of `entity`.
  func attribute(of entity: UInt8) -> Field {
    switch entity {
    case 0: player.attribute
    case 1: queue.attribute
    case 2: track.attribute
    default: attribute
    }
  }

  static let shared = AMSFields()
}

/// 2: Remote Command. The accessory writes one command; the phone notifies all that it supports.
enum AMSRemoteCommand: MessageDissector {
  static let name: StaticString = "AMS"
  static let path: StaticString = "ams"
  static let specification: StaticString = "Apple Media Service Specification"
  static let type = BluetoothUUID(high: 0x9B3C_81D8_57B1_4A8A, low: 0xB8DF_0E56_F7CA_51C2)
  static let places: [AttachmentPoint] = [.attribute(type)]
  static let fields = AMSFields.shared

  static func read(_ pdu: inout PDU<some Sink>, _ message: inout AMSMessage) throws(Malformed) {
    message = .supportedCommands(pdu.position..<pdu.end)
    let first = try pdu.u8(fields.command)
    if isWrite(pdu.facts) { message = .command(first) }
    while pdu.remaining > 0 { try pdu.u8(fields.command) }
  }
}

extension AMSRemoteCommand {
  /// ATT_WRITE_REQ, ATT_WRITE_CMD, ATT_SIGNED_WRITE_CMD
  static func isWrite(_ facts: Facts) -> Bool { facts.code & 0x3F == 0x12 }
}

/// 3: Entity Update. The accessory writes what it wants to know; the phone notifies it.
enum AMSEntityUpdate: MessageDissector {
  static let name: StaticString = "AMS"
  static let path: StaticString = "ams"
  static let specification: StaticString = "Apple Media Service Specification"
  static let type = BluetoothUUID(high: 0x2F7C_ABCE_808D_411F, low: 0x9A0C_BB92_BA96_C102)
  static let places: [AttachmentPoint] = [.attribute(type)]
  static let fields = AMSFields.shared

  static func read(_ pdu: inout PDU<some Sink>, _ message: inout AMSMessage) throws(Malformed) {
    let entity = try pdu.u8(fields.entity)
    let attribute = fields.attribute(of: entity)
    if AMSRemoteCommand.isWrite(pdu.facts) {
      message = .watch(entity: entity, attributes: pdu.position..<pdu.end)
      while pdu.remaining > 0 { try pdu.u8(attribute) }
      return
    }
    let number = try pdu.u8(attribute)
    let flags = try pdu.u8(fields.flags)
    message = .update(
      entity: entity, attribute: number, isTruncated: flags & 1 != 0,
      value: pdu.position..<pdu.end)
    let isText = entity == 0 && number == 0 || entity == 2 && number < 3
    pdu.rest(isText ? fields.text.value : fields.value)
  }
}

/// 4: Entity Attribute. The accessory writes which attribute it means, and reads it whole.
enum AMSEntityAttribute: MessageDissector {
  static let name: StaticString = "AMS"
  static let path: StaticString = "ams"
  static let specification: StaticString = "Apple Media Service Specification"
  static let type = BluetoothUUID(high: 0xC6B2_F38C_23AB_46D8, low: 0xA6AB_A3A8_70BB_D5D7)
  static let places: [AttachmentPoint] = [.attribute(type)]
  static let fields = AMSFields.shared

  static func read(_ pdu: inout PDU<some Sink>, _ message: inout AMSMessage) throws(Malformed) {
    // ATT_READ_RSP
    if pdu.facts.code == 0x0B {
      message = .chosenValue(pdu.position..<pdu.end)
      pdu.rest(fields.value)
      return
    }
    let entity = try pdu.u8(fields.entity)
    message = .choose(entity: entity, attribute: try pdu.u8(fields.attribute(of: entity)))
  }
}
