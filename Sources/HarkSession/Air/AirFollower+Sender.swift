import HarkCore
import HarkCrypto
import HarkDissection

// The sender of a packet of a connection. If the sniffer does not record it, the packet's content counts more than
// its time, because times may be made up. Core Specification, Vol 6, Part B, 2.4.2 and 4.5.
extension AirFollower {
  /// 0 for the Central, 1 for the Peripheral.
  mutating func sender(
    _ index: Int, _ bytes: RawSpan, _ pdu: LLDataPDU, _ header: AirHeader, isSound: Bool,
    _ moment: PacketContext, _ tables: inout Tables
  ) -> Int {
    state[index].clues.isGuess = false
    let time = AirTime(moment, header, tables)
    if let direction = header.direction {
      let stated = Int(direction.rawValue)
      return isSound ? believed(index, stated, pdu.header, header, time) : stated
    }
    let isSameEvent = isSameEvent(index, header, time)
    if !isSameEvent { state[index].clues.isLastByNumbers = false }
    // Packets follow each other: if all have the same time, times were not recorded.
    if isSameEvent, moment.time != tables.counts.firstTime || time.since(state[index].lastTime) != 0
    {
      state[index].clues.hasEvents = true
    }
    let digest = Self.digest(bytes, pdu)
    if isSound { state[index].clues.note(pdu.header) }
    guard isSound, !tables.record.linkLayer.isEncrypted, !pdu.payload.isEmpty else {
      // No other PDU has the same MIC.
      if isSound, pdu.payload.count > 4,
        let sender = repeating(
          index, pdu.header, digest, isUnique: true, isSameEvent: isSameEvent)
      {
        return sender
      }
      return unread(
        index, pdu.header, digest, time, isSameEvent: isSameEvent, isSound: isSound, &tables)
    }
    let content = AirContent(bytes, pdu)
    let side: Int
    if let sender = repeating(
      index, pdu.header, digest, isUnique: isUnique(index, content, bytes, pdu),
      isSameEvent: isSameEvent)
    {
      // If the recorder wrote it twice, its time and number are no clues.
      side = sender
    } else if let certain = certain(index, content, tables) {
      side = certain
      // An answer to a side that is only a guess is no more certain.
      state[index].clues.isGuess = isGuessed(index, content, certain, tables)
      if !state[index].clues.isGuess {
        judgeClues(index, pdu.header, isSameEvent: isSameEvent, certain)
      }
    } else if state[index].clues.hasTimes {
      side = timed(
        index, pdu.header, digest, time, isSameEvent: isSameEvent, isSound: true,
        usual: isFromServer(index, content), tables)
    } else if let numbered = state[index].clues.sender(pdu.header) {
      side = numbered
    } else {
      side = usual(index, content, tables)
      // The first packet of a connection is the Central's. 4.5.1
      let isFirst =
        state[index].lastSide == nil && tables.links[state[index].link].certainty == .seen
      state[index].clues.isGuess = side == 1 || !isFirst
    }
    noteContent(index, side, content)
    return side
  }

  /// The side that the sniffer states, unless time and sequence numbers contradict it: the packet begins T_IFS after
  /// the end of one that is said to be from the same side, and its numbers are those of the other side. Within a
  /// connection event, the sides take turns. 4.1.1, 4.5.1, 4.5.9
  private mutating func believed(
    _ index: Int, _ stated: Int, _ numbers: LLDataHeader, _ header: AirHeader, _ time: AirTime
  ) -> Int {
    state[index].clues.note(numbers)
    if stated == state[index].lastSide, state[index].clues.sender(numbers) == 1 - stated,
      header.channel == state[index].lastChannel, let duration = state[index].lastDuration,
      let passed = time.since(state[index].lastTime), Self.answerTimes.contains(passed - duration)
    {
      return 1 - stated
    }
    state[index].clues.note(numbers, stated: stated)
    return stated
  }

  /// T_IFS in nanoseconds, as sniffers measure it.
  private static let answerTimes: ClosedRange<Int64> = 140_000...160_000

  // MARK: What it says

  /// The only side that can have sent a PDU, according to its own code or to the PDU that it answers or continues.
  private func certain(
    _ index: Int, _ content: AirContent, _ tables: borrowing Tables
  ) -> Int? {
    if let sender = content.sender { return sender }
    switch content {
    case .continuation: return continuing(index)
    case .attribute(let message): return answering(index, message, tables)
    // A response comes from the side that received the request.
    case .signaling(let code, let identifier):
      return asked(index, code, identifier, tables).map { 1 - Int($0.direction.rawValue) }
    case .control(let control):
      guard let opcode = control.opcode else { return nil }
      // A PDU that looks like the other side's may also be a retransmission by the same side, and a request that
      // LL_REJECT_IND answers may not have been received.
      if opcode.isEcho || opcode == .rejectInd, state[index].clues.hasTimes { return nil }
      return state[index].requests.sender(of: control, at: state[index].elapsed)
    case .security, .other: return nil
    }
  }

