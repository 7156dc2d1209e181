import HarkCore
import HarkDissection

// I-frames in order, including missing, late and retransmitted ones. Core Specification, Vol 3, Part A, 8.
extension TrafficFollower {
  /// An I-frame with `part` of an SDU. It waits if an earlier one is missing and may be retransmitted.
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
    if tables.channelStates[index].damaged[side] == facts.txSeq {
      tables.channelStates[index].damaged[side] = nil
      tables.streams[Int(tables.channels[index].stream.index)].repeatedFrames += 1
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

  /// A frame with a wrong FCS, which its receiver discards: no follower reads it, so nothing determines whether it contains
  /// a key. 3.3.5
  mutating func damaged(
    _ part: RawSpan, _ facts: Facts, _ id: ChannelID, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    let index = Int(id.index)
    guard let link = moment.link else { return }
    tables.concealOrphan(link)
    concealSegment(part, id, link, moment, &tables)
    if tables.mayCarryKeys(id) { tables.record.row.flags.insert(.secret) }
    // Without the channel's configuration, it is unknown whether frames have an FCS.
    guard !tables.channels[index].isInferred, !moment.isUndirected else { return }
    if facts.segment != .none, facts.segment != .notReady {
      tables.channelStates[index].damaged[moment.side] = facts.txSeq
      // The first frame, whose own number may be damaged, is number 0, and the next one does not take its place. 8.5.1
      if tables.channelStates[index].expectedTxSeq[moment.side] == nil, tables.counts.dropped == 0 {
        tables.channelStates[index].advance(moment.side, to: 0)
      }
    }
    tables.emit(
      .channel(
        .frameDamaged(.init(channel: tables.channels[index], byPeer: moment.isFromPeer))), moment,
      severity: .warning)
  }

  /// The receiver acknowledges all I-frames before `reqSeq`. Those that are not in the capture will not be
  /// retransmitted.
  mutating func acknowledged(
    _ reqSeq: UInt16, _ id: ChannelID, _ moment: PacketContext, _ tables: inout Tables
  ) {
    var moment = moment
    moment.direction = moment.direction.opposite
    while let ahead = tables.channelStates[Int(id.index)].ahead(reqSeq, moment.side), ahead > 0 {
      skip(upTo: ahead, id, moment, &tables)
    }
  }

  // MARK: Flow control. 5.4, 8.6

  /// A side may send as many unacknowledged I-frames as the other one allows, and none while that is not ready.
  mutating func checkWindow(
    _ facts: Facts, _ id: ChannelID, _ moment: PacketContext, _ tables: inout Tables
  ) {
    let (index, side) = (Int(id.index), moment.side)
    guard !moment.isUndirected, tables.links[tables.channels[index].link].air == nil else { return }
    if let reqSeq = facts.reqSeq { tables.channelStates[index].acknowledged[1 - side] = reqSeq }
    if facts.polls {
      if tables.channelStates[index].polls[side] == 0 {
        tables.channelStates[index].lostBeforePolls[side] = tables.counts.lost
      }
      tables.channelStates[index].polls[side] += 1
    }
    if facts.answersPoll { tables.channelStates[index].polls[1 - side] = 0 }
    switch facts.segment {
    case .none: tables.channelStates[index].isNotReady[side] = false
    case .notReady: tables.channelStates[index].isNotReady[side] = true
    case .whole, .first, .continuing, .last:
      guard let count = tables.channelStates[index].outstanding(upTo: facts.txSeq, side)
      else { return }
      if let most = tables.channelStates[index].windows[side], count > Int(most) {
        exceeded(.window, count, most: Int(most), id, moment, &tables)
      }
      // What the peer sends may have been on its way.
      if !moment.isFromPeer, tables.channelStates[index].isNotReady[1 - side] {
        exceeded(.notReady, count, most: 0, id, moment, &tables)
      }
    }
  }

  /// A side that has polled the other one MaxTransmit times in vain closes the channel. 8.6. The answer may be among the
  /// packets that the capture lacks, and without the channel's configuration, it is unknown which frames are polls.
  func reportPolls(of id: ChannelID, _ moment: PacketContext, _ tables: inout Tables) {
    let index = Int(id.index)
    guard !tables.channels[index].isInferred else { return }
    for side in 0..<2
    where tables.channelStates[index].polls[side] > 1
      && tables.channelStates[index].lostBeforePolls[side] == tables.counts.lost
    {
      tables.emit(
        .channel(
          .pollsUnanswered(
            .init(
              channel: tables.channels[index],
              byPeer: side == Int(Direction.controllerToHost.rawValue),
              count: tables.channelStates[index].polls[side]))), moment)
    }
  }

  // MARK: SDUs that are longer than announced. 3.4.3, 8.4.1

  /// Whether a K-frame begins another SDU although the last one is incomplete, because frames are missing.
  func isCutOff(
    by frame: RawSpan, _ id: ChannelID, _ moment: PacketContext, _ tables: borrowing Tables
  ) -> Bool {
    let (index, side) = (Int(id.index), moment.side)
    return tables.channelStates[index].assembly[side].isCutOff(
      by: frame, cut: moment.cut, mtu: tables.channelStates[index].mtus[side],
      mayMiss: mayMissFrames(id, moment, tables))
  }

  /// A frame carries more than is left of the SDU Length: the SDU ends, and the next frame begins another one.
  /// - Parameter size: How many bytes of the SDU the frame carries.
  mutating func overrun(
    by size: Int, _ id: ChannelID, _ moment: PacketContext, _ tables: inout Tables
  ) {
    let index = Int(id.index)
    guard !mayMissFrames(id, moment, tables) else { return dropSDU(id, moment, &tables) }
    let assembly = tables.channelStates[index].assembly[moment.side]
    tables.channelStates[index].assembly[moment.side].end()
    streams.messages.loseMessage(of: tables.channels[index].stream, moment)
    tables.emit(
      .channel(
        .limitExceeded(
          .init(
            channel: tables.channels[index], byPeer: moment.isFromPeer, limit: .sduLength,
            value: assembly.count + size, most: assembly.expected))), moment,
      frames: Event.Frames(assembly.packets.map { PacketID($0) }, or: moment.packet),
      severity: .error)
  }

  /// Whether the capture may lack frames of the SDU that is being assembled: then it is unknown which SDU a frame
  /// belongs to.
  func mayMissFrames(
    _ id: ChannelID, _ moment: PacketContext, _ tables: borrowing Tables
  ) -> Bool {
    let index = Int(id.index)
    return moment.isUndirected || tables.channels[index].isInferred
      || tables.links[tables.channels[index].link].air != nil
      || tables.channelStates[index].assembly[moment.side].lost != tables.counts.lost
  }

  /// Ends everything in progress on a channel that ends.
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

  /// Nothing more arrives: the waiting frames are processed without the missing ones.
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

  /// Continues after missing frames, with the next waiting one, which is at most `most` later.
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

  /// Processes the waiting frames as long as no earlier one is missing.
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

extension Tables {
  /// Data after the end of a PDU. Each HCI packet, and each series of fragments, carries one PDU only. Vol 4, Part E, 5.4.2;
  /// Vol 3, Part A, 7.2
  @inline(never)
  mutating func excess(
    _ bytes: RawSpan, _ place: AttachmentPoint, _ facts: Facts, _ moment: PacketContext
  ) {
    // Over the air, the CRC follows.
    guard !moment.isTruncated, !facts.isMalformed, !isOnAir(moment.link) else { return }
    let end = if case .record(.acl) = place { ACLBeginning.dataEnd(bytes) } else { bytes.byteCount }
    guard end > facts.information.upperBound else { return }
    let excess = ChannelEvent.Excess(
      cid: facts.cid, byPeer: moment.isSenderKnown ? moment.isFromPeer : nil,
      length: facts.information.count, count: end - facts.information.upperBound)
    emit(.channel(.excess(excess)), moment, severity: .warning)
  }
}
