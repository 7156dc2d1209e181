import HarkCore
import HarkDissection

// Who sent a packet of a connection. Where the sniffer does not record it, what the packet says counts
// more than when it came: times may be made up. Core Specification, Vol 6, Part B, 2.4.2 and 4.5.
extension Session {
  /// 0 for the Central, 1 for the Peripheral.
  mutating func sender(
    _ index: Int, _ bytes: RawSpan, _ pdu: LLDataPDU, _ header: AirHeader, isSound: Bool,
    _ moment: PacketContext
  ) -> Int {
    air[index].clues.isGuess = false
    if let direction = header.direction { return Int(direction.rawValue) }
    let time = AirTime(moment.time, header)
    let isSameEvent = isSameEvent(index, header, time)
    // Packets follow each other: where all come at one time, none was recorded.
    if isSameEvent, moment.time != counts.firstTime || time.since(air[index].lastTime) != 0 {
      air[index].clues.hasEvents = true
    }
    guard isSound, !air.context.isEncrypted, !pdu.payload.isEmpty else {
      return unread(index, pdu.header, time, isSameEvent: isSameEvent, isSound: isSound)
    }
    let content = AirContent(bytes, pdu)
    let side: Int
    if let certain = certain(index, content, bytes, pdu, moment) {
      side = certain
      // What answers somebody who is only guessed is no more certain.
      air[index].clues.isGuess = isGuessed(index, content, certain)
      if !air[index].clues.isGuess {
        judgeClues(index, pdu.header, isSameEvent: isSameEvent, certain)
      }
    } else if air[index].clues.hasTimes {
      side = timed(
        index, pdu.header, time, isSameEvent: isSameEvent, isSound: true,
        usual: isFromServer(index, content))
    } else if let numbered = numbered(index, pdu.header) {
      side = numbered
    } else {
      side = usual(index, content)
      // The first packet of a connection is the Central's. 4.5.1
      let isFirst =
        air[index].lastSide == nil && linkTable[air[index].link].certainty == .seen
      air[index].clues.isGuess = side == 1 || !isFirst
    }
    noteContent(index, side, content)
    return side
  }

  // MARK: What it says

  /// The side that alone can have sent a PDU, by its own code or by what it answers or goes on with.
  private func certain(
    _ index: Int, _ content: AirContent, _ bytes: RawSpan, _ pdu: LLDataPDU, _ moment: PacketContext
  ) -> Int? {
    if let sender = content.sender { return sender }
    switch content {
    case .continuation: return continuing(index)
    case .attribute(let message): return answering(index, message)
    // A response comes from the side that was asked.
    case .signaling(let code, let identifier):
      return asked(index, code, identifier).map { 1 - Int($0.direction.rawValue) }
    case .control(let control):
      guard let opcode = control.opcode else { return nil }
      // What looks like the other side's may also be the same one's, sent again; and a request that
      // LL_REJECT_IND answers may not have been heard.
      if opcode.isEcho || opcode == .rejectInd {
        if air[index].clues.hasTimes { return nil }
        if opcode == .versionInd, let sender = repeating(index, bytes, pdu) { return sender }
      }
      return air[index].requests.sender(of: control, at: moment.time)
    case .security, .other: return nil
    }
  }

  private func isGuessed(_ index: Int, _ content: AirContent, _ sender: Int) -> Bool {
    guard content.sender == nil else { return false }
    switch content {
    case .signaling(let code, let identifier):
      return asked(index, code, identifier).map { !$0.isDirected } ?? false
    case .control: return air[index].requests.isGuess(of: 1 - sender)
    default: return false
    }
  }

  /// The side that sent the same PDU before, with the same number.
  private func repeating(_ index: Int, _ bytes: RawSpan, _ pdu: LLDataPDU) -> Int? {
    let digest = Self.digest(bytes, pdu)
    return air[index].sides.firstIndex { $0.sn == pdu.header.sn && $0.digest == digest }
  }

  /// The server that answers the only request of ATT which a response fits. Vol 3, Part F, 3.3.2
  private func answering(_ index: Int, _ pdu: ATTPDU) -> Int? {
    guard let opcode = pdu.opcode else { return nil }
    let link = air[index].link
    let isAsked: (Bool, Bool)
    switch opcode.kind {
    case .confirmation:
      let indications = linkTable[link].att.indications
      isAsked = (indications[0] != nil, indications[1] != nil)
    case .response:
      isAsked = (
        linkTable.request(on: link, 0).map { pdu.answers($0.opcode) } ?? false,
        linkTable.request(on: link, 1).map { pdu.answers($0.opcode) } ?? false
      )
    default: return nil
    }
    guard isAsked.0 != isAsked.1 else { return nil }
    return isAsked.0 ? 1 : 0
  }

  private func asked(
    _ index: Int, _ code: SignalingCommand.Code?, _ identifier: UInt8
  ) -> SignalingRequests.Request? {
    linkTable[air[index].link].requests.only(answeredBy: code, identifier)
  }

  /// The only side whose L2CAP PDU lacks octets: a continuation is part of it. 2.4.1
  private func continuing(_ index: Int) -> Int? {
    let (central, peripheral) = (air[index].sides[0].lacking > 0, air[index].sides[1].lacking > 0)
    guard central != peripheral else { return nil }
    return central ? 0 : 1
  }

