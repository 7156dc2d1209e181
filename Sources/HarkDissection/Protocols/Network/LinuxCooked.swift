import HarkCore

/// Frames of any interface of Linux, after a header of the recorder's.
/// https://www.tcpdump.org/linktypes/LINKTYPE_LINUX_SLL.html
enum LinuxCooked: MessageDissector {
  static let name: StaticString = "Linux cooked capture"
  static let path: StaticString = "sll"
  static let specification: StaticString = "tcpdump.org, LINKTYPE_LINUX_SLL"
  static let places: [AttachmentPoint] = [.record(.linuxCooked)]

  static let packetTypes: [UInt64: StaticString] = [
    0: "to this host", 1: "broadcast", 2: "multicast", 3: "to another host", 4: "sent by this host",
  ]
  // Linux, if_arp.h
  static let hardwareTypes: [UInt64: StaticString] = [
    1: "ARPHRD_ETHER", 772: "ARPHRD_LOOPBACK", 803: "ARPHRD_IEEE80211_RADIOTAP",
    65534: "ARPHRD_NONE",
  ]

  struct Fields: Sendable {
    let header = CookedHeader()
    let payload = Field("Payload", .bytes, personal: .traffic)
  }
  static let fields = Fields()

  static func read(
    _ pdu: inout PDU<some Sink>, _ message: inout NetworkFrame
  ) throws(Malformed) {
    try pdu.u16be(fields.header.packetType)
    try pdu.u16be(fields.header.hardwareType)
    let length = try pdu.u16be(fields.header.addressLength)
    try fields.header.readAddress(length, &pdu)
    let type = try pdu.u16be(fields.header.type)
    message.carry(type == 0x0800 || type == 0x86DD, orElse: fields.payload, &pdu)
  }
}

/// As above, version 2. https://www.tcpdump.org/linktypes/LINKTYPE_LINUX_SLL2.html
enum LinuxCooked2: MessageDissector {
  static let name: StaticString = "Linux cooked capture v2"
  static let path: StaticString = "sll2"
  static let specification: StaticString = "tcpdump.org, LINKTYPE_LINUX_SLL2"
  static let places: [AttachmentPoint] = [.record(.linuxCooked2)]

  struct Fields: Sendable {
    let header = CookedHeader()
    let reserved = Field("Reserved", .hex, role: .reserved)
    let interface = Field("Interface Index")
    let payload = Field("Payload", .bytes, personal: .traffic)
  }
  static let fields = Fields()

  static func read(
    _ pdu: inout PDU<some Sink>, _ message: inout NetworkFrame
  ) throws(Malformed) {
    let type = try pdu.u16be(fields.header.type)
    try pdu.u16be(fields.reserved)
    try pdu.u32be(fields.interface)
    try pdu.u16be(fields.header.hardwareType)
    try pdu.u8(fields.header.packetType)
    let length = try pdu.u8(fields.header.addressLength)
    try fields.header.readAddress(UInt16(length), &pdu)
    message.carry(type == 0x0800 || type == 0x86DD, orElse: fields.payload, &pdu)
  }
}

/// What both versions have in their headers.
struct CookedHeader: Sendable {
  let packetType = Field("Packet Type", names: LinuxCooked.packetTypes)
  let hardwareType = Field("Hardware Type", names: LinuxCooked.hardwareTypes)
  let addressLength = Field("Address Length")
  let address = Field("Source Address", .address)
  let otherAddress = Field("Link-Layer Address", .bytes, personal: .identifier)
  let unused = Field("Unused", .bytes)
  let type = Field("Protocol Type", .hex, names: EthernetPayload.types)

  /// Eight octets, of which the first `length` are an address.
  func readAddress(_ length: UInt16, _ pdu: inout PDU<some Sink>) throws(Malformed) {
    guard length == 6 else {
      try pdu.bytes(8, otherAddress)
      return
    }
    try NetworkFrame.address(address, &pdu)
    try pdu.bytes(2, unused)
  }
}
