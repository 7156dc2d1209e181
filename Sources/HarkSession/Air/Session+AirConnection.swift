import HarkCore
import HarkDissection

// PDUs of connections heard on the air: which were sent before, what they carry.
// Core Specification, Vol 6, Part B, 4.5.
extension Session {
  mutating func connection(
    _ index: Int, _ bytes: RawSpan, _ kind: PacketKind, _ header: AirHeader,
    _ moment: inout Moment
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
    let pdu = known ?? header.pdu(bytes, air.context)
    let first = bytes.byte(at: pdu.lowerBound)
    let side = sender(index, first, bytes, pdu, header, isSound: known != nil, moment)
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
    guard isNew(index, side, first, bytes, pdu) else {
      counts.air.retransmissions += 1
      air.context.isRetransmission = true
      return
    }
    let payload = pdu.lowerBound + 2..<min(pdu.upperBound, bytes.byteCount)
    guard !payload.isEmpty, !air[index].isClosed else { return }
    if air.context.isEncrypted, payload.count > 4 {
      guard LinkLayerPlaintext.isShape(of: bytes, payload, llid: Int(first & 3)) else {
        return encrypted(index, first, bytes, payload, header.direction == nil, &moment)
      }
      if first & 3 == 2 { openedElsewhere(index) }
    } else if air[index].encryption.isOpenedElsewhere, payload.count > 4, first & 3 == 2,
      !Self.isChannelOfLE(bytes.unsigned(at: payload.lowerBound + 2, 2))
    {
      // What could not be decrypted there stands as it was sent.
      air.context.isEncrypted = true
      return encrypted(index, first, bytes, payload, header.direction == nil, &moment)
    }
    // LL_START_ENC_RSP is never sent in the clear. 5.1.3.1
    if air.context.isEncrypted, first & 3 == 3, bytes.byte(at: payload.lowerBound) == 0x06 {
      openedElsewhere(index)
    }
    countPieces(index, side, first, bytes, payload)
    let facts = facts(bytes, kind, moment)
    if first & 3 == 3 {
      malformed(facts, moment)
      guard !facts.isMalformed else { return }
      control(index, UInt8(truncatingIfNeeded: facts.code), bytes, .record(kind), side, moment)
    } else {
      pieces(bytes, .record(kind), facts, link, moment)
    }
  }

  /// The fixed channels of LE and those that are allocated dynamically. Vol 3, Part A, 2.1
  private static func isChannelOfLE(_ cid: UInt64) -> Bool {
    4...6 ~= cid || 0x20...0x3E ~= cid || 0x40...0x7F ~= cid
  }

  private mutating func openedElsewhere(_ index: Int) {
    air[index].encryption.openElsewhere()
    air.context.isEncrypted = false
  }

  /// Counts what is missing of the side's L2CAP PDU. Vol 3, Part A, 7.2.1
  private mutating func countPieces(
    _ index: Int, _ side: Int, _ first: UInt8, _ bytes: RawSpan, _ payload: Range<Int>
  ) {
    switch first & 3 {
    case 1:
      let lacking = air[index].sides[side].lacking
      air[index].sides[side].lacking = max(0, lacking - payload.count)
    case 2 where payload.count >= 2:
      let size = Int(bytes.unsigned(at: payload.lowerBound, 2)) + 4
      air[index].sides[side].lacking = max(0, size - payload.count)
    default: break
    }
  }

  // MARK: What was sent before

  /// Whether it is not the PDU before, sent again. 4.5.9
  private mutating func isNew(
    _ index: Int, _ side: Int, _ first: UInt8, _ bytes: RawSpan, _ pdu: Range<Int>
  ) -> Bool {
    let digest = Self.digest(first, bytes, pdu)
    let (sn, last) = (first >> 3 & 1, air[index].sides[side])
    air[index].sides[side].nesn = first >> 2 & 1
    air[index].sides[side].sn = sn
    air[index].sides[side].digest = digest
    guard last.sn == sn else { return true }
    if last.digest == digest { return false }
    counts.air.missing += 1
    return true
  }

  /// FNV-1a of what a retransmission may not change: NESN and MD it may.
  static func digest(_ first: UInt8, _ bytes: RawSpan, _ pdu: Range<Int>) -> UInt64 {
    digest(bytes, pdu.dropFirst(), from: UInt64(first & 0x2B))
  }

  static func digest(_ bytes: RawSpan, _ range: Range<Int>, from start: UInt64 = 0) -> UInt64 {
    var digest: UInt64 = 0xCBF2_9CE4_8422_2325 ^ start
    for index in range {
      digest = (digest ^ UInt64(bytes.byte(at: index))) &* 0x100_0000_01B3
    }
    return digest
  }
}
