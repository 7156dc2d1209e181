import HarkCore

/// Who plays: connected hosts, the audio source, and what hosts send each other through the
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
  static func routing(
    _ opcode: AAPMessage.Opcode?, _ pdu: inout PDU<some Sink>,
    _ content: inout AAPMessage.Content
  ) throws(Malformed) {
    let routing = fields.routing
    switch opcode {
    case .connectionState:
      let host = BluetoothAddress(try pdu.address(routing.host))
      let state = try pdu.u8(routing.connectionState)
      content = .connectionState(
        host: host, state: state, type: try pdu.u8(routing.connectionType))
    case .audioSource:
      let host = BluetoothAddress(try pdu.address(routing.host))
      content = .audioSource(host: host, type: try pdu.u8(routing.source))
    case .connectedDevices: content = .connectedDevices(try connectedDevices(&pdu))
    default:
      content = .smartRouting(
        try smartRouting(isRelayed: opcode == .smartRoutingRelayed, &pdu))
    }
  }

  private static func connectedDevices(
    _ pdu: inout PDU<some Sink>
  ) throws(Malformed) -> [AAPMessage.Host] {
    let routing = fields.routing
    var hosts: [AAPMessage.Host] = []
    try pdu.bytes(2, fields.unknown)
    for _ in 0..<(try pdu.u8(routing.hostCount)) {
      try pdu.group(routing.hosts) { pdu throws(Malformed) in
        let address = try pdu.word(6, of: routing.displayed).byteSwapped >> 16
        pdu.part(routing.displayed, address, of: 6)
        let link = try pdu.u8(routing.linkState)
        try pdu.u8(routing.hostInfo)
        hosts.append(AAPMessage.Host(address: BluetoothAddress(address), link: link))
      }
    }
    return hosts
  }

  /// The length counts the octet in front of the dictionary, which not every source has seen in
  /// messages that are relayed.
  private static func smartRouting(
    isRelayed: Bool, _ pdu: inout PDU<some Sink>
  ) throws(Malformed) -> AAPMessage.SmartRouting {
    let routing = fields.routing
    let peer = BluetoothAddress(try pdu.address(routing.peer))
    var object = 0..<0
    let length = Int(try pdu.u16(routing.dataLength))
    try pdu.inside(length, by: routing.dataLength) { pdu throws(Malformed) in
      if pdu.peek() == 0x01, pdu.remaining > 1 { try pdu.u8(routing.format) }
      object = pdu.position..<pdu.end
      if pdu.remaining > 0 { try routing.opack.read(&pdu) }
    }
    if pdu.remaining > 0 { pdu.rest(fields.padding) }
    return AAPMessage.SmartRouting(peer: peer, isRelayed: isRelayed, object: object)
  }
}
