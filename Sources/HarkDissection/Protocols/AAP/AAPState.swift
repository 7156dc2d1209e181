/// What the accessory reports about itself: batteries, ears, buds, presses.
struct AAPStateFields: Sendable {
  static let components: [UInt64: StaticString] = [
    0x01: "Headphones", 0x02: "Right", 0x04: "Left", 0x08: "Case",
  ]
  static let chargings: [UInt64: StaticString] = [
    0: "unknown", 1: "charging", 2: "discharging", 4: "disconnected", 5: "charging in case",
  ]
  static let levels: [UInt64: StaticString] = [0xFF: "absent"]
  static let ears: [UInt64: StaticString] = [
    0: "in ear", 1: "out of ear", 2: "in case", 3: "disconnected",
  ]
  static let sides: [UInt64: StaticString] = [1: "left", 2: "right"]
  // PacketLogger 6 calls these values so; others are not published.
  static let microphones: [UInt64: StaticString] = [2: "left"]
  static let secondaries: [UInt64: StaticString] = [1: "available"]
  static let quickDisconnects: [UInt64: StaticString] = [0: "enabled"]
  static let presses: [UInt64: StaticString] = [
    5: "single press", 6: "double press", 7: "triple press", 8: "long press",
  ]

  let batteryCount = Field("Battery Count")
  let battery = Field("Battery", .list)
  let component = Field("Component", .hex, names: components, inLine: true)
  let level = Field("Level", unit: "%", special: levels, inLine: true)
  let charging = Field("Status", .hex, names: chargings, inLine: true)
  let separator = Field("Unknown", .hex)
  let end = Field("Unknown", .hex)
  let primary = Field("Primary", names: ears, inLine: true)
  let secondary = Field("Secondary", names: ears, inLine: true)
  let primaryBud = Field("Primary Bud", names: sides, inLine: true)
  let microphone = Field("Mic Mode", names: microphones, inLine: true)
  let secondaryBud = Field("Secondary", names: secondaries, inLine: true)
  let quickDisconnect = Field("Quick Disconnect", names: quickDisconnects)
  // Which bit stands for which notification is not published.
  let notifications = Field("Notifications", .bytes, inLine: true)
  let press = Field("Press", names: presses, inLine: true)
  let bud = Field("Bud", names: sides, inLine: true)
  let awareness = Field("Unknown", .bytes)
  let volume = Field("Volume Level", inLine: true)
}

extension AAP {
  static func state(
    _ opcode: AAPMessage.Opcode?, _ pdu: inout PDU<some Sink>,
    _ content: inout AAPMessage.Content
  ) throws(Malformed) {
    let state = fields.state
    switch opcode {
    case .battery: content = .battery(try batteries(&pdu))
    case .earDetection:
      let primary = try pdu.u8(state.primary)
      content = .earDetection(primary: primary, secondary: try pdu.u8(state.secondary))
    case .roleState:
      try pdu.u8(state.primaryBud)
      try pdu.u8(state.microphone)
      try pdu.u8(state.secondaryBud)
      try pdu.u8(state.quickDisconnect)
    case .requestNotifications: content = .requestNotifications(pdu.rest(state.notifications))
    case .stemPress:
      let press = try pdu.u8(state.press)
      content = .stemPress(press: press, bud: try pdu.u8(state.bud))
    default:
      try pdu.bytes(3, state.awareness)
      content = .conversationalAwareness(level: try pdu.u8(state.volume))
    }
  }

  private static func batteries(
    _ pdu: inout PDU<some Sink>
  ) throws(Malformed) -> [AAPMessage.Battery] {
    let state = fields.state
    var batteries: [AAPMessage.Battery] = []
    for _ in 0..<(try pdu.u8(state.batteryCount)) {
      try pdu.group(state.battery) { pdu throws(Malformed) in
        let component = try pdu.u8(state.component)
        try pdu.u8(state.separator)
        let level = try pdu.u8(state.level)
        if level > 100, level != AAPMessage.absentLevel {
          pdu.note(.warning, "is above 100 %", over: 1)
        }
        let status = try pdu.u8(state.charging)
        try pdu.u8(state.end)
        batteries.append(
          AAPMessage.Battery(component: component, level: level, status: status))
      }
    }
    return batteries
  }
}
