/// BR/EDR packets from the air, after what their sniffer says about them: link type 255. FHS packets and LMP PDUs are
/// read; what fills other packets stays bytes. Core Specification, Vol 2, Part B, 6;
/// https://www.tcpdump.org/linktypes/LINKTYPE_BLUETOOTH_BREDR_BB.html
enum BREDRBaseband: MessageDissector {
  static let name: StaticString = "BR/EDR Baseband"
  static let path: StaticString = "bb"
  static let specification: StaticString = "Core Specification, Vol 2, Part B, 6"
  static let places: [AttachmentPoint] = [.record(.basebandRadio)]

  static let transports: [UInt64: StaticString] = [
    0: "any", 1: "SCO", 2: "eSCO", 3: "ACL", 4: "CSB",
  ]
  static let rates: [UInt64: StaticString] = [
    0: "BR, GFSK 1 Mb/s", 1: "EDR, π/4-DQPSK 2 Mb/s", 2: "EDR, 8DPSK 3 Mb/s",
  ]
  static let flags: [UInt64: StaticString] = [
    0: "header and payload dewhitened", 1: "signal power valid", 2: "noise power valid",
    3: "payload decrypted", 4: "reference LAP valid", 5: "payload present", 6: "channel aliased",
    7: "reference UAP valid", 8: "HEC checked", 9: "HEC valid", 10: "CRC checked", 11: "CRC valid",
    12: "MIC checked", 13: "MIC valid",
  ]
  // 6.6.2, table 6.6
  static let llids: [UInt64: StaticString] = [
    1: "L2CAP continuation", 2: "L2CAP start", 3: "LMP",
  ]
  static let laps: [UInt64: StaticString] = [
    0x9E_8B33: "General Inquiry Access Code (GIAC)",
    0x9E_8B00: "Limited Inquiry Access Code (LIAC)",
  ]

  struct Fields: Sendable {
    let rfChannel = Field("RF channel", inLine: true)
    let signal = Field("Signal power", .signed, unit: "dBm")
    let noise = Field("Noise power", .signed, unit: "dBm")
    let offenses = Field("Access code offenses")
    let transport = Field("Payload transport", names: transports)
    let rate = Field("Payload rate", names: rates)
    let correctedHeader = Field("Corrected header bits")
    let correctedPayload = Field("Corrected payload bits", .signed)
    let lap = Field("LAP", .hex, names: laps, inLine: true, personal: .identifier)
    let referenceLAP = Field("Reference LAP", .hex, personal: .identifier)
    let referenceUAP = Field("Reference UAP", .hex, structural: false)
    // Whitened or received with errors: its HEC depends on the UAP.
    let header = Field("Packet header", .hex, structural: false)
    let ltAddress = Field("LT_ADDR", inLine: true)
    let types = BasebandTypes()
    let flow = Field("FLOW")
    let arqn = Field("ARQN")
    let seqn = Field("SEQN")
    let hec = Field("HEC")
    let flags = Field("Flags", .hex, flags: BREDRBaseband.flags)
    let unused = Field("Not valid", .hex)
    let unusedAddress = Field("Not valid", .hex, structural: false)
    let payload = Field("Payload", .bytes)
    let llid = Field("LLID", names: llids, role: .continuation)
    let payloadFlow = Field("Payload FLOW")
    let length = Field("LENGTH", unit: "octets")
    let body = Field("Payload body", .group)
    // Its register begins with the UAP.
    let crc = Field("CRC", .hex, structural: false)
    let voice = Field("Voice field", .bytes, personal: .sound)
    let fhs = FrequencyHopSynchronization()
  }
  static let fields = Fields()

