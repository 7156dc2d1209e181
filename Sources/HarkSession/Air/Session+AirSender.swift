import HarkCore
import HarkDissection

// Who sent a packet of a connection. Where the sniffer does not record it, what the packet says counts
// more than when it came: times may be made up. Core Specification, Vol 6, Part B, 2.4.2 and 4.5.
extension Session {
  /// 0 for the Central, 1 for the Peripheral.
  mutating func sender(
    _ index: Int, _ first: UInt8, _ bytes: RawSpan, _ pdu: Range<Int>, _ header: AirHeader,
    isSound: Bool, _ moment: Moment
  ) -> Int {
    air[index].clues.isGuess = false
    if let direction = header.direction { return Int(direction.rawValue) }
    let time = AirTime(moment.time, header)
    let isSameEvent = isSameEvent(index, header, time)
    // Packets follow each other: where all come at one time, none was recorded.
    if isSameEvent, time.since(air[index].lastTime) != 0 { air[index].clues.hasEvents = true }
    let isReadable = isSound && !air.context.isEncrypted && pdu.count > 2
    guard isReadable else {
      return unread(index, first, time, isSameEvent: isSameEvent, isSound: isSound)
    }
    let side: Int
    if let certain = certain(index, first, bytes, pdu, moment) {
      side = certain
      // What answers somebody who is only guessed is no more certain.
      air[index].clues.isGuess = isGuessed(index, first, bytes, pdu, certain)
      if !air[index].clues.isGuess {
        judgeClues(index, first, isSameEvent: isSameEvent, certain)
      }
    } else if air[index].clues.hasTimes {
      side = timed(
        index, first, time, isSameEvent: isSameEvent, isSound: true,
        usual: isFromServer(index, first, bytes, pdu.lowerBound + 2))
    } else if let numbered = numbered(index, first) {
      side = numbered
    } else {
      side = usual(index, first, bytes, pdu.lowerBound + 2)
      // The first packet of a connection is the Central's. 4.5.1
      let isFirst =
        air[index].lastSide == nil && linkTable[air[index].link].certainty == .seen
      air[index].clues.isGuess = side == 1 || !isFirst
    }
    noteContent(index, side, first, bytes, pdu.lowerBound + 2)
    return side
  }

  // MARK: What it says

  /// The side that alone can have sent a PDU, by its own code or by what it answers or goes on with.
  private func certain(
    _ index: Int, _ first: UInt8, _ bytes: RawSpan, _ pdu: Range<Int>, _ moment: Moment
  ) -> Int? {
    let start = pdu.lowerBound + 2
    switch first & 3 {
    case 1: return continuing(index)
    case 2:
      // The CRC follows the PDU: do not read past its end.
      guard start + 5 <= pdu.upperBound else { return nil }
      return certainOfL2CAP(index, bytes, start, hasIdentifier: start + 6 <= pdu.upperBound)
    case 3:
      let opcode = bytes.byte(at: start)
      if let sender = LinkLayerRequests.sender(of: opcode) { return sender }
      // What looks like the other side's may also be the same one's, sent again; and a request that
      // LL_REJECT_IND answers may not have been heard.
      if LinkLayerRequests.isEcho(opcode) || opcode == 0x0D {
        if air[index].clues.hasTimes { return nil }
        if opcode == 0x0C, let sender = repeating(index, first, bytes, pdu) { return sender }
      }
      return air[index].requests.sender(
        of: opcode, naming: bytes.byte(at: start + 1), at: moment.time)
    default: return nil
    }
  }

  private func isGuessed(
    _ index: Int, _ first: UInt8, _ bytes: RawSpan, _ pdu: Range<Int>, _ sender: Int
  ) -> Bool {
    let start = pdu.lowerBound + 2
    switch first & 3 {
    case 2 where pdu.upperBound >= start + 6 && bytes.unsigned(at: start + 2, 2) == 0x0005:
      let code = bytes.byte(at: start + 4)
      // Only the Central answers a Connection Parameter Update Request. Vol 3, Part A, 4.21
      guard code != 0x13 else { return false }
      return asked(index, code, bytes.byte(at: start + 5)).map { !$0.isDirected } ?? false
    case 3:
      return LinkLayerRequests.sender(of: bytes.byte(at: start)) == nil
        && air[index].requests.isGuess(of: 1 - sender)
    default: return false
    }
  }

  /// The side that sent the same PDU before, with the same number.
  private func repeating(
    _ index: Int, _ first: UInt8, _ bytes: RawSpan, _ pdu: Range<Int>
  ) -> Int? {
    let digest = Self.digest(first, bytes, pdu)
    return air[index].sides.firstIndex { $0.sn == first >> 3 & 1 && $0.digest == digest }
  }

  private func certainOfL2CAP(
    _ index: Int, _ bytes: RawSpan, _ start: Int, hasIdentifier: Bool
  ) -> Int? {
    let code = bytes.byte(at: start + 4)
    switch bytes.unsigned(at: start + 2, 2) {
    case 0x0004:
      let end = start + (hasIdentifier ? 6 : 5)
      return answering(index, ATTPDU(bytes.extracting((start + 4)..<end), isCut: true))
    case 0x0005:
      switch code {
      // Connection Parameter Update Request and Response. Vol 3, Part A, 4.20 and 4.21
      case 0x12: return 1
      case 0x13: return 0
      // A response comes from the side that was asked.
      case _ where hasIdentifier:
        return asked(index, code, bytes.byte(at: start + 5)).map {
          1 - Int($0.direction.rawValue)
        }
      default: return nil
      }
    case 0x0006:
      switch code {
      // Pairing Request; Pairing Response, Security Request. Vol 3, Part H, 3.5.1, 3.5.2, 3.6.7
      case 0x01: return 0
      case 0x02, 0x0B: return 1
      default: return nil
      }
    default: return nil
    }
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
    _ index: Int, _ code: UInt8, _ identifier: UInt8
  ) -> SignalingRequests.Request? {
    linkTable[air[index].link].requests.only(
      answeredBy: SignalingCommand.Code(rawValue: code), identifier)
  }

