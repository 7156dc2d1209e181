import HarkCore
import HarkDissection

// PDUs of connections received over the air: retransmissions and content. Core Specification, Vol 6, Part B, 4.5.
extension AirFollower {
  mutating func connection(
    _ index: Int, _ bytes: RawSpan, _ kind: PacketKind, _ header: AirHeader,
    _ moment: inout PacketContext, _ tables: inout Tables, _ traffic: inout TrafficFollower
  ) {
    let link = state[index].link
    moment.link = link
    var context = LinkLayerContext()
    context.channel = .data
    context.crcInit = state[index].crcInit
    context.isEncrypted = state[index].encryption.isOn
    // The CRC is still that of the packet as sent.
    context.isDecrypted = state[index].encryption.isOpenedElsewhere
    let known = prepare(bytes, header, context, moment, &tables)
    let pdu = LLDataPDU(bytes, known ?? header.pdu(bytes, tables.record.linkLayer))
    let side = sender(index, bytes, pdu, header, isSound: known != nil, moment, &tables)
    moment.direction = side == 0 ? .hostToController : .controllerToHost
    moment.isSenderGuessed = state[index].clues.isGuess
    tables.record.row.flags.remove(.directionUnknown)
    if side == 1 { tables.record.row.flags.insert(.received) }
    let isInferred = header.direction != moment.direction
    if isInferred { tables.record.row.flags.insert(.directionInferred) }
    let time = AirTime(moment, header, tables)
    let isFirst = !isSameEvent(index, header, time)
    if side == 0, isFirst { state[index].anchor = time }
    state[index].goOn(
      at: time, header.channel, lasting: known.flatMap { header.airTime($0.count) })
    state[index].lastSide = side
    guard known != nil else { return }
    count(index, header, at: time, side, isFirst: isFirst, moment, &tables)
    guard isNew(index, side, pdu, Self.digest(bytes, pdu), &tables) else {
      tables.counts.air.retransmissions += 1
      tables.record.linkLayer.isRetransmission = true
      clearAgain(index, side, bytes, pdu, &tables)
      return
    }
    guard !pdu.payload.isEmpty, !state[index].isClosed else { return }
    let llid = pdu.header.llid
    startUnheard(index, pdu, bytes, &tables)
    if tables.record.linkLayer.isEncrypted, pdu.payload.count > 4 {
      if LinkLayerPlaintext.isShape(of: bytes, pdu.payload, llid: llid) {
        if llid == .start { openedElsewhere(index, &tables) }
      } else if restarts(index, pdu, bytes) {
        tables.record.linkLayer.isEncrypted = false
      } else {
        return encrypted(index, pdu, bytes, isInferred, &moment, &tables, &traffic)
      }
    } else if state[index].encryption.isOpenedElsewhere, pdu.payload.count > 4, llid == .start,
      L2CAPBeginning(bytes, pdu.payload).channel == .reserved
    {
      // What the sniffer could not decrypt stays as it was sent.
      tables.record.linkLayer.isEncrypted = true
      return encrypted(index, pdu, bytes, isInferred, &moment, &tables, &traffic)
    }
    guard llid == .control else {
      countPieces(index, side, pdu, bytes)
      let facts = tables.facts(bytes, kind, moment)
      Self.countCut(of: pdu, bytes, &moment)
      return traffic.pieces(bytes, .record(kind), facts, link, moment, &tables)
    }
    let message = LLControlPDU(bytes.extracting(pdu.payload), isCut: moment.isTruncated)
    // LL_START_ENC_RSP is never sent in the clear. 5.1.3.1
    if tables.record.linkLayer.isEncrypted, message.opcode == .startEncRsp {
      openedElsewhere(index, &tables)
    }
    let facts = tables.facts(bytes, kind, moment)
    tables.malformed(facts, moment)
    guard !facts.isMalformed else { return }
    control(index, message, side, moment, &tables, &traffic)
  }

  /// The start of encryption was not received: the capture began later, or the sniffer missed it.
  private mutating func startUnheard(
    _ index: Int, _ pdu: LLDataPDU, _ bytes: RawSpan, _ tables: inout Tables
  ) {
    // A sniffer that decrypts marks this in its header.
    guard !tables.record.linkLayer.isEncrypted, !tables.record.linkLayer.isDecrypted else { return }
    if state[index].encryption.startUnheard(
      pdu.header.llid, count: pdu.payload.count,
      isStrange: L2CAPBeginning(bytes, pdu.payload).channel == .reserved)
    {
      tables.record.linkLayer.isEncrypted = true
    }
  }