  private func isGuessed(
    _ index: Int, _ content: AirContent, _ sender: Int, _ tables: borrowing Tables
  ) -> Bool {
    guard content.sender == nil else { return false }
    switch content {
    case .signaling(let code, let identifier):
      return asked(index, code, identifier, tables).map { !$0.isDirected } ?? false
    case .control: return state[index].requests.isGuess(of: 1 - sender)
    default: return false
    }
  }

  /// The side whose last PDU was the same, with the same number: it was sent again, or the capture contains it twice.
  /// - Parameter isUnique: Whether the other side cannot have sent a PDU with the same content.
  private func repeating(
    _ index: Int, _ header: LLDataHeader, _ digest: UInt64, isUnique: Bool, isSameEvent: Bool
  ) -> Int? {
    let clues = state[index].clues
    // In one connection event, both sequence numbers of the sides cannot be the same: each acknowledges the other's
    // PDU. 4.5.9
    let isCopy = clues.hasChangingNumbers && (isSameEvent || !clues.hasTimes)
    guard isUnique || isCopy else { return nil }
    return state[index].sides.firstIndex {
      $0.sequence.hasSent(header, digest) && (isUnique || $0.sequence.nesn == header.nesn)
    }
  }

  /// Whether only one side can have sent the PDU, because its content is random or part of a longer PDU.
  private func isUnique(
    _ index: Int, _ content: AirContent, _ bytes: RawSpan, _ pdu: LLDataPDU
  ) -> Bool {
    switch content {
    case .continuation: true
    // Both sides may use the debug key.
    case .security(.pairingPublicKey(let key?)):
      !SMPToolbox.isDebugPublicKey(
        bytes.extracting(L2CAPBeginning(bytes, pdu.payload).information).array(key))
    case .security: true
    case .control(let control): control.opcode == .versionInd && !state[index].clues.hasTimes
    case .attribute, .signaling, .other: false
    }
  }

  /// The server that answers the only ATT request that the response fits. Vol 3, Part F, 3.3.2
  private func answering(_ index: Int, _ pdu: ATTPDU, _ tables: borrowing Tables) -> Int? {
    guard let opcode = pdu.opcode else { return nil }
    let link = state[index].link
    let isAsked: (Bool, Bool)
    switch opcode.kind {
    case .confirmation:
      let indications = tables.links[link].att.indications
      isAsked = (indications[0] != nil, indications[1] != nil)
    case .response:
      isAsked = (
        tables.links.request(on: link, 0).map { pdu.answers($0.opcode) } ?? false,
        tables.links.request(on: link, 1).map { pdu.answers($0.opcode) } ?? false
      )
    default: return nil
    }
    guard isAsked.0 != isAsked.1 else { return nil }
    return isAsked.0 ? 1 : 0
  }

  private func asked(
    _ index: Int, _ code: SignalingCommand.Code?, _ identifier: UInt8, _ tables: borrowing Tables
  ) -> SignalingRequests.Request? {
    tables.links[state[index].link].requests.only(answeredBy: code, identifier)
  }

  /// The only side with an incomplete L2CAP PDU: a continuation is part of it. 2.4.1
  private func continuing(_ index: Int) -> Int? {
    let (central, peripheral) = (
      state[index].sides[0].lacking > 0, state[index].sides[1].lacking > 0
    )
    guard central != peripheral else { return nil }
    return central ? 0 : 1
  }

  /// Whether it comes from the Peripheral as the ATT server: a notification or indication, if only the Central has
  /// been seen to send requests.
  private func isFromServer(_ index: Int, _ content: AirContent) -> Bool {
    guard case .attribute(let message) = content else { return false }
    return switch message.opcode?.kind {
    case .notification, .indication: state[index].clues.client == 0
    default: false
    }
  }

  /// The side that usually sends such a PDU.
  private func usual(_ index: Int, _ content: AirContent, _ tables: borrowing Tables) -> Int {
    switch content {
    case .continuation: return state[index].lastSide ?? 0
    case .attribute(let message):
      guard let kind = message.opcode?.kind else { return 0 }
      let client = state[index].clues.client ?? 0
      return kind.isOfClient ? client : 1 - client
    case .security(let message): return usualOfSecurity(index, message, tables)
    case .signaling, .control, .other: return 0
    }
  }

  /// For Confirm Values, Random Values, public keys and DHKey Checks, the Central's comes first, except for Confirm
  /// Values of LE Secure Connections without a passkey: only the Peripheral sends one. Vol 3, Part H, 2.3.5.5 and
  /// 2.3.5.6
  private func usualOfSecurity(_ index: Int, _ message: SMPMessage, _ tables: borrowing Tables)
    -> Int
  {
    guard let last = state[index].clues.lastSMP else { return 0 }
    guard let exchange = message.exchange else { return 1 - last.side }
    let pairing = tables.links[state[index].link].pairing
    if exchange == .confirm, pairing.secureConnections, pairing.method != .passkeyEntry {
      return 1
    }
    return last.exchange == exchange && last.side == 0 ? 1 : 0
  }

