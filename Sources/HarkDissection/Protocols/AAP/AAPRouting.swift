/// Who plays: connected hosts, the audio source, and what hosts tell each other through the
/// accessory.
struct AAPRoutingFields: Sendable {
  // PacketLogger 6 calls these values so.
  static let states: [UInt64: StaticString] = [1: "connected"]
  static let connectionTypes: [UInt64: StaticString] = [1: "source", 2: "secondary"]
  static let sources: [UInt64: StaticString] = [0: "none", 1: "call", 2: "media"]
  static let linkStates: [UInt64: StaticString] = [
    0: "not connected", 1: "connecting", 2: "connected",
  ]

  let host = Field("Host", .address, inLine: true)
  let connectionState = Field("Connection State", names: states, inLine: true)
  let connectionType = Field("Connection Type", names: connectionTypes, inLine: true)
  let source = Field("Audio", names: sources, inLine: true)
  let peer = Field("Host", .address, inLine: true)
  let dataLength = Field("Data Length")
  let format = Field("Unknown", .hex)
  let opack = OPACK.shared
  let hostCount = Field("Host Count", inLine: true)
  let hosts = Field("Host", .list)
  /// Most significant octet first, unlike everywhere else.
  let displayed = Field("Address", .address, inLine: true)
  let linkState = Field("Link", names: linkStates, inLine: true)
  let hostInfo = Field("Unknown", .hex)
}

extension AAP {
  static func routing(_ opcode: UInt16, _ pdu: inout PDU<some Sink>) throws(Malformed) {
    let routing = fields.routing
    switch opcode {
    case 0x0C:
      try pdu.address(routing.host)
      try pdu.u8(routing.connectionState)
      try pdu.u8(routing.connectionType)
    case 0x0E:
      try pdu.address(routing.host)
      try pdu.u8(routing.source)
    case 0x2E: try connectedDevices(&pdu)
    default: try smartRouting(&pdu)
    }
  }

  private static func connectedDevices(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    let routing = fields.routing
    try pdu.bytes(2, fields.unknown)
    for _ in 0..<(try pdu.u8(routing.hostCount)) {
      try pdu.group(routing.hosts) { pdu throws(Malformed) in
        let address = try pdu.word(6, of: routing.displayed)
        pdu.part(routing.displayed, address.byteSwapped >> 16, of: 6)
        try pdu.u8(routing.linkState)
        try pdu.u8(routing.hostInfo)
      }
    }
  }

  /// The length counts the octet in front of the dictionary, which not every source has seen in
  /// messages that are relayed.
  private static func smartRouting(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    let routing = fields.routing
    try pdu.address(routing.peer)
    let length = Int(try pdu.u16(routing.dataLength))
    try pdu.inside(length, by: routing.dataLength) { pdu throws(Malformed) in
      if pdu.peek() == 0x01, pdu.remaining > 1 { try pdu.u8(routing.format) }
      if pdu.remaining > 0 { try routing.opack.read(&pdu) }
    }
    if pdu.remaining > 0 { pdu.rest(fields.padding) }
  }
}
