import HarkCore

/// What an Ethernet frame carries, as far as its addresses and ports go.
/// IEEE 802.3, 3.2.6; RFC 791, 3.1; RFC 8200, 3 and 4; RFC 826; RFC 768; RFC 9293, 3.1.
struct EthernetPayload: Sendable {
  // IANA, IEEE 802 Numbers
  static let types: [UInt64: StaticString] = [
    0x0800: "IPv4", 0x0806: "ARP", 0x8100: "Customer VLAN Tag Type", 0x86DD: "IPv6",
    0x888E: "IEEE Std 802.1X", 0x88A8: "Service VLAN Tag Type", 0x88CC: "LLDP",
  ]
  /// Whether a VLAN tag follows, with another type after it: one tag, or that of a service before that of a customer.
  /// IEEE 802.1Q, 9.5 and 9.6.
  static func isTag(_ type: UInt16) -> Bool { type == 0x8100 || type == 0x88A8 }
  // IANA, Protocol Numbers
  static let protocols: [UInt64: StaticString] = [
    0: "IPv6 Hop-by-Hop Option", 1: "ICMP", 2: "IGMP", 6: "TCP", 17: "UDP",
    43: "Routing Header for IPv6", 44: "Fragment Header for IPv6", 58: "ICMPv6",
    59: "No Next Header for IPv6", 60: "Destination Options for IPv6",
  ]
  static let operations: [UInt64: StaticString] = [1: "request", 2: "reply"]

  let networkType = Field("Networking Protocol Type", .hex, names: types, inLine: true)
  let vlan = Field("Tag Control Information", .hex)
  let network = Field("Network Packet", .group)
  let version = Field("Version")
  let headerLength = Field("Header Length", unit: "4 bytes")
  let trafficClass = Field("Traffic Class", .hex)
  let flowLabel = Field("Flow Label", .hex)
  let totalLength = Field("Total Length")
  let identification = Field("Identification", .hex)
  let fragmentFlags = Field(
    "Flags", .hex, flags: [0: "More Fragments", 1: "Don't Fragment", 2: "Reserved"])
  let fragmentOffset = Field("Fragment Offset", unit: "8 bytes")
  let hopLimit = Field("Hop Limit")
  let next = Field("Protocol", names: protocols, inLine: true)
  let checksum = Field("Header Checksum", .hex, personal: .traffic)
  let sourceIPv4 = Field(
    "Source IP Address", .hex, lookup: EthernetPayload.dotted, inLine: true,
    personal: .networkAddress)
  let destinationIPv4 = Field(
    "Destination IP Address", .hex, lookup: EthernetPayload.dotted, inLine: true,
    personal: .networkAddress)
  let sourceIPv6 = Field("Source IPv6 Address", .bytes, inLine: true, personal: .networkAddress)
  let destinationIPv6 = Field(
    "Destination IPv6 Address", .bytes, inLine: true, personal: .networkAddress)
  let options = Field("Options", .bytes, personal: .traffic)
  let payloadLength = Field("Payload Length")
  let extensionLength = Field("Extension Length", unit: "8 bytes")
  let sourcePort = Field("Source Port", inLine: true)
  let destinationPort = Field("Destination Port", inLine: true)
  let hardware = Field("Hardware Type", names: [1: "Ethernet"])
  let protocolType = Field("Protocol Type", .hex, names: types)
  let hardwareLength = Field("Hardware Address Length")
  let protocolLength = Field("Protocol Address Length")
  let operation = Field("Operation", names: operations, inLine: true)
  let senderHardware = Field("Sender Hardware Address", .address)
  let targetHardware = Field("Target Hardware Address", .address)
  let length = Field("Length")
  let transportChecksum = Field("Checksum", .hex, personal: .traffic)
  // Without them nothing puts the segments of a redacted connection in order; they begin at random. RFC 6528
  let sequence = Field("Sequence Number", structural: true)
  let acknowledgment = Field("Acknowledgment Number", structural: true)
  let dataOffset = Field("Data Offset", unit: "4 bytes")
  let controlBits = Field(
    "Control Bits", .hex,
    flags: [
      0: "FIN", 1: "SYN", 2: "RST", 3: "PSH", 4: "ACK", 5: "URG", 6: "ECE", 7: "CWR",
    ])
  let window = Field("Window")
  let urgentPointer = Field("Urgent Pointer")
  let payload = Field("Payload", .bytes, personal: .traffic)
  let padding = Field("Padding", .bytes, personal: .opaque)
  let secret = Secret()

  /// The same of packets that carry keys.
  struct Secret: Sendable {
    let payload = Field("Payload", .bytes, secret: true, personal: .traffic)
  }

  /// `192.168.44.1`
  @Sendable static func dotted(_ address: UInt64) -> String? {
    [24, 16, 8, 0].map { "\(address >> $0 & 0xFF)" }.joined(separator: ".")
  }

  /// Everything that is left, of the type that stood in front of it.
  func payload(_ type: UInt16, _ pdu: inout PDU<some Sink>) throws(Malformed) {
    var type = type
    while Self.isTag(type) {
      try pdu.u16be(vlan)
      type = try pdu.u16be(networkType)
    }
    let count = pdu.remaining
    guard count > 0 else { return }
    guard type == 0x0800 || type == 0x0806 || type == 0x86DD else {
      pdu.rest(payload)
      return
    }
    var message = IPPacket()
    try pdu.within(count, network) { pdu throws(Malformed) in
      switch type {
      case 0x0800: try ipv4(&pdu, &message)
      case 0x0806: try arp(&pdu)
      default: try ipv6(&pdu, &message)
      }
      try AdvertisingData.all(padding, &pdu)
    }
  }

