import HarkCore

/// Google Fast Pair's message stream. Google, Fast Pair Service specification, Extensions: Message
/// Stream, Device information, Device action, Silence mode, Hearable Controls, Audio Switch,
/// Acknowledgements. Integers and addresses are big-endian.
enum FastPairStream: MessageDissector {
  static let name: StaticString = "Fast Pair Message Stream"
  static let path: StaticString = "fastpair.stream"
  static let specification: StaticString =
    "Google, Fast Pair Service specification, Extensions: Message Stream"
  static let service = BluetoothUUID(high: 0xDF21_FE2C_2515_4FDB, low: 0x8886_F12C_4D67_927C)
  static let places: [AttachmentPoint] = [.service(service)]
  static let cutter: (any MessageCutter)? = Cutter()

  /// Message Stream: group, code, and a length of the additional data.
  struct Cutter: MessageCutter {
    let headerCount = 4

    func count(_ header: RawSpan) -> Int? {
      4 + (Int(header.byte(at: 2)) << 8 | Int(header.byte(at: 3)))
    }
  }

  static let groups: [UInt64: StaticString] = [
    0x01: "Bluetooth event", 0x02: "Companion app event", 0x03: "Device information event",
    0x04: "Device action event", 0x05: "Device configuration event",
    0x06: "Device capability sync event", 0x07: "Smart audio source switching event",
    0x08: "Hearable control", 0xFF: "Acknowledgement",
  ]
  /// By the message group and, after it, the message code.
  static let codes: [UInt64: StaticString] = [
    0x0101: "Enable silence mode", 0x0102: "Disable silence mode",
    0x0201: "Log buffer full",
    0x0301: "Model ID", 0x0302: "BLE address updated", 0x0303: "Battery updated",
    0x0304: "Remaining battery time", 0x0305: "Active components request",
    0x0306: "Active components response", 0x0307: "Capabilities", 0x0308: "Platform type",
    0x0309: "Firmware version", 0x030A: "Session nonce",
    0x030B: "Current FHN ephemeral identifier",
    0x0401: "Ring",
    0x0710: "Get capability of audio switch", 0x0711: "Notify capability of audio switch",
    0x0712: "Set multipoint state", 0x0720: "Set switching preference",
    0x0721: "Get switching preference", 0x0722: "Notify switching preference",
    0x0730: "Switch active audio source", 0x0731: "Switch back",
    0x0732: "Notify multipoint-switch event", 0x0733: "Get connection status",
    0x0734: "Notify connection status", 0x0740: "Notify SASS initiated connection",
    0x0741: "Indicate in use account key", 0x0742: "Send custom data",
    0x0743: "Set drop connection target",
    0x0811: "Get ANC state", 0x0812: "Set ANC state", 0x0813: "Notify ANC state",
    0xFF01: "ACK", 0xFF02: "NAK",
  ]
  // Device information: Active components; Device action: Ringing a device
  static let components: [UInt64: StaticString] = [0: "right", 1: "left"]
  // Device information: Capabilities
  static let capabilities: [UInt64: StaticString] = [0: "Companion app", 1: "Silence mode"]
  // Device information: Platform type
  static let platforms: [UInt64: StaticString] = [1: "Android"]
  // Acknowledgements
  static let reasons: [UInt64: StaticString] = [
    0: "Not supported", 1: "Device busy", 2: "Not allowed due to current state",
    3: "Not allowed due to incorrect message authentication code", 4: "Redundant device action",
  ]
  // Hearable Controls: ANC control data; the most significant bit is called bit 0 there.
  static let modes: [UInt64: StaticString] = [
    7: "Transparent", 6: "Adaptive", 5: "Off", 3: "ANC",
  ]

  struct Fields: Sendable {
    let group = Field("Message Group", .hex, names: groups)
    let message = Field("Message Group and Code", .hex, names: codes, title: true)
    let length = Field("Additional Data Length")
    let modelID = Field("Model ID", .hex, inLine: true)
    let address = Field("BLE Address", .address, inLine: true)
    let charging = Field("Charging", names: [0: "no", 1: "yes"])
    let left = Field("Left Bud Battery", lookup: FastPair.level, inLine: true)
    let right = Field("Right Bud Battery", lookup: FastPair.level, inLine: true)
    let box = Field("Case Battery", lookup: FastPair.level, inLine: true)
    let battery = Field("Battery", lookup: FastPair.level, inLine: true)
    let remaining = Field("Remaining Battery Time", unit: "min", inLine: true)
    let components = Field(
      "Active Components", .hex, flags: FastPairStream.components, inLine: true)
    let capabilities = Field(
      "Capabilities", .hex, flags: FastPairStream.capabilities, inLine: true)
    let platform = Field("Platform Type", .hex, names: platforms, inLine: true)
    let version = Field("SDK Version", inLine: true)
    let firmware = Field("Firmware Version", .text, inLine: true, role: .description)
    let nonce = Field("Session Nonce", .bytes, inLine: true)
    let ring = Field("Ring", .hex, flags: FastPairStream.components, inLine: true)
    let timeout = Field("Timeout", unit: "s", inLine: true)
    let reason = Field("Reason", .hex, names: reasons, inLine: true)
    let ofGroup = Field("Acknowledged Message Group", .hex, names: groups)
    let ofMessage = Field("Acknowledged Group and Code", .hex, names: codes, inLine: true)
    let controlVersion = Field("Version Code")
    let shown = Field("UI Toggles", .hex, flags: modes)
    let settable = Field("Settable Toggles", .hex, flags: modes)
    let state = Field("Current State", .hex, flags: modes, inLine: true)
    let data = Field("Additional Data", .bytes, inLine: true)
  }
  static let fields = Fields()

