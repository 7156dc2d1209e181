import HarkCore
import HarkDissection

// The link of iAP2: negotiation, sequence numbers, acknowledgements.
extension Session {
  /// - Parameter range: Where the packet is in the bytes of its direction.
  mutating func linkPacket(
    _ bytes: RawSpan, _ range: Range<Int>, _ index: Int, _ stream: StreamID, _ moment: PacketContext
  ) {
    guard let entry = iap2Entries.link else { return }
    iap2States[index].isIAP2 = true
    let packet = IAP2LinkPacket(bytes, isCut: false)
    let payload = bytes.extracting(packet.payload)
    let type = packet.isData ? sessionType(packet.session, payload, index, moment) : nil
    if keepsFields {
      complete(
        "iAP2 link packet", bytes, entry, inner: inner(type, payload, index, moment),
        packets: packets(of: range, index, moment))
    }
    if !packet.isIntact {
      // What it says of its message may be wrong too.
      if type == .control { conceal(packets(of: range, index, moment)) }
      emit(.iap2(.wrongChecksum(.init(sequence: packet.sequence))), moment, severity: .warning)
    }
    if packet.control.contains(.acknowledgement) {
      acknowledge(packet.acknowledgement, index, moment)
    }
    if packet.control.contains(.synchronize) {
      synchronize(packet, index, moment)
    } else if packet.control.contains(.extendedAcknowledgement), payload.byteCount > 0 {
      emit(.iap2(.wanted(.init(sequences: payload.array))), moment, severity: .warning)
    }
    if packet.control.contains(.reset) { reset(index, moment) }
    if packet.control.contains(.sleep) { emit(.iap2(.sleep(.init())), moment) }
    guard packet.isData else { return }
    guard isNext(packet.sequence, index, moment) else {
      if type == .control { concealRepeated(payload, packets(of: range, index, moment)) }
      return
    }
    checkWindow(index, moment)
    switch type {
    case .control: controlData(payload, packets(of: range, index, moment), index, stream, moment)
    case .fileTransfer: fileData(payload, index, moment)
    case .externalAccessory:
      let parts = packets(of: range, index, moment)
      externalAccessoryData(payload, packets: parts, index, stream, moment)
    default: break
    }
  }

  /// A link packet of which the recorder did not keep the last `cut` bytes: its header counts.
  mutating func cutPacket(
    _ packet: IAP2LinkPacket, _ bytes: RawSpan, _ cut: Int, _ packets: [UInt32], _ index: Int,
    _ stream: StreamID, _ moment: PacketContext
  ) {
    iap2States[index].isIAP2 = true
    if packet.control.contains(.acknowledgement) {
      acknowledge(packet.acknowledgement, index, moment)
    }
    emit(
      .iap2(.cut(.init(sequence: packet.sequence, count: cut))), moment,
      frames: Event.Frames(packets, moment), severity: .warning)
    if packet.control.contains(.synchronize) {
      iap2States[index].sides[moment.side].sequence = packet.sequence
    }
    guard packet.control.isDisjoint(with: [.synchronize, .extendedAcknowledgement]),
      isNext(packet.sequence, index, moment)
    else { return }
    switch iap2States[index].sessions[Int(packet.session)] {
    case .control:
      tellIncomplete(iap2States[index].sides[moment.side].message, moment)
      iap2States[index].sides[moment.side].message.removeAll()
    case .externalAccessory:
      // The checksum is after the payload.
      var moment = moment
      moment.cut = max(0, cut - 1)
      externalAccessoryData(
        bytes.extracting(packet.payload), packets: packets, index, stream, moment)
    default: break
    }
  }

  /// The packets that hold a part of the direction's bytes.
  private func packets(of range: Range<Int>, _ index: Int, _ moment: PacketContext) -> [UInt32] {
    iap2States[index].sides[moment.side].buffer.packets(of: range)
  }

  /// What a SYN declared a session to be. Where the capture has none, what begins like a message of
  /// the control session is one.
  private mutating func sessionType(
    _ session: UInt8, _ payload: RawSpan, _ index: Int, _ moment: PacketContext
  ) -> IAP2LinkPacket.SessionType? {
    if let type = iap2States[index].sessions[Int(session)] { return type }
    if iap2States[index].undeclared.insert(session).inserted {
      emit(.iap2(.undeclaredSession(.init(identifier: session))), moment, severity: .warning)
    }
    let isSeen = iap2States[index].sides.contains { $0.parameters != nil }
    guard !isSeen, IAP2ControlMessage.length(of: payload) != nil else { return nil }
    iap2States[index].sessions[Int(session)] = .control
    return .control
  }

  /// Who reads the payload, where it is one whole message.
  private func inner(
    _ type: IAP2LinkPacket.SessionType?, _ payload: RawSpan, _ index: Int, _ moment: PacketContext
  ) -> Entry? {
    guard let type else { return nil }
    if type == .control {
      let message = iap2States[index].sides[moment.side].message
      guard message.bytes.isEmpty, IAP2ControlMessage.length(of: payload) == payload.byteCount
      else { return nil }
    }
    return iap2Entries[type]
  }

  // MARK: Negotiation

  private mutating func synchronize(
    _ packet: IAP2LinkPacket, _ index: Int, _ moment: PacketContext
  ) {
    let side = moment.side
    let sequence = packet.sequence
    let isAnswer = packet.control.contains(.acknowledgement)
    guard let asked = packet.synchronization else { return }
    let isRepeated =
      iap2States[index].sides[side].parameters != nil
      && iap2States[index].sides[side].sequence == sequence
    guard !isRepeated else {
      return emit(.iap2(.retransmitted(.init(sequence: sequence))), moment, severity: .warning)
    }
    let parameters = IAP2LinkParameters(asked)
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
      iap2States[index].sessions = IAP2State.noSessions
      iap2States[index].sides[1 - side].parameters = nil
      iap2States[index].sides[1 - side].sequence = nil
    }
    for session in asked.sessions {
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

  private mutating func reset(_ index: Int, _ moment: PacketContext) {
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
  private mutating func isNext(_ sequence: UInt8, _ index: Int, _ moment: PacketContext) -> Bool {
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
  private mutating func acknowledge(_ number: UInt8, _ index: Int, _ moment: PacketContext) {
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
  private mutating func endStall(_ side: Int, _ index: Int, _ moment: PacketContext) {
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
  private mutating func tellStall(_ allowed: UInt8, _ index: Int, _ moment: PacketContext) {
    guard let stall = iap2States[index].sides[moment.side].stall else { return }
    iap2States[index].sides[moment.side].stall = nil
    guard moment.time.since(stall.ended) <= Self.haste else { return }
    emit(
      .iap2(.windowStalled(.init(allowed: Int(allowed), nanoseconds: stall.nanoseconds))), moment,
      severity: .warning)
  }

  private mutating func checkWindow(_ index: Int, _ moment: PacketContext) {
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

extension IAP2LinkParameters {
  fileprivate init(_ asked: IAP2LinkPacket.Synchronization) {
    self.init(
      maxOutstanding: asked.maxOutstanding, maxLength: asked.maxLength,
      retransmissionTimeout: asked.retransmissionTimeout,
      acknowledgementTimeout: asked.acknowledgementTimeout,
      maxRetransmissions: asked.maxRetransmissions,
      maxAcknowledgements: asked.maxAcknowledgements,
      sessions: asked.sessions.map {
        Session(identifier: $0.identifier, type: $0.type.rawValue, version: $0.version)
      })
  }
}
