import HarkCore
import HarkDissection

// I-frames in their order: those that are missing, late, or sent again.
// Core Specification, Vol 3, Part A, 8.
extension TrafficFollower {
  /// An I-frame with `part` of an SDU. It waits where one before it is missing and may come again.
  mutating func arrived(
    _ part: RawSpan, _ facts: Facts, cut: Int, _ id: ChannelID, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    let (index, side) = (Int(id.index), moment.side)
    let isHeld = tables.channelStates[index].held[side].contains { $0.txSeq == facts.txSeq }
    guard !isHeld, var ahead = tables.channelStates[index].ahead(facts.txSeq, side) else {
      tables.streams[Int(tables.channels[index].stream.index)].repeatedFrames += 1
      return
    }
    let mayWait = tables.channelStates[index].framing.resends
    while ahead > 0, !mayWait || tables.channelStates[index].held[side].count >= HeldFrame.most {
      skip(upTo: ahead, id, moment, &tables)
      ahead = tables.channelStates[index].ahead(facts.txSeq, side) ?? 0
    }
    guard ahead == 0 else {
      tables.channelStates[index].held[side].append(
        HeldFrame(
          txSeq: facts.txSeq, segment: facts.segment, sduLength: facts.sduLength,
          cut: cut, bytes: part.array, packets: tables.packetsOfPDU(moment)))
      return
    }
    tables.channelStates[index].advance(side, to: facts.txSeq &+ 1)
    place(part, facts.segment, facts.sduLength, [], cut: cut, id, moment, &tables)
    releaseHeld(id, moment, &tables)
  }

  /// Who receives them says that all I-frames before `reqSeq` came. Those that are not in the
  /// capture will not be sent again.
  mutating func acknowledged(
    _ reqSeq: UInt16, _ id: ChannelID, _ moment: PacketContext, _ tables: inout Tables
  ) {
    var moment = moment
    moment.direction = moment.direction.opposite
    while let ahead = tables.channelStates[Int(id.index)].ahead(reqSeq, moment.side), ahead > 0 {
      skip(upTo: ahead, id, moment, &tables)
    }
  }

  /// Ends what is under way on a channel that ends.
  mutating func endSDUs(
    of id: ChannelID, _ ending: Ending, _ moment: PacketContext, _ tables: inout Tables
  ) {
    giveUpWaiting(id, moment, &tables)
    guard ending == .closed else { return }
    for direction in [Direction.hostToController, .controllerToHost] {
      var moment = moment
      moment.direction = direction
      if tables.channelStates[Int(id.index)].assembly[moment.side].isOpen {
        dropSDU(id, moment, &tables)
      }
    }
  }

  /// Nothing more comes: the frames that wait go on without those before them.
  private mutating func giveUpWaiting(
    _ id: ChannelID, _ moment: PacketContext, _ tables: inout Tables
  ) {
    for side in 0..<2 { endLack(of: id, side, moment, &tables) }
    for direction in [Direction.hostToController, .controllerToHost] {
      var moment = moment
      moment.direction = direction
      while !tables.channelStates[Int(id.index)].held[moment.side].isEmpty {
        skip(upTo: .max, id, moment, &tables)
      }
    }
  }

  /// Goes on after frames that are missing: with the next that waits, at most `most` later.
  private mutating func skip(
    upTo most: UInt16, _ id: ChannelID, _ moment: PacketContext, _ tables: inout Tables
  ) {
    let (index, side) = (Int(id.index), moment.side)
    let state = tables.channelStates[index]
    let nearest = state.held[side].compactMap { state.ahead($0.txSeq, side) }.min() ?? most
    let count = min(nearest, most)
    tables.channelStates[index].advance(side, to: (state.expectedTxSeq[side] ?? 0) &+ count)
    if state.assembly[side].isOpen { dropSDU(id, moment, &tables) }
    tables.emit(
      .channel(.framesMissing(.init(channel: tables.channels[index], count: Int(count)))), moment,
      severity: .warning)
    releaseHeld(id, moment, &tables)
  }

  /// Places the frames that wait, as long as none is missing before them.
  private mutating func releaseHeld(
    _ id: ChannelID, _ moment: PacketContext, _ tables: inout Tables
  ) {
    let (index, side) = (Int(id.index), moment.side)
    while let next = tables.channelStates[index].held[side].firstIndex(where: {
      $0.txSeq == tables.channelStates[index].expectedTxSeq[side]
    }) {
      let frame = tables.channelStates[index].held[side].remove(at: next)
      tables.channelStates[index].advance(side, to: frame.txSeq &+ 1)
      place(
        frame.bytes.raw, frame.segment, frame.sduLength, frame.packets, cut: frame.cut, id, moment,
        &tables)
    }
  }
}