  static func read(
    _ pdu: inout PDU<some Sink>, _ message: inout FastPairMessage
  ) throws(Malformed) {
    let code = try self.message(&pdu, fields.group, fields.message)
    let length = Int(try pdu.u16be(fields.length))
    try pdu.limit(to: length, by: fields.length)
    switch code >> 8 {
    case 0x03: try information(code, &pdu, &message)
    case 0x04 where code == 0x0401:
      if let ring = try ring(&pdu) { message = .ring(ring) }
    case 0x08 where code != 0x0811 && pdu.remaining >= 4:
      try pdu.u8(fields.controlVersion)
      try pdu.u8(fields.shown)
      try pdu.u8(fields.settable)
      try pdu.u8(fields.state)
    case 0xFF: try acknowledgement(code, &pdu)
    default: break
    }
    try AdvertisingData.all(fields.data, &pdu)
  }

  /// A message group and a message code, the meaning of which depends on the group.
  static func message(
    _ pdu: inout PDU<some Sink>, _ group: Field, _ message: Field
  ) throws(Malformed) -> UInt64 {
    let word = try pdu.word(2, of: message)
    let code = (word & 0xFF) << 8 | word >> 8
    pdu.part(group, code >> 8, of: 2)
    pdu.part(message, code, of: 2)
    return code
  }

  static func information(
    _ code: UInt64, _ pdu: inout PDU<some Sink>, _ message: inout FastPairMessage
  ) throws(Malformed) {
    switch code {
    case 0x0301 where pdu.remaining == 3:
      let word = try pdu.word(3, of: fields.modelID)
      let model = (word & 0xFF) << 16 | word & 0xFF00 | word >> 16
      pdu.part(fields.modelID, model, of: 3)
      message = .modelID(UInt32(truncatingIfNeeded: model))
    case 0x0302 where pdu.remaining == 6:
      let word = try pdu.word(6, of: fields.address)
      pdu.part(fields.address, word.byteSwapped >> 16, of: 6)
    case 0x0303:
      var batteries: [FastPairMessage.Battery] = []
      if pdu.remaining == 3 {
        batteries.append(try battery(fields.left, .left, &pdu))
        batteries.append(try battery(fields.right, .right, &pdu))
        batteries.append(try battery(fields.box, .case, &pdu))
      }
      while pdu.remaining > 0 { batteries.append(try battery(fields.battery, .whole, &pdu)) }
      message = .batteries(batteries)
    case 0x0304 where pdu.remaining == 1: try pdu.u8(fields.remaining)
    case 0x0304 where pdu.remaining == 2: try pdu.u16be(fields.remaining)
    case 0x0306 where pdu.remaining > 0: try pdu.u8(fields.components)
    case 0x0307 where pdu.remaining > 0: try pdu.u8(fields.capabilities)
    case 0x0308 where pdu.remaining > 0:
      let platform = try pdu.u8(fields.platform)
      if platform == 1, pdu.remaining > 0 { try pdu.u8(fields.version) }
    case 0x0309: try AdvertisingData.all(fields.firmware, &pdu)
    case 0x030A: try AdvertisingData.all(fields.nonce, &pdu)
    default: break
    }
  }

  static func battery(
    _ field: Field, _ component: FastPairMessage.Component, _ pdu: inout PDU<some Sink>
  ) throws(Malformed) -> FastPairMessage.Battery {
    let word = try pdu.word(1, of: field)
    pdu.part(fields.charging, word >> 7, of: 1)
    pdu.part(field, word & 0x7F, of: 1)
    return FastPairMessage.Battery(
      component: component, level: word & 0x7F == 0x7F ? nil : UInt8(word & 0x7F),
      isCharging: word >> 7 == 1)
  }

  @discardableResult
  static func ring(_ pdu: inout PDU<some Sink>) throws(Malformed) -> FastPairMessage.Ring? {
    guard pdu.remaining > 0 else { return nil }
    let components = try pdu.u8(fields.ring)
    return FastPairMessage.Ring(
      components: components, timeout: pdu.remaining > 0 ? try pdu.u8(fields.timeout) : nil)
  }

  /// What is acknowledged, and its state then.
  static func acknowledgement(_ code: UInt64, _ pdu: inout PDU<some Sink>) throws(Malformed) {
    if code == 0xFF02 { try pdu.u8(fields.reason) }
    guard pdu.remaining >= 2 else { return }
    // The answer to a request to ring repeats what is to ring.
    if try message(&pdu, fields.ofGroup, fields.ofMessage) == 0x0401 { try ring(&pdu) }
  }
}