  func ipv4(_ pdu: inout PDU<some Sink>, _ message: inout IPPacket) throws(Malformed) {
    let head = try pdu.word(1, of: version)
    pdu.part(version, head >> 4, of: 1)
    pdu.part(headerLength, head & 0xF, of: 1)
    try pdu.u8(trafficClass)
    let total = Int(try pdu.u16be(totalLength))
    let count = rest(of: total - 4, &pdu, &message)
    try pdu.inside(count, by: totalLength) { pdu throws(Malformed) in
      try pdu.u16be(identification)
      let fragment = try pdu.bigEndian(2, of: fragmentOffset)
      pdu.part(fragmentFlags, fragment >> 13, of: 2)
      pdu.part(fragmentOffset, fragment & 0x1FFF, of: 2)
      message.isFragment = fragment & 0x3FFF != 0
      try pdu.u8(hopLimit)
      let carried = try pdu.u8(next)
      try pdu.u16be(checksum)
      let source = pdu.position
      try pdu.u32be(sourceIPv4)
      try pdu.u32be(destinationIPv4)
      message.source = IPAddress(pdu.bytes.extracting(source..<(source + 4)))
      message.destination = IPAddress(pdu.bytes.extracting((source + 4)..<(source + 8)))
      let more = max(0, Int(head & 0xF) * 4 - 20)
      if more > 0 { try pdu.bytes(more, options) }
      // Only the first fragment has the ports.
      if fragment & 0x1FFF == 0 { try ports(carried, &pdu, &message) }
      try AdvertisingData.all(payload, &pdu)
    }
  }

  /// How many of the `count` bytes are there. With segmentation offload a host's own packets are recorded
  /// before their length is set.
  private func rest(
    of count: Int, _ pdu: inout PDU<some Sink>, _ message: inout IPPacket
  ) -> Int {
    guard count > 0 else { return pdu.remaining }
    message.missing = max(0, count - pdu.remaining)
    return min(count, pdu.remaining)
  }

  func ipv6(_ pdu: inout PDU<some Sink>, _ message: inout IPPacket) throws(Malformed) {
    let head = try pdu.bigEndian(4, of: version)
    pdu.part(version, head >> 28, of: 4)
    pdu.part(trafficClass, head >> 20 & 0xFF, of: 4)
    pdu.part(flowLabel, head & 0xF_FFFF, of: 4)
    let length = Int(try pdu.u16be(payloadLength))
    var carried = try pdu.u8(next)
    try pdu.u8(hopLimit)
    let source = try pdu.bytes(16, sourceIPv6)
    let destination = try pdu.bytes(16, destinationIPv6)
    message.source = IPAddress(pdu.bytes.extracting(source))
    message.destination = IPAddress(pdu.bytes.extracting(destination))
    let count = rest(of: length, &pdu, &message)
    try pdu.inside(count, by: payloadLength) { pdu throws(Malformed) in
      // Hop-by-Hop Options, Routing, Destination Options.
      while [0, 43, 60].contains(carried), pdu.remaining > 0 {
        carried = try pdu.u8(next)
        let size = Int(try pdu.u8(extensionLength))
        try pdu.bytes(size * 8 + 6, options)
      }
      message.isFragment = carried == 44
      try ports(carried, &pdu, &message)
      try AdvertisingData.all(payload, &pdu)
    }
  }

  private func ports(
    _ carried: UInt8, _ pdu: inout PDU<some Sink>, _ message: inout IPPacket
  ) throws(Malformed) {
    guard carried == 6 || carried == 17 else { return }
    let source = try pdu.u16be(sourcePort)
    let destination = try pdu.u16be(destinationPort)
    if carried == 17 {
      try pdu.u16be(length)
      try pdu.u16be(transportChecksum)
      message.payload = pdu.position..<(pdu.position + pdu.remaining)
      message.udp = IPPacket.UDP(sourcePort: source, destinationPort: destination)
      if !message.isFragment, source == MulticastDNS.port || destination == MulticastDNS.port {
        pdu.hand(to: .udpPort(MulticastDNS.port), orElse: payload)
      }
      return
    }
    let sequence = try pdu.u32be(sequence)
    let acknowledgment = try pdu.u32be(acknowledgment)
    let head = try pdu.bigEndian(2, of: dataOffset)
    pdu.part(dataOffset, head >> 12, of: 2)
    pdu.part(controlBits, head & 0xFF, of: 2)
    try pdu.u16be(window)
    try pdu.u16be(transportChecksum)
    try pdu.u16be(urgentPointer)
    let more = max(0, Int(head >> 12) * 4 - 20)
    if more > 0 { try pdu.bytes(more, options) }
    message.payload = pdu.position..<(pdu.position + pdu.remaining)
    message.tcp = IPPacket.TCP(
      sourcePort: source, destinationPort: destination, sequence: sequence,
      acknowledgment: acknowledgment, controlBits: UInt8(truncatingIfNeeded: head))
    if pdu.context.isSecret { try AdvertisingData.all(secret.payload, &pdu) }
  }

  private func arp(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    try pdu.u16be(hardware)
    try pdu.u16be(protocolType)
    let hardwareSize = try pdu.u8(hardwareLength)
    let protocolSize = try pdu.u8(protocolLength)
    try pdu.u16be(operation)
    guard hardwareSize == 6, protocolSize == 4 else { return }
    let sender = try pdu.bigEndian(6, of: senderHardware)
    pdu.part(senderHardware, sender, of: 6)
    try pdu.u32be(sourceIPv4)
    let target = try pdu.bigEndian(6, of: targetHardware)
    pdu.part(targetHardware, target, of: 6)
    try pdu.u32be(destinationIPv4)
  }
}
