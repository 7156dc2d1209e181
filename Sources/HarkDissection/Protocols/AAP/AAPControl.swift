/// Control commands of AAP: settings, which either side sets and the accessory reports.
struct AAPControl: Sendable {
  static let identifiers: [UInt64: StaticString] = [
    0x01: "Mic Mode", 0x04: "Button Mode", 0x05: "Button Send Mode", 0x06: "Owns Connection",
    0x07: "Tap Interval", 0x0A: "Ear Detection", 0x0D: "Listening Mode", 0x12: "Voice Trigger",
    0x14: "Single Click Mode", 0x15: "Double Click Mode", 0x16: "Click Hold Mode",
    0x17: "Double Click Interval", 0x18: "Click Hold Interval", 0x1A: "Listening Mode Configs",
    0x1B: "One Bud ANC Mode", 0x1C: "Crown Rotation Direction", 0x1E: "Auto Answer Mode",
    0x1F: "Chime Volume", 0x20: "Automatic Connection", 0x23: "Volume Swipe Interval",
    0x24: "Call Management", 0x25: "Volume Swipe Mode", 0x26: "Adaptive Volume",
    0x27: "Software Mute", 0x28: "Conversation Detect", 0x29: "SSL", 0x2C: "Hearing Aid",
    0x2E: "Auto ANC Strength", 0x2F: "HPS Gain Swipe", 0x30: "HRM State", 0x31: "In-Case Tone",
    0x32: "Siri Multitone", 0x33: "Hearing Assist", 0x34: "Allow Off Option",
    0x35: "Sleep Detection", 0x36: "Allow Auto Connect", 0x37: "PPE Toggle",
    0x38: "PPE Cap Level", 0x39: "Stem Config",
  ]
  static let switches: [UInt64: StaticString] = [1: "on", 2: "off"]
  static let owners: [UInt64: StaticString] = [0: "no", 1: "yes"]
  static let microphones: [UInt64: StaticString] = [0: "automatic"]
  static let buttons: [UInt64: StaticString] = [1: "Siri"]
  static let listeningModes: [UInt64: StaticString] = [
    1: "off", 2: "noise cancellation", 3: "transparency", 4: "adaptive",
  ]
  static let listeningModeBits: [UInt64: StaticString] = [
    0: "off", 1: "noise cancellation", 2: "transparency", 3: "adaptive",
  ]
  static let presses: [UInt64: StaticString] = [
    0: "single press", 1: "double press", 2: "triple press", 3: "long press",
  ]
  // PacketLogger 6 says that 2 switches it on; librepods, that 1 does and 2 switches it off.
  static let earDetections: [UInt64: StaticString] = [
    1: "on, as librepods reads it", 2: "off, as librepods reads it; on, as PacketLogger 6 does",
  ]

  let identifier = Field("Identifier", .hex, names: identifiers, title: true)
  let plain = Plain()
  let toggled = Switched()
  let owner = Owner()
  let microphone = Microphone()
  let button = Button()
  let listeningMode = ListeningMode()
  let listeningModes = ListeningModes()
  let stem = Stem()
  let ear = Ear()
  let strength = Strength()
  let other = Field("Other Value", .hex, inLine: true)
  let rest = Field("Further Values", .bytes)

  // One path for the value, whatever its codes mean.
  struct Plain: Sendable { let value = Field("Value", .hex, inLine: true) }
  struct Switched: Sendable { let value = Field("Value", .hex, names: switches, inLine: true) }
  struct Owner: Sendable { let value = Field("Value", .hex, names: owners, inLine: true) }
  struct Microphone: Sendable {
    let value = Field("Value", .hex, names: microphones, inLine: true)
  }
  struct Button: Sendable { let value = Field("Value", .hex, names: buttons, inLine: true) }
  struct ListeningMode: Sendable {
    let value = Field("Value", .hex, names: AAPControl.listeningModes, inLine: true)
  }
  struct ListeningModes: Sendable {
    let value = Field("Value", .hex, flags: listeningModeBits, inLine: true)
  }
  struct Stem: Sendable { let value = Field("Value", .hex, flags: presses, inLine: true) }
  struct Ear: Sendable { let value = Field("Value", .hex, names: earDetections, inLine: true) }
  struct Strength: Sendable { let value = Field("Value", unit: "%", inLine: true) }

  static let shared = AAPControl()

  /// An identifier and four octets, of which most commands use one.
  func read(
    _ pdu: inout PDU<some Sink>, _ content: inout AAPMessage.Content
  ) throws(Malformed) {
    let identifier = try pdu.u8(identifier)
    let value = try pdu.u8(value(identifier))
    content = .controlCommand(identifier: identifier, value: value)
    // The one of the other bud.
    if identifier == 0x16, pdu.remaining > 0 { try pdu.u8(other) }
    if pdu.remaining > 0 { try pdu.bytes(min(pdu.remaining, 3), rest) }
  }

  func value(_ identifier: UInt8) -> Field {
    switch identifier {
    case 0x01: microphone.value
    case 0x04: button.value
    case 0x06: owner.value
    case 0x0A: ear.value
    case 0x0D: listeningMode.value
    case 0x12, 0x1B, 0x20, 0x25, 0x26, 0x28, 0x2C, 0x30, 0x31, 0x33...0x37: toggled.value
    case 0x1A: listeningModes.value
    case 0x1F, 0x2E: strength.value
    case 0x39: stem.value
    default: plain.value
    }
  }
}
