import HarkCore
import HarkDissection

// The link of iAP2: negotiation, sequence numbers, acknowledgements.
extension Session {
  /// - Parameter range: Where the packet is in the bytes of its direction.
  mutating func linkPacket(
    _ packet: RawSpan, _ range: Range<Int>, _ index: Int, _ stream: StreamID, _ moment: Moment
  ) {
    guard let entry = iap2Entries.link else { return }
    iap2States[index].isIAP2 = true
    let facts = catalog.summarize(packet, entry, Context())
    let control = UInt8(truncatingIfNeeded: facts.code)
    let sequence = UInt8(truncatingIfNeeded: facts.subcode >> 8)
    let payload = packet.extracting(facts.payload)
    let isData = control & 0xA0 == 0 && payload.byteCount > 0
    let type = isData ? sessionType(facts.request, payload, index, moment) : nil
    if keepsFields {
      complete(
        "iAP2 link packet", packet, entry, inner: inner(type, payload, index, moment),
        packets: packets(of: range, index, moment))
    }
    if !isIntact(packet) {
      // What it says of its message may be wrong too.
      if type == 0 { conceal(packets(of: range, index, moment)) }
      emit(.iap2(.wrongChecksum(.init(sequence: sequence))), moment, severity: .warning)
    }
    if control & 0x40 != 0 {
      acknowledge(UInt8(truncatingIfNeeded: facts.subcode), index, moment)
    }
    if control & 0x80 != 0 {
      synchronize(packet, facts, index, moment)
    } else if control & 0x20 != 0, payload.byteCount > 0 {
      emit(.iap2(.wanted(.init(sequences: payload.array))), moment, severity: .warning)
    }
    if control & 0x10 != 0 { reset(index, moment) }
    if control & 0x08 != 0 { emit(.iap2(.sleep(.init())), moment) }
    guard isData else { return }
    guard isNext(sequence, index, moment) else {
      if type == 0 { concealRepeated(payload, packets(of: range, index, moment)) }
      return
    }
    checkWindow(index, moment)
    switch type {
    case 0: controlData(payload, packets(of: range, index, moment), index, stream, moment)
    case 1: fileData(payload, index, moment)
    case 2:
      let parts = packets(of: range, index, moment)
      externalAccessoryData(payload, packets: parts, index, stream, moment)
    default: break
    }
  }

  /// A link packet of which the recorder did not keep the last `cut` bytes: its header counts.
  mutating func cutPacket(
    _ packet: RawSpan, _ cut: Int, _ packets: [UInt32], _ index: Int, _ stream: StreamID,
    _ moment: Moment
  ) {
    iap2States[index].isIAP2 = true
    let control = packet.byte(at: 4)
    let sequence = packet.byte(at: 5)
    if control & 0x40 != 0 { acknowledge(packet.byte(at: 6), index, moment) }
    emit(
      .iap2(.cut(.init(sequence: sequence, count: cut))), moment,
      frames: Event.Frames(packets, moment), severity: .warning)
    if control & 0x80 != 0 { iap2States[index].sides[moment.side].sequence = sequence }
    guard control & 0xA0 == 0, isNext(sequence, index, moment) else { return }
    switch iap2States[index].sessions[Int(packet.byte(at: 7))] {
    case 0:
      tellIncomplete(iap2States[index].sides[moment.side].message, moment)
      iap2States[index].sides[moment.side].message.removeAll()
    case 2:
      // The checksum is behind the payload.
      var moment = moment
      moment.cut = max(0, cut - 1)
      externalAccessoryData(
        packet.extracting(9..<packet.byteCount), packets: packets, index, stream, moment)
    default: break
    }
  }

  /// The packets that hold a part of the direction's bytes.
  private func packets(of range: Range<Int>, _ index: Int, _ moment: Moment) -> [UInt32] {
    iap2States[index].sides[moment.side].buffer.packets(of: range)
  }

