import HarkCore
import HarkDissection

// The iAP2 link: negotiation, sequence numbers, acknowledgements.
extension IAP2Follower {
  /// - Parameter range: The packet's range in the bytes of its direction.
  mutating func linkPacket(
    _ bytes: RawSpan, _ range: Range<Int>, _ index: Int, _ stream: StreamID,
    _ moment: PacketContext, _ tables: inout Tables, _ accessory: inout AccessoryFollower,
    _ messages: inout MessageFollower
  ) {
    guard let entry = entries.link else { return }
    states[index].isIAP2 = true
    let packet = IAP2LinkPacket(bytes, isCut: false)
    let payload = bytes.extracting(packet.payload)
    let type = packet.isData ? sessionType(packet.session, payload, index, moment, &tables) : nil
    if tables.wanted.completesPDUs {
      tables.complete(
        "iAP2 link packet", bytes, entry, inner: inner(type, payload, index, moment),
        packets: packets(of: range, index, moment))
    }
    if !packet.isIntact {
      // What it states about its message may be wrong, too.
      if type == .control { conceal(packets(of: range, index, moment), &tables) }
      tables.emit(
        .iap2(.wrongChecksum(.init(sequence: packet.sequence))), moment, severity: .warning)
    }
    if packet.control.contains(.acknowledgement) {
      acknowledge(packet.acknowledgement, index, moment, &tables)
      giveUp(
        acknowledged: packet.acknowledgement, index, stream, moment, &tables, &accessory, &messages)
    }
    if packet.control.contains(.synchronize) {
      flush(index, stream, moment, &tables, &accessory, &messages)
      synchronize(packet, index, moment, &tables)
    } else if packet.control.contains(.extendedAcknowledgement), payload.byteCount > 0 {
      tables.emit(.iap2(.wanted(.init(sequences: payload.array))), moment, severity: .warning)
    }
    if packet.control.contains(.reset) {
      reset(index, stream, moment, &tables, &accessory, &messages)
    }
    if packet.control.contains(.sleep) { tables.emit(.iap2(.sleep(.init())), moment) }
    guard packet.isData else { return }
    var content = FNV1a(seed: UInt64(packet.session))
    content.add(payload, 0..<payload.byteCount)
    guard isNext(packet.sequence, packet.isIntact ? content : nil, index, moment, &tables) else {
      if type == .control { concealRepeated(payload, packets(of: range, index, moment), &tables) }
      return
    }
    checkWindow(index, moment, &tables)
    checkLength(bytes.byteCount, packet.sequence, index, moment, &tables)
    if let type {
      var own = moment
      // This packet is whole.
      if type != .externalAccessory { own.cut = 0 }
      let parts = packets(of: range, index, moment)
      inOrder(
        payload, type, packet.sequence, parts, index, stream, own, &tables, &accessory, &messages)
    }
    arrived(packet.sequence, index, stream, moment, &tables, &accessory, &messages)
  }

  /// A link packet whose last `cut` bytes the recorder cut: its header counts.
  mutating func cutPacket(
    _ packet: IAP2LinkPacket, _ bytes: RawSpan, _ cut: Int, _ packets: [UInt32], _ index: Int,
    _ stream: StreamID, _ moment: PacketContext, _ tables: inout Tables,
    _ accessory: inout AccessoryFollower, _ messages: inout MessageFollower
  ) {
    states[index].isIAP2 = true
    if packet.control.contains(.acknowledgement) {
      acknowledge(packet.acknowledgement, index, moment, &tables)
      giveUp(
        acknowledged: packet.acknowledgement, index, stream, moment, &tables, &accessory, &messages)
    }
    tables.emit(
      .iap2(.cut(.init(sequence: packet.sequence, count: cut))), moment,
      frames: Event.Frames(packets, moment), severity: .warning)
    if packet.control.contains(.synchronize) {
      states[index].sides[moment.side].sequence = packet.sequence
    }
    guard packet.control.isDisjoint(with: [.synchronize, .extendedAcknowledgement]),
      isNext(packet.sequence, nil, index, moment, &tables)
    else { return }
    if let type = states[index].sessions[Int(packet.session)], type != .fileTransfer {
      var own = moment
      // The checksum is after the payload.
      own.cut = type == .externalAccessory ? max(0, cut - 1) : cut
      inOrder(
        bytes.extracting(packet.payload), type, packet.sequence, packets, index, stream, own,
        &tables, &accessory, &messages)
    }
    arrived(packet.sequence, index, stream, moment, &tables, &accessory, &messages)
  }

