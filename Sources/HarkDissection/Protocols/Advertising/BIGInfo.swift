/// Where a Broadcast Isochronous Group is: in the ACAD of periodic advertising.
enum BIGInfo: MessageDissector {
  static let name: StaticString = "BIGInfo"
  static let path: StaticString = "biginfo"
  static let specification: StaticString = "Core Specification, Vol 6, Part B, 4.4.6.11"
  static let places: [AttachmentPoint] = [.advertisingType(0x2C)]

  static let framings: [UInt64: StaticString] = [0: "unframed", 1: "framed"]

  struct Fields: Sendable {
    let offset = Field("BIG_Offset")
    let units = Field("BIG_Offset_Units", names: LinkLayerExtendedAdvertising.offsetUnits)
    let isoInterval = Field("ISO_Interval", unit: "1.25 ms", inLine: true)
    let numBIS = Field("Num_BIS", inLine: true)
    let nse = Field("NSE")
    let bn = Field("BN")
    let subInterval = Field("Sub_Interval", unit: "1 µs")
    let pto = Field("PTO")
    let spacing = Field("BIS_Spacing", unit: "1 µs")
    let irc = Field("IRC")
    let maxPDU = Field("Max_PDU")
    let reserved = Field("RFU", .hex, role: .reserved)
    let seed = Field("SeedAccessAddress", .hex, inLine: true, structural: true)
    let sduInterval = Field("SDU_Interval", unit: "1 µs")
    let maxSDU = Field("Max_SDU", inLine: true)
    let crcInit = Field("BaseCRCInit", .hex, structural: true)
    let channelMap = Field("ChM", .hex, structural: true)
    let phy = Field("PHY", names: LERadio.phys)
    let payloadCount = Field("bisPayloadCount", structural: true)
    let framing = Field("Framing", names: framings)
    /// Of an encrypted group only: who listens needs the Broadcast_Code besides.
    let giv = Field("GIV", .bytes)
    let gskd = Field("GSKD", .bytes)
  }
  static let fields = Fields()

  static func read(
    _ pdu: inout PDU<some Sink>, _ message: inout BIGInfoMessage
  ) throws(Malformed) {
    let first = try pdu.word(4, of: fields.offset)
    pdu.part(fields.offset, first & 0x3FFF, of: 4)
    pdu.part(fields.units, first >> 14 & 1, of: 4)
    pdu.part(fields.isoInterval, first >> 15 & 0xFFF, of: 4)
    pdu.part(fields.numBIS, first >> 27, of: 4)
    let unit: Int64 = first >> 14 & 1 == 1 ? 300_000 : 30_000
    let offset = Int64(first & 0x3FFF) * unit
    message.isoInterval = UInt16(truncatingIfNeeded: first >> 15 & 0xFFF)
    message.streams = UInt8(truncatingIfNeeded: first >> 27)
    let second = try pdu.word(4, of: fields.nse)
    pdu.part(fields.nse, second & 0x1F, of: 4)
    pdu.part(fields.bn, second >> 5 & 7, of: 4)
    let burst = second >> 5 & 7
    message.subevents.count = second & 0x1F
    message.subevents.burst = burst
    message.subevents.interval = Int64(second >> 8 & 0xF_FFFF) * 1_000
    message.subevents.pretransmissionOffset = second >> 28
    pdu.part(fields.subInterval, second >> 8 & 0xF_FFFF, of: 4)
    pdu.part(fields.pto, second >> 28, of: 4)
    let third = try pdu.word(3, of: fields.spacing)
    pdu.part(fields.spacing, third & 0xF_FFFF, of: 3)
    pdu.part(fields.irc, third >> 20, of: 3)
    message.subevents.spacing = Int64(third & 0xF_FFFF) * 1_000
    message.subevents.repetitions = third >> 20
    message.maxPDU = UInt16(try pdu.u8(fields.maxPDU))
    try pdu.u8(fields.reserved)
    message.seedAccessAddress = try pdu.u32(fields.seed)
    let sdu = try pdu.word(4, of: fields.sduInterval)
    pdu.part(fields.sduInterval, sdu & 0xF_FFFF, of: 4)
    pdu.part(fields.maxSDU, sdu >> 20, of: 4)
    message.sduInterval = UInt32(truncatingIfNeeded: sdu & 0xF_FFFF)
    message.maxSDU = UInt16(truncatingIfNeeded: sdu >> 20)
    message.baseCRCInit = try pdu.u16(fields.crcInit)
    let map = try pdu.word(5, of: fields.channelMap)
    pdu.part(fields.channelMap, map & 0x1F_FFFF_FFFF, of: 5)
    pdu.part(fields.phy, map >> 37, of: 5)
    message.phy = UInt8(truncatingIfNeeded: map >> 37) + 1
    let count = try pdu.word(5, of: fields.payloadCount)
    pdu.part(fields.payloadCount, count & 0x7F_FFFF_FFFF, of: 5)
    pdu.part(fields.framing, count >> 39, of: 5)
    if burst > 0 {
      message.nextEvent = .init(offset: offset, count: (count & 0x7F_FFFF_FFFF) / burst)
    }
    guard pdu.remaining > 0 else { return }
    try pdu.bytes(8, fields.giv)
    try pdu.bytes(16, fields.gskd)
    message.isEncrypted = true
  }
}
