import HarkCore

/// Data physical channel PDUs, and those of isochronous streams and groups.
/// Core Specification, Vol 6, Part B, 2.4 and 2.6.
struct LinkLayerData: Sendable {
  static let llids: [UInt64: StaticString] = [
    1: "continuation of an L2CAP PDU, or empty", 2: "start of an L2CAP PDU, or a whole one",
    3: "LL Control PDU",
  ]
  // 2.6.1
  static let connectedLLIDs: [UInt64: StaticString] = [
    0: "unframed CIS Data PDU: end of an SDU, or a whole one",
    1: "unframed CIS Data PDU: start or continuation of an SDU", 2: "framed CIS Data PDU",
  ]
  // 2.6.2
  static let broadcastLLIDs: [UInt64: StaticString] = [
    0: "unframed BIS Data PDU: end of an SDU, or a whole one",
    1: "unframed BIS Data PDU: start or continuation of an SDU", 2: "framed BIS Data PDU",
    3: "BIG Control PDU",
  ]
  // 2.6.3
  static let broadcastControls: [UInt64: StaticString] = [
    0: "BIG_CHANNEL_MAP_IND", 1: "BIG_TERMINATE_IND",
  ]
  static let marks: [UInt64: StaticString] = [1: "sent again, not acknowledged before"]

  /// Where the same bits mean something else.
  struct Connected: Sendable {
    let llid = Field("LLID", names: connectedLLIDs, title: true)
  }
  struct Broadcast: Sendable {
    let llid = Field("LLID", names: broadcastLLIDs, title: true)
    let seed = Field("SeedAccessAddress of the BIG", .hex, inLine: true, structural: true)
    let stream = Field("BIS_Number", special: [0: "control"], inLine: true)
  }

  let llid = Field("LLID", names: llids, role: .continuation)
  let connected = Connected()
  let broadcast = Broadcast()
  let nesn = Field("NESN")
  let sn = Field("SN")
  let md = Field("MD")
  let cp = Field("CP")
  let cie = Field("CIE")
  let npi = Field("NPI")
  let cssn = Field("CSSN")
  let cstf = Field("CSTF")
  let headerReserved = Field("RFU", .hex, role: .reserved)
  let retransmission = Field("Retransmission", names: marks, inLine: true)
  let cteTime = Field("CTETime", unit: "8 µs")
  let cteReserved = Field("CTEInfo RFU", role: .reserved)
  let cteType = Field("CTEType", names: LinkLayerExtendedAdvertising.cteTypes)
  let empty = Field("Empty PDU", names: [0: "Empty PDU"], title: true)
  let fragment = Field("Fragment of an L2CAP PDU", .bytes, inLine: true, role: .l2capFragment)
  let secret = Secret()
  let encrypted = Field("Encrypted payload", .bytes, inLine: true)
  let mic = Field("MIC", .hex, structural: false)
  let isochronous = Field("Isochronous data", .bytes, inLine: true)
  let bigOpcode = Field("Opcode", .hex, names: broadcastControls, title: true)
  let bigChannelMap = Field("ChM", .hex, structural: true)
  let bigReason = Field("Reason", .hex, names: HCIError.names, inLine: true)
  let bigInstant = Field("Instant")
  let other = Field("Data", .bytes)

  /// In place of the field of the same name, where the fragment is one of a key.
  struct Secret: Sendable {
    let fragment = Field("Fragment of an L2CAP PDU", .bytes, secret: true, role: .l2capFragment)
  }

  /// The first octet, and what it says. 2.4, 2.6.1, 2.6.2
  func header(_ pdu: inout PDU<some Sink>) throws(Malformed) -> Int {
    let header = try pdu.word(1, of: llid)
    switch pdu.context.linkLayer.channel {
    case .broadcast:
      pdu.part(broadcast.llid, header & 3, of: 1)
      pdu.part(cssn, header >> 2 & 7, of: 1)
      pdu.part(cstf, header >> 5 & 1, of: 1)
      pdu.part(headerReserved, header >> 6, of: 1)
    case .connected:
      pdu.part(connected.llid, header & 3, of: 1)
      pdu.part(nesn, header >> 2 & 1, of: 1)
      pdu.part(sn, header >> 3 & 1, of: 1)
      pdu.part(cie, header >> 4 & 1, of: 1)
      pdu.part(npi, header >> 6 & 1, of: 1)
      pdu.part(headerReserved, (header >> 5 & 1) | (header >> 7) << 1, of: 1)
    default:
      let bits = LLDataHeader(UInt8(truncatingIfNeeded: header))
      pdu.part(llid, UInt64(bits.llid.rawValue), of: 1)
      pdu.part(nesn, UInt64(bits.nesn), of: 1)
      pdu.part(sn, UInt64(bits.sn), of: 1)
      pdu.part(md, UInt64(bits.md), of: 1)
      pdu.part(cp, UInt64(bits.cp), of: 1)
      pdu.part(headerReserved, header >> 6, of: 1)
    }
    return Int(header)
  }