  /// Whether it comes from the Peripheral as the server of ATT: a notification or indication, where only the
  /// Central was heard to ask for anything.
  private func isFromServer(_ index: Int, _ content: AirContent) -> Bool {
    guard case .attribute(let message) = content else { return false }
    return switch message.opcode?.kind {
    case .notification, .indication: air[index].clues.client == 0
    default: false
    }
  }

  /// The side that mostly sends such a PDU.
  private func usual(_ index: Int, _ content: AirContent) -> Int {
    switch content {
    case .continuation: return air[index].lastSide ?? 0
    case .attribute(let message):
      guard let kind = message.opcode?.kind else { return 0 }
      let client = air[index].clues.client ?? 0
      return kind.isOfClient ? client : 1 - client
    case .security(let message): return usual(index, message)
    case .signaling, .control, .other: return 0
    }
  }

  /// Of Confirm Values, Random Values, public keys and DHKey Checks the Central's comes first, but for
  /// Confirm Values of LE Secure Connections without a passkey: there is only the Peripheral's.
  /// Vol 3, Part H, 2.3.5.5 and 2.3.5.6
  private func usual(_ index: Int, _ message: SMPMessage) -> Int {
    guard let last = air[index].clues.lastSMP else { return 0 }
    guard let exchange = message.exchange else { return 1 - last.side }
    let pairing = linkTable[air[index].link].pairing
    if exchange == .confirm, pairing.secureConnections, pairing.method != .passkeyEntry {
      return 1
    }
    return last.exchange == exchange && last.side == 0 ? 1 : 0
  }

  private mutating func noteContent(_ index: Int, _ side: Int, _ content: AirContent) {
    switch content {
    case .attribute(let message):
      switch message.opcode?.kind {
      case .request, .command: air[index].clues.asksATT[side] = true
      default: break
      }
    case .security(let message): air[index].clues.lastSMP = (message.exchange, side)
    default: break
    }
  }

  // MARK: When it came

  /// Of a packet whose payload cannot be read, or that has none.
  private mutating func unread(
    _ index: Int, _ header: LLDataHeader, _ time: AirTime, isSameEvent: Bool, isSound: Bool
  ) -> Int {
    if air[index].clues.hasTimes {
      return timed(
        index, header, time, isSameEvent: isSameEvent, isSound: isSound, usual: false)
    }
    if isSound, let numbered = numbered(index, header) { return numbered }
    air[index].clues.isGuess = true
    return 1 - (air[index].lastSide ?? 1)
  }

  /// The Central begins each connection event, and then both take turns. 4.5.1
  private func timed(
    _ index: Int, _ header: LLDataHeader, _ time: AirTime, isSameEvent: Bool, isSound: Bool,
    usual: Bool
  ) -> Int {
    if isSameEvent { return 1 - (air[index].lastSide ?? 1) }
    if usual { return 1 }
    return isSound && isLate(index, time) && fit(index, header, 1) >= fit(index, header, 0) + 3
      ? 1 : 0
  }

  /// Whether the packet comes later than the Central's in a connection event, by the times of those
  /// before: then the Central's was not heard.
  private func isLate(_ index: Int, _ time: AirTime) -> Bool {
    guard let anchor = air[index].anchor, let interval = linkTable[air[index].link].interval,
      interval > 0
    else { return false }
    let phase = time.since(anchor) % (Int64(interval) * 1_250_000)
    return 200_000...4_000_000 ~= phase
  }

  /// A packet of the same connection event comes on the same channel, and soon: the shortest interval
  /// is 7.5 ms, and there are 150 µs between packets. 4.1, 4.5.1
  func isSameEvent(_ index: Int, _ header: AirHeader, _ time: AirTime) -> Bool {
    guard air[index].lastSide != nil else { return false }
    let gap = time.since(air[index].lastTime)
    if let channel = header.channel, let last = air[index].lastChannel {
      return channel == last && gap < 6_000_000
    }
    return gap < 2_500_000
  }

  // MARK: Sequence numbers

  /// The side that the sequence numbers fit better, where they were right before.
  private func numbered(_ index: Int, _ header: LLDataHeader) -> Int? {
    guard air[index].clues.hasNumbers else { return nil }
    let (central, peripheral) = (fit(index, header, 0), fit(index, header, 1))
    return central == peripheral ? nil : central > peripheral ? 0 : 1
  }

  /// How well the sequence numbers fit those of the other side: a side sends the number that the
  /// other expects next. 4.5.9
  private func fit(_ index: Int, _ header: LLDataHeader, _ side: Int) -> Int {
    let other = air[index].sides[1 - side]
    var fit = 0
    if let expected = other.nesn { fit += expected == header.sn ? 1 : -1 }
    if let sent = other.sn, sent != header.nesn { fit += 1 }
    return fit
  }

  /// Notes whether the times and the numbers say the same as a packet whose sender is certain.
  private mutating func judgeClues(
    _ index: Int, _ header: LLDataHeader, isSameEvent: Bool, _ sender: Int
  ) {
    if isSameEvent, let last = air[index].lastSide { air[index].clues.times.note(sender != last) }
    guard air[index].sides[0].sn != nil, air[index].sides[1].sn != nil else { return }
    let (central, peripheral) = (fit(index, header, 0), fit(index, header, 1))
    guard central != peripheral else { return }
    air[index].clues.numbers.note((peripheral > central) == (sender == 1))
  }
}
