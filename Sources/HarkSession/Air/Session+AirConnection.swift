import HarkCore
import HarkDissection

// PDUs of connections heard on the air: which were sent before, what they carry.
// Core Specification, Vol 6, Part B, 4.5.
extension Session {
  mutating func connection(
    _ index: Int, _ bytes: RawSpan, _ kind: PacketKind, _ header: AirHeader,
    _ moment: inout PacketContext
  ) {
    let link = air[index].link
    moment.link = link
    var context = LinkLayerContext()
    context.channel = .data
    context.crcInit = air[index].crcInit
    context.isEncrypted = air[index].encryption.isOn
    // The CRC is still that of what was sent.
    context.isDecrypted = air[index].encryption.isOpenedElsewhere
    let known = prepare(bytes, header, context, moment)
    let pdu = LLDataPDU(bytes, known ?? header.pdu(bytes, air.context))
    let side = sender(index, bytes, pdu, header, isSound: known != nil, moment)
    moment.direction = side == 0 ? .hostToController : .controllerToHost
    moment.isSenderGuessed = air[index].clues.isGuess
    row.flags.remove(.directionUnknown)
    if side == 1 { row.flags.insert(.received) }
    if header.direction == nil { row.flags.insert(.directionInferred) }
    let time = AirTime(moment.time, header)
    if side == 0, !isSameEvent(index, header, time) { air[index].anchor = time }
    (air[index].lastTime, air[index].lastChannel) = (time, header.channel)
    air[index].lastSide = side
    guard known != nil else { return }
    guard isNew(index, side, bytes, pdu) else {
      counts.air.retransmissions += 1
      air.context.isRetransmission = true
      return
    }
    guard !pdu.payload.isEmpty, !air[index].isClosed else { return }
    let llid = pdu.header.llid
    if air.context.isEncrypted, pdu.payload.count > 4 {
      guard LinkLayerPlaintext.isShape(of: bytes, pdu.payload, llid: llid) else {
        return encrypted(index, pdu, bytes, header.direction == nil, &moment)
      }
      if llid == .start { openedElsewhere(index) }
    } else if air[index].encryption.isOpenedElsewhere, pdu.payload.count > 4, llid == .start,
      L2CAPBeginning(bytes, pdu.payload).channel == .reserved
    {
      // What could not be decrypted there stands as it was sent.
      air.context.isEncrypted = true
      return encrypted(index, pdu, bytes, header.direction == nil, &moment)
    }
    guard llid == .control else {
      countPieces(index, side, pdu, bytes)
      return pieces(bytes, .record(kind), facts(bytes, kind, moment), link, moment)
    }
    let message = LLControlPDU(bytes.extracting(pdu.payload), isCut: moment.isTruncated)
    // LL_START_ENC_RSP is never sent in the clear. 5.1.3.1
    if air.context.isEncrypted, message.opcode == .startEncRsp { openedElsewhere(index) }
    let facts = facts(bytes, kind, moment)
    malformed(facts, moment)
    guard !facts.isMalformed else { return }
    control(index, message, side, moment)
  }

  private mutating func openedElsewhere(_ index: Int) {
    air[index].encryption.openElsewhere()
    air.context.isEncrypted = false
  }

  /// Counts what is missing of the side's L2CAP PDU. Vol 3, Part A, 7.2.1
  private mutating func countPieces(
    _ index: Int, _ side: Int, _ pdu: LLDataPDU, _ bytes: RawSpan
  ) {
    switch pdu.header.llid {
    case .continuation:
      let lacking = air[index].sides[side].lacking
      air[index].sides[side].lacking = max(0, lacking - pdu.payload.count)
    case .start:
      guard let size = L2CAPBeginning(bytes, pdu.payload).size else { return }
      air[index].sides[side].lacking = max(0, size - pdu.payload.count)
    case .control, .reserved: break
    }
  }

  // MARK: What was sent before

  /// Whether it is not the PDU before, sent again. 4.5.9
  private mutating func isNew(
    _ index: Int, _ side: Int, _ bytes: RawSpan, _ pdu: LLDataPDU
  ) -> Bool {
    let digest = Self.digest(bytes, pdu)
    let (sn, last) = (pdu.header.sn, air[index].sides[side])
    air[index].sides[side].nesn = pdu.header.nesn
    air[index].sides[side].sn = sn
    air[index].sides[side].digest = digest
    guard last.sn == sn else { return true }
    if last.digest == digest { return false }
    counts.air.missing += 1
    return true
  }

  /// FNV-1a of what a retransmission may not change.
  static func digest(_ bytes: RawSpan, _ pdu: LLDataPDU) -> UInt64 {
    digest(bytes, pdu.range.dropFirst(), from: UInt64(pdu.header.unchanging))
  }

  static func digest(_ bytes: RawSpan, _ range: Range<Int>, from start: UInt64 = 0) -> UInt64 {
    var digest: UInt64 = 0xCBF2_9CE4_8422_2325 ^ start
    for index in range {
      digest = (digest ^ UInt64(bytes.byte(at: index))) &* 0x100_0000_01B3
    }
    return digest
  }
}