  static func read(
    _ pdu: inout PDU<some Sink>, _ message: inout BasebandPacket
  ) throws(Malformed) {
    // What their flags do not call valid means nothing.
    let valid = pdu.peek(20)
    try pdu.u8(fields.rfChannel)
    try pdu.u8(valid & 0x02 != 0 ? fields.signal : fields.unused)
    try pdu.u8(valid & 0x04 != 0 ? fields.noise : fields.unused)
    try pdu.u8(fields.offenses)
    let payload = try pdu.word(1, of: fields.rate)
    pdu.part(fields.rate, payload & 0x0F, of: 1)
    pdu.part(fields.transport, payload >> 4, of: 1)
    try pdu.u8(fields.correctedHeader)
    try pdu.u16(fields.correctedPayload)
    message.lap = try pdu.u32(fields.lap)
    try pdu.unsigned(3, valid & 0x10 != 0 ? fields.referenceLAP : fields.unusedAddress)
    try pdu.u8(valid & 0x80 != 0 ? fields.referenceUAP : fields.unusedAddress)
    try header(fields.types.of(transport: payload >> 4, rate: payload & 0x0F), &pdu, &message)
    let flags = try pdu.u16(fields.flags)
    guard let type = message.type, flags & 0x21 == 0x21, isSound(flags) else {
      pdu.rest(fields.payload)
      return
    }
    switch type {
    case .fhs where pdu.remaining == FrequencyHopSynchronization.length + 2:
      try fields.fhs.read(&pdu, &message)
      try pdu.u16(fields.crc)
    // Only with the basic rate is TYPE 8 DV, which carries 80 bits of voice first. 6.5.2.4
    case .dv where payload & 0x0F == 0 && holdsLinkManager(pdu, after: 10):
      try pdu.bytes(10, fields.voice)
      try linkManager(&pdu, &message)
    case .dm1 where holdsLinkManager(pdu, after: 0): try linkManager(&pdu, &message)
    case .fhs, .dm1, .dv, .other: pdu.rest(fields.payload)
    }
  }

  /// LMP PDUs are in DM1 packets and in the data field of DV packets: LLID 3, and a length that fits. Part C, 2.2
  private static func holdsLinkManager(_ pdu: PDU<some Sink>, after count: Int) -> Bool {
    let head = pdu.peek(count)
    return head & 3 == 3 && pdu.remaining == count + 3 + Int(head >> 3)
  }

  private static func linkManager(
    _ pdu: inout PDU<some Sink>, _ message: inout BasebandPacket
  ) throws(Malformed) {
    let length = try pdu.payloadHeader(fields.llid, fields.payloadFlow, fields.length)
    message.linkManager = pdu.position..<(pdu.position + length)
    try pdu.within(length, fields.body) { pdu in
      pdu.hand(to: .linkManager, orElse: fields.payload)
    }
    try pdu.u16(fields.crc)
  }

  /// Whether what was received is what was sent: what was checked was right.
  private static func isSound(_ flags: UInt16) -> Bool {
    flags & 0x0300 != 0x0100 && flags & 0x0C00 != 0x0400 && flags & 0x3000 != 0x1000
  }

  /// 6.4: what it says is only there where the sniffer took the whitening away, and its HEC is right.
  private static func header(
    _ type: Field, _ pdu: inout PDU<some Sink>, _ message: inout BasebandPacket
  ) throws(Malformed) {
    let flags = UInt16(pdu.peek(4)) | UInt16(pdu.peek(5)) << 8
    guard flags & 1 == 1, flags & 0x0300 != 0x0100 else {
      try pdu.u32(fields.header)
      return
    }
    let word = try pdu.word(4, of: fields.header)
    message.ltAddress = UInt8(word & 7)
    message.type = BasebandPacket.PacketType(rawValue: word >> 3 & 0xF) ?? .other
    message.sequenceNumber = UInt8(word >> 9 & 1)
    pdu.part(fields.ltAddress, word & 7, of: 4)
    pdu.part(type, word >> 3 & 0xF, of: 4)
    pdu.part(fields.flow, word >> 7 & 1, of: 4)
    pdu.part(fields.arqn, word >> 8 & 1, of: 4)
    pdu.part(fields.seqn, word >> 9 & 1, of: 4)
    pdu.part(fields.hec, word >> 10 & 0xFF, of: 4)
  }
}
