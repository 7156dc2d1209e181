import HarkCore
import HarkDissection

// Sequence numbers of the iAP2 link and their acknowledgements.
extension IAP2Follower {
  /// Whether a payload is new. Reports retransmitted and missing ones.
  /// - Parameter content: Of the payload and its session; nil if the capture does not show it whole.
  mutating func isNext(
    _ sequence: UInt8, _ content: FNV1a?, _ index: Int, _ moment: PacketContext,
    _ tables: inout Tables
  ) -> Bool {
    let side = moment.side
    let lostBefore = states[index].sides[side].lostAtSequence
    states[index].sides[side].lostAtSequence = tables.counts.lost
    guard let last = states[index].sides[side].sequence else {
      states[index].sides[side].sequence = sequence
      states[index].sides[side].contents = content.map { [sequence: $0.value] } ?? [:]
      return true
    }
    let ahead = sequence &- (last &+ 1)
    let isJump =
      ahead >= 128
      && followsGap(sequence, content, index, side, isKnownLost: lostBefore != tables.counts.lost)
    guard ahead < 128 || isJump else {
      return isLate(sequence, content, index, moment, &tables)
    }
    for number in 0...ahead {
      states[index].sides[side].contents[last &+ 1 &+ number] = nil
    }
    states[index].sides[side].contents[sequence] = content?.value
    states[index].sides[side].sequence = sequence
    states[index].sides[side].reused = nil
    if isJump {
      jump(over: ahead, from: last, index, side, moment, &tables)
      return true
    }
    if !states[index].sides[side].holes.isEmpty {
      states[index].sides[side].holes = states[index].sides[side].holes.filter {
        sequence &- $0 < 128
      }
    }
    let isCut = states[index].sides[side].isCut
    states[index].sides[side].isCut = false
    if ahead > 0 {
      let missing = (0..<ahead).map { last &+ 1 &+ $0 }
      states[index].sides[side].early.expect(missing, isKnownLost: isCut)
    }
    if ahead > 0, !isCut {
      states[index].lostAtBeginning = nil
      for hole in 0..<ahead { states[index].sides[side].holes.insert(last &+ 1 &+ hole) }
      // What was acknowledged meanwhile is missing, too.
      if ahead >= window(of: side, index) { states[index].sides[side].acknowledged = nil }
      tables.emit(
        .iap2(.missing(.init(first: last &+ 1, count: Int(ahead), isAtLeast: false))), moment,
        severity: .warning)
    }
    return true
  }

  /// How many packets of a side may be outstanding; 128 if that is unknown.
  private func window(of side: Int, _ index: Int) -> UInt8 {
    states[index].sides[1 - side].parameters.map { max(1, min($0.maxOutstanding, 128)) } ?? 128
  }

  /// Whether a packet whose number is not ahead of the last one follows more than 127 missing packets: it is not the
  /// packet that had this number.
  private func followsGap(
    _ sequence: UInt8, _ content: FNV1a?, _ index: Int, _ side: Int, isKnownLost: Bool
  ) -> Bool {
    let own = states[index].sides[side]
    guard let last = own.sequence, let content, !own.holes.contains(sequence) else { return false }
    guard let known = own.contents[sequence] else {
      // No packet had this number, and packets before the SYN are not sent again.
      return last &- sequence >= window(of: side, index)
    }
    return isKnownLost && known != content.value
  }

  /// A packet with the number of an earlier one, or with a missing number.
  private mutating func isLate(
    _ sequence: UInt8, _ content: FNV1a?, _ index: Int, _ moment: PacketContext,
    _ tables: inout Tables
  ) -> Bool {
    let side = moment.side
    let own = states[index].sides[side]
    let isLate = states[index].sides[side].holes.remove(sequence) != nil
    let isOther =
      own.contents[sequence].flatMap { known in content.map { $0.value != known } } ?? false
    let isOld = own.sequence.map { $0 &- sequence >= window(of: side, index) } ?? false
    tables.emit(
      .iap2(
        .retransmitted(
          .init(
            sequence: sequence, hasOtherPayload: isOther, mayFollowGap: isOther && isOld))),
      moment, severity: .warning)
    if isLate { states[index].sides[side].contents[sequence] = content?.value }
    if isOther, let acknowledged = own.acknowledged, acknowledged &- sequence < 128 {
      let continues = own.reused.map { $0.last &+ 1 == sequence } ?? false
      states[index].sides[side].reused = (
        continues ? own.reused?.first ?? sequence : sequence, sequence
      )
    }
    return isLate
  }

  /// More than 127 packets are missing, so that numbers do not show which of the packets before them are late.
  private mutating func jump(
    over count: UInt8, from last: UInt8, _ index: Int, _ side: Int, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    states[index].sides[side].isCut = false
    states[index].sides[side].holes = []
    states[index].sides[side].acknowledged = nil
    states[index].sides[side].reused = nil
    states[index].sides[side].early.loseAll()
    states[index].lostAtBeginning = nil
    tables.emit(
      .iap2(.missing(.init(first: last &+ 1, count: Int(count), isAtLeast: true))), moment,
      severity: .warning)
  }

  /// `number` is the last packet that the sender of this one has received.
  mutating func acknowledge(
    _ number: UInt8, _ index: Int, _ moment: PacketContext, _ tables: inout Tables
  ) {
    let side = 1 - moment.side
    // For a SYN that is not in the capture.
    guard let last = states[index].sides[side].sequence else { return }
    if let reused = states[index].sides[side].reused, reused.last == number,
      states[index].sides[side].acknowledged != number
    {
      // The receiver took these packets as new ones.
      states[index].sides[side].sequence = number
      var own = moment
      own.direction = own.direction.opposite
      jump(over: reused.first &- (last &+ 1), from: last, index, side, own, &tables)
    } else if (1..<128).contains(number &- last), states[index].sides[side].acknowledged != number,
      states[index].isWhole(tables.counts.lost), !states[index].sides[side].isCut
    {
      tables.emit(
        .iap2(.acknowledgedUnsent(.init(acknowledgement: number, last: last))), moment,
        severity: .warning)
    }
    states[index].sides[side].acknowledged = number
    endStall(side, index, moment, tables)
  }
}