  /// What a SYN declared a session to be. Where the capture has none, what begins like a message of
  /// the control session is one.
  private mutating func sessionType(
    _ session: UInt8, _ payload: RawSpan, _ index: Int, _ moment: Moment
  ) -> UInt8? {
    if let type = iap2States[index].sessions[Int(session)] { return type }
    if iap2States[index].undeclared.insert(session).inserted {
      emit(.iap2(.undeclaredSession(.init(identifier: session))), moment, severity: .warning)
    }
    let isSeen = iap2States[index].sides.contains { $0.parameters != nil }
    guard !isSeen, Self.messageLength(payload) != nil else { return nil }
    iap2States[index].sessions[Int(session)] = 0
    return 0
  }

  /// Who reads the payload, where it is one whole message.
  private func inner(
    _ type: UInt8?, _ payload: RawSpan, _ index: Int, _ moment: Moment
  ) -> Entry? {
    guard let type, type < 3 else { return nil }
    if type == 0 {
      let message = iap2States[index].sides[moment.side].message
      guard message.bytes.isEmpty, Self.messageLength(payload) == payload.byteCount else {
        return nil
      }
    }
    return iap2Entries.sessions[Int(type)]
  }

  private func isIntact(_ packet: RawSpan) -> Bool {
    var sum: UInt8 = 0
    for index in 9..<max(9, packet.byteCount) { sum &+= packet.byte(at: index) }
    return sum == 0
  }

  // MARK: Negotiation

  private mutating func synchronize(
    _ packet: RawSpan, _ facts: Facts, _ index: Int, _ moment: Moment
  ) {
    let side = moment.side
    let sequence = UInt8(truncatingIfNeeded: facts.subcode >> 8)
    let isAnswer = facts.code & 0x40 != 0
    guard !facts.isMalformed, facts.payloadCount >= 10 else { return }
    let isRepeated =
      iap2States[index].sides[side].parameters != nil
      && iap2States[index].sides[side].sequence == sequence
    guard !isRepeated else {
      return emit(.iap2(.retransmitted(.init(sequence: sequence))), moment, severity: .warning)
    }
    let parameters = Self.parameters(packet.extracting(facts.payload))
    iap2States[index].sides[side].parameters = parameters
    iap2States[index].sides[side].sequence = sequence
    iap2States[index].sides[side].acknowledged = nil
    iap2States[index].sides[side].windowFullAt = nil
    iap2States[index].sides[side].stall = nil
    iap2States[index].sides[side].holes = []
    tellIncomplete(iap2States[index].sides[side].message, moment)
    iap2States[index].sides[side].message.removeAll()
    if !isAnswer {
      // Everything begins anew, also for the other side.
      iap2States[index].sessions = [UInt8?](repeating: nil, count: 256)
      iap2States[index].sides[1 - side].parameters = nil
      iap2States[index].sides[1 - side].sequence = nil
    }
    for session in parameters.sessions {
      iap2States[index].sessions[Int(session.identifier)] = session.type
    }
    // The accessory begins.
    iap2States[index].accessorySide = isAnswer ? 1 - side : side
    if isAnswer {
      iap2States[index].questions.remove(.synchronization)
    } else {
      iap2States[index].questions.insert(.synchronization)
    }
    emit(.iap2(.synchronization(.init(parameters: parameters, isAnswer: isAnswer))), moment)
  }

  private static func parameters(_ payload: RawSpan) -> IAP2LinkParameters {
    func number(_ offset: Int) -> UInt16 {
      UInt16(payload.byte(at: offset)) << 8 | UInt16(payload.byte(at: offset + 1))
    }
    let sessions = stride(from: 10, to: payload.byteCount - 2, by: 3).map {
      IAP2LinkParameters.Session(
        identifier: payload.byte(at: $0), type: payload.byte(at: $0 + 1),
        version: payload.byte(at: $0 + 2))
    }
    return IAP2LinkParameters(
      maxOutstanding: payload.byte(at: 1), maxLength: number(2), retransmissionTimeout: number(4),
      acknowledgementTimeout: number(6), maxRetransmissions: payload.byte(at: 8),
      maxAcknowledgements: payload.byte(at: 9), sessions: sessions)
  }

  private mutating func reset(_ index: Int, _ moment: Moment) {
    emit(.iap2(.reset(.init())), moment, severity: .warning)
    for side in 0...1 {
      iap2States[index].sides[side].sequence = nil
      iap2States[index].sides[side].acknowledged = nil
      iap2States[index].sides[side].parameters = nil
      iap2States[index].sides[side].holes = []
      iap2States[index].sides[side].windowFullAt = nil
      iap2States[index].sides[side].stall = nil
    }
  }