  /// The packets that contain a part of the direction's bytes.
  private func packets(of range: Range<Int>, _ index: Int, _ moment: PacketContext) -> [UInt32] {
    states[index].sides[moment.side].buffer.packets(of: range)
  }

  /// The type that a SYN declared for a session. Without a SYN in the capture, data that begins like a message of the
  /// control session is one, and data that begins with the identifier of an open session of External Accessory belongs
  /// to that.
  private mutating func sessionType(
    _ session: UInt8, _ payload: RawSpan, _ index: Int, _ moment: PacketContext,
    _ tables: inout Tables
  ) -> IAP2LinkPacket.SessionType? {
    if let type = states[index].sessions[Int(session)] { return type }
    if states[index].undeclared.insert(session).inserted {
      tables.emit(
        .iap2(
          .undeclaredSession(.init(identifier: session, isAfterReset: states[index].isReset))),
        moment, severity: .warning)
    }
    let isSeen = states[index].sides.contains { $0.parameters != nil }
    guard !isSeen else { return nil }
    let type: IAP2LinkPacket.SessionType
    if IAP2ControlMessage.length(of: payload) != nil {
      type = .control
    } else if let id = IAP2ExternalAccessoryData(payload).session,
      states[index].externalAccessories[id] != nil
    {
      type = .externalAccessory
    } else {
      return nil
    }
    states[index].sessions[Int(session)] = type
    return type
  }

  /// The reader of the payload, if it is exactly one message.
  private func inner(
    _ type: IAP2LinkPacket.SessionType?, _ payload: RawSpan, _ index: Int, _ moment: PacketContext
  ) -> Entry? {
    guard let type else { return nil }
    if type == .control {
      let message = states[index].sides[moment.side].message
      let isInOrder = states[index].sides[moment.side].early.isInOrder
      guard message.bytes.isEmpty || !isInOrder,
        IAP2ControlMessage.length(of: payload) == payload.byteCount
      else { return nil }
    }
    return entries[type]
  }

  // MARK: Negotiation

  private mutating func synchronize(
    _ packet: IAP2LinkPacket, _ index: Int, _ moment: PacketContext, _ tables: inout Tables
  ) {
    let side = moment.side
    let sequence = packet.sequence
    let isAnswer = packet.control.contains(.acknowledgement)
    guard let asked = packet.synchronization else { return }
    let isRepeated =
      states[index].sides[side].parameters != nil
      && states[index].sides[side].sequence == sequence
    guard !isRepeated else {
      return tables.emit(
        .iap2(.retransmitted(.init(sequence: sequence, hasOtherPayload: false))), moment,
        severity: .warning)
    }
    let parameters = IAP2LinkParameters(asked)
    states[index].sides[side].parameters = parameters
    states[index].sides[side].sequence = sequence
    states[index].sides[side].acknowledged = nil
    states[index].sides[side].windowFullAt = nil
    states[index].sides[side].stall = nil
    states[index].sides[side].holes = []
    states[index].sides[side].reused = nil
    states[index].sides[side].contents = [:]
    states[index].sides[side].hasExceededLength = false
    reportIncomplete(states[index].sides[side].message, moment, &tables)
    states[index].sides[side].message.removeAll()
    if !isAnswer {
      // Everything starts over, also for the other side.
      states[index].isReset = false
      states[index].lostAtBeginning = tables.counts.lost
      states[index].sessions = IAP2State.noSessions
      states[index].sides[1 - side].parameters = nil
      states[index].sides[1 - side].sequence = nil
    }
    for session in asked.sessions {
      states[index].sessions[Int(session.identifier)] = session.type
    }
    // The accessory begins.
    states[index].accessorySide = isAnswer ? 1 - side : side
    states[index].sideEvidence = .synchronization
    if isAnswer {
      states[index].questions.remove(.synchronization)
    } else {
      states[index].questions.insert(.synchronization)
    }
    tables.emit(.iap2(.synchronization(.init(parameters: parameters, isAnswer: isAnswer))), moment)
  }