  /// From now on, only what the recorder cut of the PDU counts, not what it cut of the CRC.
  static func countCut(of pdu: LLDataPDU, _ bytes: RawSpan, _ moment: inout PacketContext) {
    guard moment.isTruncated else { return }
    moment.cut = max(0, pdu.range.upperBound - bytes.byteCount)
  }

  private mutating func openedElsewhere(_ index: Int, _ tables: inout Tables) {
    state[index].encryption.openElsewhere()
    tables.record.linkLayer.isEncrypted = false
  }

  /// Session.Counts what is missing of the side's L2CAP PDU. Vol 3, Part A, 7.2.1
  private mutating func countPieces(
    _ index: Int, _ side: Int, _ pdu: LLDataPDU, _ bytes: RawSpan
  ) {
    switch pdu.header.llid {
    case .continuation:
      let lacking = state[index].sides[side].lacking
      state[index].sides[side].lacking = max(0, lacking - pdu.payload.count)
    case .start:
      guard let size = L2CAPBeginning(bytes, pdu.payload).size else { return }
      state[index].sides[side].lacking = max(0, size - pdu.payload.count)
    case .control, .reserved: break
    }
  }

  // MARK: What was sent before

  /// Whether it is not a retransmission of the side's previous PDU, according to the sequence numbers of both sides.
  private mutating func isNew(
    _ index: Int, _ side: Int, _ pdu: LLDataPDU, _ digest: UInt64, _ tables: inout Tables
  ) -> Bool {
    state[index].before = (state[index].sides[side], state[index].sides[1 - side].sequence)
    // All Empty PDUs are alike, and of two numbers.
    let isUnprovable = pdu.range.count == Self.emptySize && isFar(index, side, tables)
    state[index].sides[side].last = (state[index].events.count, state[index].elapsed)
    let isNew = countingMissing(index, &tables) { connection in
      connection.sides[1 - side].sequence.acknowledge(pdu.header.nesn)
      return connection.sides[side].sequence.send(
        pdu.header, digest, isUnprovable: isUnprovable)
    }
    if isNew { state[index].sides[side].plaintext = nil }
    return isNew
  }

  /// The header of an Empty PDU. 2.4
  private static let emptySize = 2
  /// The longest connection interval, in nanoseconds. 4.5.1
  private static let longestInterval: Int64 = 4_000_000_000

  /// Whether connection events passed in which the side sent something that was not captured. A Peripheral may skip as
  /// many events as the latency says.
  private func isFar(_ index: Int, _ side: Int, _ tables: borrowing Tables) -> Bool {
    guard let last = state[index].sides[side].last else { return false }
    guard let count = state[index].events.count, let before = last.count else {
      return state[index].elapsed - last.elapsed > Self.longestInterval
    }
    let latency = side == 1 ? Int(tables.links[state[index].link].latency) : 0
    return Int(count &- before) > latency + 1
  }

  /// Changes what is known about the sequence numbers of a connection, and counts the packets that are missing by them.
  private mutating func countingMissing<Result>(
    _ index: Int, _ tables: inout Tables, _ change: (inout AirConnection) -> Result
  ) -> Result {
    let known = state[index].missing
    defer {
      tables.counts.air.missing += state[index].missing - known
      if state[index].missing > known { state[index].events.miss() }
    }
    return change(&state[index])
  }

  /// Corrects who sent the packet that is being read.
  mutating func turn(
    _ index: Int, _ bytes: RawSpan, _ pdu: LLDataPDU, _ moment: inout PacketContext,
    _ tables: inout Tables
  ) {
    let wrong = moment.side
    moment.direction = moment.direction.opposite
    let side = moment.side
    state[index].lastSide = side
    if side == 1 {
      tables.record.row.flags.insert(.received)
    } else {
      tables.record.row.flags.remove(.received)
    }
    countingMissing(index, &tables) { connection in
      connection.sides[wrong] = connection.before.sender
      connection.sides[side].sequence = connection.before.other
    }
    _ = isNew(index, side, pdu, Self.digest(bytes, pdu), &tables)
  }

  /// Of everything that a retransmission may not change.
  static func digest(_ bytes: RawSpan, _ pdu: LLDataPDU) -> UInt64 {
    digest(bytes, pdu.range.dropFirst(), from: UInt64(pdu.header.unchanging))
  }

  static func digest(_ bytes: RawSpan, _ range: Range<Int>, from start: UInt64 = 0) -> UInt64 {
    var digest = FNV1a(seed: start)
    digest.add(bytes, range)
    return digest.value
  }
}
