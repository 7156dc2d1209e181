/// Packets of RTP's control protocol, as the reporting channel of a stream carries them: several may
/// stand after each other. AVDTP 1.3, 7.3; RFC 3550, 6.
struct RTPControl: Sendable {
  static let types: [UInt64: StaticString] = [
    200: "SR", 201: "RR", 202: "SDES", 203: "BYE", 204: "APP",
  ]
  // 6.5
  static let items: [UInt64: StaticString] = [
    0: "END", 1: "CNAME", 2: "NAME", 3: "EMAIL", 4: "PHONE", 5: "LOC", 6: "TOOL", 7: "NOTE",
    8: "PRIV",
  ]

  let packet = Field("RTCP Packet", .list)
  let count = Field("Count")
  let type = Field("Packet Type", names: types, title: true)
  let length = Field("Length", unit: "4 octets")
  let ntpSeconds = Field("NTP Timestamp, Seconds", unit: "s")
  let ntpFraction = Field("NTP Timestamp, Fraction")
  let senderPackets = Field("Sender's Packet Count")
  let senderOctets = Field("Sender's Octet Count")
  let report = Field("Report Block", .list)
  let fractionLost = Field("Fraction Lost", unit: "1/256")
  let lost = Field("Cumulative Number of Packets Lost", .signed)
  let highest = Field("Extended Highest Sequence Number Received")
  let jitter = Field("Interarrival Jitter")
  let lastReport = Field("Last SR Timestamp", .hex)
  let delay = Field("Delay since Last SR", unit: "1/65536 s")
  let chunk = Field("Chunk", .list)
  let item = Field("Item", names: items)
  let itemLength = Field("Item Length")
  let text = Field("Item Text", .text, personal: .text)
  let data = Field("Control Data", .bytes)

  /// Whether the second octet of a packet is a packet type of RTCP, not one of RTP with a marker.
  /// RFC 3550, 12.1; RFC 5761, 4.
  static func isControl(_ octet: UInt8) -> Bool { 200...204 ~= octet }

  func read(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    while pdu.remaining > 0 {
      try pdu.group(packet) { pdu throws(Malformed) in
        let media = AVDTPMedia.fields
        let first = try pdu.word(1, of: media.version)
        pdu.part(media.version, first >> 6, of: 1)
        pdu.part(media.padding, first >> 5 & 1, of: 1)
        pdu.part(count, first & 0x1F, of: 1)
        let type = try pdu.u8(type)
        let length = 4 * Int(try pdu.u16be(length))
        try pdu.inside(length, by: self.length) { pdu throws(Malformed) in
          try body(type, Int(first & 0x1F), &pdu)
        }
      }
    }
  }

  private func body(
    _ type: UInt8, _ count: Int, _ pdu: inout PDU<some Sink>
  ) throws(Malformed) {
    let media = AVDTPMedia.fields
    switch type {
    case 200, 201:
      try pdu.u32be(media.ssrc)
      if type == 200 {
        try pdu.u32be(ntpSeconds)
        try pdu.u32be(ntpFraction)
        try pdu.u32be(media.timestamp)
        try pdu.u32be(senderPackets)
        try pdu.u32be(senderOctets)
      }
      for _ in 0..<count { try pdu.group(report, block) }
    case 202: for _ in 0..<count { try pdu.group(chunk, description) }
    case 203: for _ in 0..<count { try pdu.u32be(media.ssrc) }
    default: break
    }
    if pdu.remaining > 0 { try pdu.bytes(pdu.remaining, data) }
  }

  // 6.4.1
  private func block(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    try pdu.u32be(AVDTPMedia.fields.ssrc)
    try pdu.u8(fractionLost)
    try pdu.u24be(lost)
    try pdu.u32be(highest)
    try pdu.u32be(jitter)
    try pdu.u32be(lastReport)
    try pdu.u32be(delay)
  }

  /// Items to one that is 0, which fills up to a multiple of four octets. 6.5
  private func description(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    try pdu.u32be(AVDTPMedia.fields.ssrc)
    var size = 0
    while try pdu.u8(item) != 0 {
      let length = Int(try pdu.u8(itemLength))
      try pdu.bytes(length, text)
      size += 2 + length
    }
    let fill = (4 - (size + 1) % 4) % 4
    if fill > 0 { try pdu.bytes(fill, data) }
  }
}
