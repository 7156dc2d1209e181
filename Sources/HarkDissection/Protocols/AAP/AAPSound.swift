/// Sensors and sound: custom messages, head tracking, equalizers.
struct AAPSoundFields: Sendable {
  // The first two as PacketLogger 6 shows them.
  static let clients: [UInt64: StaticString] = [
    0x0000_0400: "Log Message", 0x0000_0800: "Sensor", 0x0010_0000: "Sensor Tunnel",
  ]
  static let switches: [UInt64: StaticString] = [1: "enabled", 2: "disabled"]

  /// Of an equalizer.
  static let bands = 8

  let client = Field("Client Type", .hex, names: clients, inLine: true)
  let messageLength = Field("Message Length", inLine: true)
  let message = Field("Message", .bytes)
  let orientation1 = Field("Orientation 1", .signed)
  let orientation2 = Field("Orientation 2", .signed)
  let orientation3 = Field("Orientation 3", .signed)
  let horizontal = Field("Horizontal Acceleration", .signed)
  let vertical = Field("Vertical Acceleration", .signed)
  let subcommand = Field("Subcommand", .hex)
  let sensorCount = Field("Sensor Count")
  let sensor = Field("Sensor", .hex, inLine: true)
  let flags = Field("Feature Flags", .hex, inLine: true)
  let equalizerLength = Field("Equalizer Length")
  let phone = Field("Phone", names: switches, inLine: true)
  let media = Field("Media", names: switches, inLine: true)
  let equalizer = Field("Equalizer", .list)
  let band = Field("Band", .float)
}

extension AAP {
  static func sound(
    _ opcode: AAPMessage.Opcode?, _ pdu: inout PDU<some Sink>,
    _ content: inout AAPMessage.Content
  ) throws(Malformed) {
    let sound = fields.sound
    switch opcode {
    case .customMessage: content = .customMessage(client: try customMessage(&pdu))
    case .sensorSubscription:
      try pdu.u16(sound.subcommand)
      for _ in 0..<(try pdu.u16(sound.sensorCount)) { try pdu.u8(sound.sensor) }
    case .setFeatureFlags: content = .setFeatureFlags(try pdu.u64(sound.flags))
    default:
      try pdu.u16(sound.equalizerLength)
      try pdu.bytes(2, fields.unknown)
      let phone = try pdu.u8(sound.phone)
      content = .headphoneAccommodation(phone: phone, media: try pdu.u8(sound.media))
      // No count says how many there are.
      while pdu.remaining >= 4 * AAPSoundFields.bands {
        try pdu.group(sound.equalizer) { pdu throws(Malformed) in
          for _ in 0..<AAPSoundFields.bands { try pdu.unsigned(4, sound.band) }
        }
      }
    }
  }

  private static func customMessage(_ pdu: inout PDU<some Sink>) throws(Malformed) -> UInt32 {
    let sound = fields.sound
    let client = try pdu.u32(sound.client)
    let length = Int(try pdu.u16(sound.messageLength))
    try pdu.inside(length, by: sound.messageLength) { pdu throws(Malformed) in
      // The size identifies head tracking: a PDU of 70 octets or more, 12 of them read.
      if client == 0x0010_0000, pdu.remaining >= 58 { try headTracking(&pdu) }
      if pdu.remaining > 0 { pdu.rest(sound.message) }
    }
    return client
  }

  private static func headTracking(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    let sound = fields.sound
    try pdu.bytes(31, fields.unknown)
    pdu.note(.info, "decoded as head tracking because of its size", over: 31)
    try pdu.u16(sound.orientation1)
    try pdu.u16(sound.orientation2)
    try pdu.u16(sound.orientation3)
    try pdu.bytes(2, fields.unknown)
    try pdu.u16(sound.horizontal)
    try pdu.u16(sound.vertical)
  }
}