  /// The link ends, and with it its sessions: each side has to synchronize again.
  private mutating func reset(
    _ index: Int, _ stream: StreamID, _ moment: PacketContext, _ tables: inout Tables,
    _ accessory: inout AccessoryFollower, _ messages: inout MessageFollower
  ) {
    flush(index, stream, moment, &tables, &accessory, &messages)
    tables.emit(.iap2(.reset(.init())), moment, severity: .warning)
    endSessions(index, moment, &tables, &accessory, &messages)
    for side in 0...1 {
      reportIncomplete(states[index].sides[side].message, moment, &tables)
      states[index].sides[side].message.removeAll()
      states[index].sides[side].sequence = nil
      states[index].sides[side].acknowledged = nil
      states[index].sides[side].parameters = nil
      states[index].sides[side].holes = []
      states[index].sides[side].reused = nil
      states[index].sides[side].contents = [:]
      states[index].sides[side].windowFullAt = nil
      states[index].sides[side].stall = nil
    }
  }

  /// The longest time with a full window that is not reported, and within which a sender with data continues; in
  /// nanoseconds.
  private static var waitLimit: Int64 { 1_000_000_000 }
  private static var haste: Int64 { 100_000_000 }

  /// The receiver acknowledged something.
  mutating func endStall(
    _ side: Int, _ index: Int, _ moment: PacketContext, _ tables: borrowing Tables
  ) {
    guard let since = states[index].sides[side].windowFullAt,
      let outstanding = states[index].sides[side].outstanding,
      let allowed = states[index].sides[1 - side].parameters?.maxOutstanding,
      outstanding < Int(allowed)
    else { return }
    states[index].sides[side].windowFullAt = nil
    guard let waited = tables.counts.elapsed(since: since, moment), waited >= Self.waitLimit
    else { return }
    states[index].sides[side].stall = (waited, PacketTime(moment))
  }

  /// A side sent new data: if it did so at once, it had been waiting for the window.
  private mutating func reportStall(
    _ allowed: UInt8, _ index: Int, _ moment: PacketContext, _ tables: inout Tables
  ) {
    guard let stall = states[index].sides[moment.side].stall else { return }
    states[index].sides[moment.side].stall = nil
    guard let since = tables.counts.elapsed(since: stall.ended, moment), since <= Self.haste
    else { return }
    tables.emit(
      .iap2(.windowStalled(.init(allowed: Int(allowed), nanoseconds: stall.nanoseconds))), moment,
      severity: .warning)
  }

  private mutating func checkWindow(_ index: Int, _ moment: PacketContext, _ tables: inout Tables) {
    let side = moment.side
    guard let outstanding = states[index].sides[side].outstanding,
      let allowed = states[index].sides[1 - side].parameters?.maxOutstanding
    else { return }
    reportStall(allowed, index, moment, &tables)
    if outstanding >= Int(allowed), states[index].sides[side].windowFullAt == nil {
      states[index].sides[side].windowFullAt = PacketTime(moment)
    }
    let isExceeded = outstanding > Int(allowed)
    if isExceeded, !states[index].sides[side].isWindowExceeded {
      tables.emit(
        .iap2(.windowExceeded(.init(outstanding: outstanding, allowed: Int(allowed)))), moment,
        severity: .warning)
    }
    states[index].sides[side].isWindowExceeded = isExceeded
  }

  /// Reports the first packet since the SYN that is longer than the receiver allows.
  private mutating func checkLength(
    _ length: Int, _ sequence: UInt8, _ index: Int, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    guard let allowed = states[index].sides[1 - moment.side].parameters?.maxLength,
      length > Int(allowed), !states[index].sides[moment.side].hasExceededLength
    else { return }
    states[index].sides[moment.side].hasExceededLength = true
    tables.emit(
      .iap2(
        .packetTooLong(.init(sequence: sequence, length: length, allowed: Int(allowed)))), moment,
      severity: .warning)
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