  private mutating func noteContent(_ index: Int, _ side: Int, _ content: AirContent) {
    switch content {
    case .attribute(let message):
      switch message.opcode?.kind {
      case .request, .command: state[index].clues.asksATT[side] = true
      default: break
      }
    case .security(let message): state[index].clues.lastSMP = (message.exchange, side)
    default: break
    }
  }

  // MARK: When it came

  /// For a packet whose payload cannot be read, or that has none.
  private mutating func unread(
    _ index: Int, _ header: LLDataHeader, _ digest: UInt64, _ time: AirTime, isSameEvent: Bool,
    isSound: Bool,
    _ tables: inout Tables
  ) -> Int {
    if state[index].clues.hasTimes {
      return timed(
        index, header, digest, time, isSameEvent: isSameEvent, isSound: isSound, usual: false,
        tables)
    }
    if isSound, let numbered = state[index].clues.sender(header) { return numbered }
    state[index].clues.isGuess = true
    return 1 - (state[index].lastSide ?? 1)
  }

  /// The Central begins each connection event, and then both take turns. 4.5.1
  private mutating func timed(
    _ index: Int, _ header: LLDataHeader, _ digest: UInt64, _ time: AirTime, isSameEvent: Bool,
    isSound: Bool, usual: Bool, _ tables: borrowing Tables
  ) -> Int {
    guard isSameEvent, let last = state[index].lastSide else {
      return first(index, header, time, isSound: isSound, usual: usual, tables)
    }
    let isByNumbers = state[index].clues.isLastByNumbers
    state[index].clues.isLastByNumbers = false
    guard isSound else { return 1 - last }
    // The same numbers and content, sooner than the other side can answer: the capture contains the packet twice.
    let before = state[index].sides[last].sequence
    if before.hasSent(header, digest), before.nesn == header.nesn,
      let passed = time.since(state[index].lastTime), passed.magnitude < Self.interFrameSpace
    {
      return last
    }
    // The Peripheral's packet would have ended the event: the one before was the Central's.
    let side = isByNumbers ? 1 : 1 - last
    if side == 1 { state[index].clues.note(header, from: side) }
    return side
  }

  /// The first packet received of a connection event: the Peripheral's, if its sequence numbers show that the Central's
  /// was not received, and its time does not contradict that.
  private mutating func first(
    _ index: Int, _ header: LLDataHeader, _ time: AirTime, isSound: Bool, usual: Bool,
    _ tables: borrowing Tables
  ) -> Int {
    if usual { return 1 }
    let numbered = isSound ? state[index].clues.sender(header) : nil
    let phase = phase(index, time, tables)
    let isLate = numbered == 1 && !(phase.map(Self.anchorPhase.contains) ?? false)
    // Without More Data, it ends the event. 4.5.6
    state[index].clues.isLastByNumbers = isLate && header.md == 0
    if isLate { return 1 }
    let isSeen = tables.links[state[index].link].certainty == .seen
    if state[index].clues.isUnknown, !isSeen { state[index].clues.isGuess = true }
    return 0
  }

  /// T_IFS, in nanoseconds. 4.1.1
  private static let interFrameSpace: UInt64 = 150_000
  /// Around an anchor point, in nanoseconds: the Peripheral answers at least the duration of an empty packet and T_IFS
  /// later. 2.1, 4.1.1
  private static let anchorPhase: ClosedRange<Int64> = -150_000...150_000

  /// How long after the nearest anchor point a packet begins, in nanoseconds, according to the last one that was
  /// received. Nil if that is unknown or too long ago: clocks drift by up to 500 ppm. 4.2.2, 4.5.1
  private func phase(_ index: Int, _ time: AirTime, _ tables: borrowing Tables) -> Int64? {
    guard let anchor = state[index].anchor,
      let length = tables.links[state[index].link].interval, length > 0
    else { return nil }
    guard let elapsed = time.since(anchor), 0...100_000_000 ~= elapsed else { return nil }
    let phase = elapsed % length
    return phase > length / 2 ? phase - length : phase
  }

  /// A packet of the same connection event is on the same channel and follows soon: the shortest interval is 7.5 ms,
  /// and there are 150 µs between packets. 4.1, 4.5.1
  func isSameEvent(_ index: Int, _ header: AirHeader, _ time: AirTime) -> Bool {
    // Times of made-up clocks also go back.
    guard state[index].lastSide != nil,
      let gap = time.since(state[index].lastTime)?.magnitude
    else { return false }
    if let channel = header.channel, let last = state[index].lastChannel {
      return channel == last && gap < 6_000_000
    }
    return gap < 2_500_000
  }

  /// Notes whether times and numbers agree with a packet whose sender is certain.
  private mutating func judgeClues(
    _ index: Int, _ header: LLDataHeader, isSameEvent: Bool, _ sender: Int
  ) {
    if isSameEvent, let last = state[index].lastSide {
      state[index].clues.times.note(sender != last)
    }
    state[index].clues.note(header, from: sender)
    state[index].clues.isLastByNumbers = false
  }
}