  /// The only side whose L2CAP PDU lacks octets: a continuation is part of it. 2.4.1
  private func continuing(_ index: Int) -> Int? {
    let (central, peripheral) = (air[index].sides[0].lacking > 0, air[index].sides[1].lacking > 0)
    guard central != peripheral else { return nil }
    return central ? 0 : 1
  }

  /// Whether it comes from the Peripheral as the server of ATT: a notification or indication, where only the
  /// Central was heard to ask for anything.
  private func isFromServer(_ index: Int, _ first: UInt8, _ bytes: RawSpan, _ start: Int) -> Bool {
    guard first & 3 == 2, bytes.unsigned(at: start + 2, 2) == 0x0004 else { return false }
    return [0x1B, 0x1D, 0x23].contains(bytes.byte(at: start + 4)) && air[index].clues.client == 0
  }

  /// The side that mostly sends such a PDU.
  private func usual(_ index: Int, _ first: UInt8, _ bytes: RawSpan, _ start: Int) -> Int {
    let code = bytes.byte(at: start + 4)
    switch (first & 3, bytes.unsigned(at: start + 2, 2)) {
    case (1, _): return air[index].lastSide ?? 0
    case (2, 0x0004):
      // Requests, commands and confirmations have even opcodes. Vol 3, Part F, 3.3.1, 3.4.8
      let client = air[index].clues.client ?? 0
      return code & 1 == 0 ? client : 1 - client
    case (2, 0x0006): return usualOfSMP(index, code)
    default: return 0
    }
  }

  /// Of Confirm Values, Random Values, public keys and DHKey Checks the Central's comes first, but for
  /// Confirm Values of LE Secure Connections without a passkey: there is only the Peripheral's.
  /// Vol 3, Part H, 2.3.5.5 and 2.3.5.6
  private func usualOfSMP(_ index: Int, _ code: UInt8) -> Int {
    guard let last = air[index].clues.lastSMP else { return 0 }
    let pairing = linkTable[air[index].link].pairing
    switch code {
    case 0x03 where pairing.secureConnections && pairing.method != .passkeyEntry: return 1
    case 0x03, 0x04, 0x0C, 0x0D: return last.code == code && last.side == 0 ? 1 : 0
    default: return 1 - last.side
    }
  }

  private mutating func noteContent(
    _ index: Int, _ side: Int, _ first: UInt8, _ bytes: RawSpan, _ start: Int
  ) {
    guard first & 3 == 2 else { return }
    let code = bytes.byte(at: start + 4)
    switch bytes.unsigned(at: start + 2, 2) {
    case 0x0004: if code & 1 == 0, code != 0x1E { air[index].clues.asksATT[side] = true }
    case 0x0006: air[index].clues.lastSMP = (code, side)
    default: break
    }
  }

  // MARK: When it came

  /// Of a packet whose payload cannot be read, or that has none.
  private mutating func unread(
    _ index: Int, _ first: UInt8, _ time: AirTime, isSameEvent: Bool, isSound: Bool
  ) -> Int {
    if air[index].clues.hasTimes {
      return timed(
        index, first, time, isSameEvent: isSameEvent, isSound: isSound, usual: false)
    }
    if isSound, let numbered = numbered(index, first) { return numbered }
    air[index].clues.isGuess = true
    return 1 - (air[index].lastSide ?? 1)
  }

  /// The Central begins each connection event, and then both take turns. 4.5.1
  private func timed(
    _ index: Int, _ first: UInt8, _ time: AirTime, isSameEvent: Bool, isSound: Bool, usual: Bool
  ) -> Int {
    if isSameEvent { return 1 - (air[index].lastSide ?? 1) }
    if usual { return 1 }
    return isSound && isLate(index, time) && fit(index, first, 1) >= fit(index, first, 0) + 3
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
  private func numbered(_ index: Int, _ first: UInt8) -> Int? {
    guard air[index].clues.hasNumbers else { return nil }
    let (central, peripheral) = (fit(index, first, 0), fit(index, first, 1))
    return central == peripheral ? nil : central > peripheral ? 0 : 1
  }

  /// How well the sequence numbers fit those of the other side: a side sends the number that the
  /// other expects next. 4.5.9
  private func fit(_ index: Int, _ first: UInt8, _ side: Int) -> Int {
    let other = air[index].sides[1 - side]
    var fit = 0
    if let expected = other.nesn { fit += expected == first >> 3 & 1 ? 1 : -1 }
    if let sent = other.sn, sent != first >> 2 & 1 { fit += 1 }
    return fit
  }

  /// Notes whether the times and the numbers say the same as a packet whose sender is certain.
  private mutating func judgeClues(
    _ index: Int, _ first: UInt8, isSameEvent: Bool, _ sender: Int
  ) {
    if isSameEvent, let last = air[index].lastSide { air[index].clues.times.note(sender != last) }
    guard air[index].sides[0].sn != nil, air[index].sides[1].sn != nil else { return }
    let (central, peripheral) = (fit(index, first, 0), fit(index, first, 1))
    guard central != peripheral else { return }
    air[index].clues.numbers.note((peripheral > central) == (sender == 1))
  }
}
