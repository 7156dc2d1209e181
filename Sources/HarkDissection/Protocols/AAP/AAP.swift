import HarkCore

/// Apple Accessory Protocol (AAP, also AACP): what Apple's headphones and their hosts send each
/// other. Apple publishes nothing of it. Names and layouts are those that the projects librepods and
/// tyalie/AAP-Protocol-Defintion observed, the latter with the names PacketLogger 6 shows; what
/// is undocumented is called unknown.
enum AAP: MessageDissector {
  static let name: StaticString = "AAP"
  static let path: StaticString = "aap"
  static let specification: StaticString =
    "not public; based on observations of the librepods project"
  // The class of its service record. Its PSM, mostly 0x1001, is any that the accessory hands out.
  static let places: [AttachmentPoint] = [
    .service(BluetoothUUID(high: 0x74EC_2172_0BAD_4D01, low: 0x8F77_997B_2BE0_722A))
  ]

  static let types: [UInt64: StaticString] = [
    0: "Connect", 1: "Connect Response", 2: "Disconnect", 4: "Message",
  ]
  static let services: [UInt64: StaticString] = [4: "Accessory"]
  static let opcodes: [UInt64: StaticString] = [
    0x01: "Read Capabilities", 0x02: "Capabilities", 0x04: "Battery", 0x05: "Get Ear Detection",
    0x06: "Ear Detection", 0x08: "Role State", 0x09: "Control Command", 0x0C: "Connection State",
    0x0E: "Audio Source", 0x0F: "Request Notifications", 0x10: "Smart Routing",
    0x11: "Smart Routing Relayed", 0x14: "Send Connected MAC", 0x17: "Custom Message",
    0x19: "Stem Press", 0x1A: "Rename", 0x1D: "Device Information", 0x1E: "Rename",
    0x29: "Host Capabilities", 0x2B: "Feature Flags Acknowledged", 0x2E: "Connected Devices",
    0x30: "Proximity Keys Request", 0x31: "Proximity Keys", 0x44: "Sensor Subscription",
    0x4B: "Conversational Awareness", 0x4D: "Set Feature Flags",
    0x53: "Headphone Accommodation", 0x63: "Custom EQ",
  ]
  static let statuses: [UInt64: StaticString] = [0: "success"]

  struct Fields: Sendable {
    let type = Field("Type", .hex, names: types)
    let handshake = Handshake()
    let service = Field("Service", .hex, names: services)
    let major = Field("Major Version", inLine: true)
    let minor = Field("Minor Version", inLine: true)
    let features = Field("Features", .hex, inLine: true)
    let status = Field("Status", .hex, names: statuses, inLine: true)
    let opcode = Field("Opcode", .hex, names: opcodes, title: true)
    let unknown = Field("Unknown", .bytes)
    let data = Field("Data", .bytes)
    let padding = Field("Padding", .bytes)
    let control = AAPControl.shared
    let state = AAPStateFields()
    let routing = AAPRoutingFields()
    let device = AAPDeviceFields()
    let sound = AAPSoundFields()
  }

  /// What a PDU is called that is no message.
  struct Handshake: Sendable {
    let type = Field("Type", .hex, names: types, title: true)
  }

  static let fields = Fields()

  static func read(
    _ pdu: inout PDU<some Sink>, _ message: inout AAPMessage
  ) throws(Malformed) {
    guard pdu.peek() == 4, pdu.peek(1) == 0 else { return try handshake(&pdu, &message) }
    try pdu.u16(fields.type)
    try pdu.u16(fields.service)
    let code = try pdu.u16(fields.opcode)
    let opcode = AAPMessage.Opcode(rawValue: code)
    message.opcode = opcode
    switch opcode {
    case .readCapabilities, .capabilities, .rename, .deviceInformation, .renameDevice,
      .proximityKeysRequest, .proximityKeys:
      try device(opcode, &pdu, &message.content)
    case .battery, .earDetection, .roleState, .requestNotifications, .stemPress,
      .conversationalAwareness:
      try state(opcode, &pdu, &message.content)
    case .controlCommand: try fields.control.read(&pdu, &message.content)
    case .connectionState, .audioSource, .smartRouting, .smartRoutingRelayed, .connectedDevices:
      try routing(opcode, &pdu, &message.content)
    case .customMessage, .sensorSubscription, .setFeatureFlags, .headphoneAccommodation:
      try sound(opcode, &pdu, &message.content)
    case .featureFlagsAcknowledged: message.content = .featureFlagsAcknowledged
    case .hostCapabilities: message.content = .hostCapabilities(pdu.position..<pdu.end)
    case .customEqualizer: message.content = .customEqualizer(size: pdu.remaining)
    case .getEarDetection, .sendConnectedMAC, nil: break
    }
    if pdu.remaining > 0 { pdu.rest(fields.data) }
  }

  private static func handshake(
    _ pdu: inout PDU<some Sink>, _ message: inout AAPMessage
  ) throws(Malformed) {
    let type = try pdu.u16(fields.handshake.type)
    try pdu.u16(fields.service)
    switch type {
    case 0:
      message.content = .connect(try version(&pdu))
    case 1:
      let status = try pdu.u16(fields.status)
      message.content = .connectResponse(status: status, try version(&pdu))
    case 2: message.content = .disconnect(status: try pdu.u16(fields.status))
    default: break
    }
    if pdu.remaining > 0 { pdu.rest(fields.data) }
  }

  private static func version(
    _ pdu: inout PDU<some Sink>
  ) throws(Malformed) -> AAPMessage.Version {
    let major = try pdu.u16(fields.major)
    let minor = try pdu.u16(fields.minor)
    try pdu.u64(fields.features)
    return AAPMessage.Version(major: major, minor: minor)
  }
}