  func payload(_ header: Int, _ pdu: inout PDU<some Sink>) throws(Malformed) {
    let context = pdu.context.linkLayer
    if context.isRetransmission { pdu.inferred(retransmission, 1) }
    switch context.channel {
    case .connected: try opaque(isochronous, &pdu)
    case .broadcast:
      if let group = context.broadcast {
        pdu.inferred(broadcast.seed, UInt64(group.seedAccessAddress))
        pdu.inferred(broadcast.stream, UInt64(group.stream))
      }
      if header & 3 == 3, !context.isEncrypted {
        var message = BIGControlPDU()
        try group(&pdu, &message)
      } else {
        try opaque(isochronous, &pdu)
      }
    default:
      if context.hasCTEInfo {
        try cteInfo(&pdu)
      } else if header & 0x20 != 0 {
        pdu.note(.info, "CP is set, but no CTEInfo follows", over: 0, clause: "2.5.2")
      }
      try connection(LLDataHeader(UInt8(header)).llid, &pdu)
    }
  }

  private func connection(
    _ llid: LLDataHeader.LLID, _ pdu: inout PDU<some Sink>
  ) throws(Malformed) {
    let secret = pdu.context.isSecret
    // A PDU without a payload has no MIC, and those before encryption began may come again. 2.4
    let range = pdu.position..<pdu.end
    if pdu.context.linkLayer.isEncrypted, range.count > 4,
      !LinkLayerPlaintext.isShape(of: pdu.bytes, range, llid: llid)
    {
      return try opaque(encrypted, &pdu)
    }
    switch llid {
    case .continuation:
      guard pdu.remaining > 0 else {
        pdu.inferred(empty, 0)
        return
      }
      pdu.facts.fragment = .continuing
      pdu.rest(secret ? self.secret.fragment : fragment)
    case .start:
      let frame = 4 + (Int(pdu.peek(1)) << 8 | Int(pdu.peek()))
      if pdu.remaining < 4 || frame > pdu.remaining {
        pdu.facts.fragment = .first
        pdu.rest(secret ? self.secret.fragment : fragment)
      } else {
        pdu.hand(to: .l2cap, orElse: fragment)
      }
    case .control: pdu.hand(to: .linkLayerControl, orElse: other)
    case .reserved: pdu.rest(other)
    }
  }

  /// What cannot be read further, with its MIC where it is encrypted.
  private func opaque(_ field: Field, _ pdu: inout PDU<some Sink>) throws(Malformed) {
    guard pdu.context.linkLayer.isEncrypted, pdu.remaining > 4 else {
      pdu.rest(field)
      return
    }
    try pdu.bytes(pdu.remaining - 4, field)
    try pdu.bytes(4, mic)
  }

  private func cteInfo(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    let info = try pdu.word(1, of: cteTime)
    pdu.part(cteTime, info & 0x1F, of: 1)
    pdu.part(cteReserved, info >> 5 & 1, of: 1)
    pdu.part(cteType, info >> 6, of: 1)
  }

  /// 2.6.3
  func group(
    _ pdu: inout PDU<some Sink>, _ message: inout BIGControlPDU
  ) throws(Malformed) {
    switch try pdu.u8(bigOpcode) {
    case 0:
      let map = try pdu.unsigned(5, bigChannelMap)
      message.content = .channelMapInd(channelMap: map, instant: try pdu.u16(bigInstant))
    case 1:
      let reason = try pdu.u8(bigReason)
      message.content = .terminateInd(reason: reason, instant: try pdu.u16(bigInstant))
    default: pdu.rest(other)
    }
  }
}