  // MARK: Sequence numbers

  /// Whether a payload is new. Tells of those sent again, and of those missing.
  private mutating func isNext(_ sequence: UInt8, _ index: Int, _ moment: Moment) -> Bool {
    let side = moment.side
    guard let last = iap2States[index].sides[side].sequence else {
      iap2States[index].sides[side].sequence = sequence
      return true
    }
    let ahead = sequence &- (last &+ 1)
    guard ahead < 128 else {
      emit(.iap2(.retransmitted(.init(sequence: sequence))), moment, severity: .warning)
      return iap2States[index].sides[side].holes.remove(sequence) != nil
    }
    iap2States[index].sides[side].sequence = sequence
    if !iap2States[index].sides[side].holes.isEmpty {
      iap2States[index].sides[side].holes = iap2States[index].sides[side].holes.filter {
        sequence &- $0 < 128
      }
    }
    let isCut = iap2States[index].sides[side].isCut
    iap2States[index].sides[side].isCut = false
    if ahead > 0, isCut {
      tellIncomplete(iap2States[index].sides[side].message, moment)
      iap2States[index].sides[side].message.removeAll()
    } else if ahead > 0 {
      for hole in 0..<ahead { iap2States[index].sides[side].holes.insert(last &+ 1 &+ hole) }
      tellIncomplete(iap2States[index].sides[side].message, moment)
      iap2States[index].sides[side].message.removeAll()
      emit(
        .iap2(.missing(.init(first: last &+ 1, count: Int(ahead)))), moment, severity: .warning)
    }
    return true
  }

  /// `number` is that of the last packet which the sender of this one has.
  private mutating func acknowledge(_ number: UInt8, _ index: Int, _ moment: Moment) {
    let side = 1 - moment.side
    // Of a SYN that is not in the capture.
    guard iap2States[index].sides[side].sequence != nil else { return }
    iap2States[index].sides[side].acknowledged = number
    endStall(side, index, moment)
  }

  /// The longest time with a full window that is nothing to tell of, and within which a sender goes on
  /// that had something to send; in nanoseconds.
  private static var patience: Int64 { 1_000_000_000 }
  private static var haste: Int64 { 100_000_000 }

  /// The receiver acknowledged something.
  private mutating func endStall(_ side: Int, _ index: Int, _ moment: Moment) {
    guard let since = iap2States[index].sides[side].windowFullAt,
      let outstanding = iap2States[index].sides[side].outstanding,
      let allowed = iap2States[index].sides[1 - side].parameters?.maxOutstanding,
      outstanding < Int(allowed)
    else { return }
    iap2States[index].sides[side].windowFullAt = nil
    let waited = moment.time.since(since)
    guard waited >= Self.patience else { return }
    iap2States[index].sides[side].stall = (waited, moment.time)
  }

  /// A side sent something new: it had waited for the window where it does so at once.
  private mutating func tellStall(_ allowed: UInt8, _ index: Int, _ moment: Moment) {
    guard let stall = iap2States[index].sides[moment.side].stall else { return }
    iap2States[index].sides[moment.side].stall = nil
    guard moment.time.since(stall.ended) <= Self.haste else { return }
    emit(
      .iap2(.windowStalled(.init(allowed: Int(allowed), nanoseconds: stall.nanoseconds))), moment,
      severity: .warning)
  }

  private mutating func checkWindow(_ index: Int, _ moment: Moment) {
    let side = moment.side
    guard let outstanding = iap2States[index].sides[side].outstanding,
      let allowed = iap2States[index].sides[1 - side].parameters?.maxOutstanding
    else { return }
    tellStall(allowed, index, moment)
    if outstanding >= Int(allowed), iap2States[index].sides[side].windowFullAt == nil {
      iap2States[index].sides[side].windowFullAt = moment.time
    }
    let isExceeded = outstanding > Int(allowed)
    if isExceeded, !iap2States[index].sides[side].isWindowExceeded {
      emit(
        .iap2(.windowExceeded(.init(outstanding: outstanding, allowed: Int(allowed)))), moment,
        severity: .warning)
    }
    iap2States[index].sides[side].isWindowExceeded = isExceeded
  }
}
