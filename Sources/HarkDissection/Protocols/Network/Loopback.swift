import HarkCore

/// Frames of the loopback interface of BSD and macOS: an address family in the byte order of the machine that
/// wrote the capture. https://www.tcpdump.org/linktypes.html
enum Loopback: MessageDissector {
  static let name: StaticString = "BSD loopback"
  static let path: StaticString = "loopback"
  static let specification: StaticString = "tcpdump.org, LINKTYPE_NULL"
  static let places: [AttachmentPoint] = [.record(.loopback)]

  // IPv6 has another number on each system.
  static let families: [UInt64: StaticString] = [
    2: "AF_INET", 10: "AF_INET6", 24: "AF_INET6", 28: "AF_INET6", 30: "AF_INET6",
  ]

  struct Fields: Sendable {
    let family = Field("Address Family", names: families)
    let payload = Field("Payload", .bytes, personal: .traffic)
  }
  static let fields = Fields()

  static func read(
    _ pdu: inout PDU<some Sink>, _ message: inout NetworkFrame
  ) throws(Malformed) {
    let word = try pdu.word(4, of: fields.family)
    let family = word < 0x1_0000 ? word : UInt64(UInt32(truncatingIfNeeded: word).byteSwapped)
    pdu.part(fields.family, family, of: 4)
    message.carry(families[family] != nil, orElse: fields.payload, &pdu)
  }
}
