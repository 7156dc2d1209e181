import HarkCore
import HarkDissection

// Dynamic L2CAP channels: their modes, segments, credits. Core Specification, Vol 3, Part A, 5 to 10.
extension Session {
  /// A whole frame of the dynamic channel `facts.cid`, read at `place`.
  mutating func dynamicFrame(
    _ bytes: RawSpan, _ place: AttachmentPoint, _ facts: Facts, _ moment: PacketContext
  ) {
    counts.dynamicChannels += 1
    guard let link = moment.link,
      let id = linkTable.channel(on: link, Self.key(facts.cid, moment.direction))
        ?? recognizeAAP(bytes.extracting(facts.payload), facts.cid, link, moment)
        ?? recognizeMedia(bytes.extracting(facts.payload), facts.cid, link, moment)
        ?? recognizeSignals(bytes.extracting(facts.payload), facts.cid, link, moment)
        ?? recognizeControl(bytes.extracting(facts.payload), facts.cid, link, moment)
    else {
      if let link = moment.link, !facts.isMalformed {
        streamedUnknown(bytes.extracting(facts.payload), facts.cid, link, moment)
      }
      return
    }
    row.channelNumber = id.index + 1
    guard !facts.isMalformed else { return }
    if channelStates[Int(id.index)].framing.mode == .basic {
      sdu(bytes.extracting(facts.payload), on: id, packets: [], moment)
    } else {
      let index = Int(id.index)
      if channelStates[index].framing.mode == .creditBased,
        channelStates[index].assembly[moment.side].isCutOff(
          by: bytes.extracting(facts.payload), cut: moment.cut)
      {
        dropSDU(id, moment)
      }
      if channelStates[index].framing.mode == .creditBased {
        spend(id, moment)
        guard findsBeginning(bytes.extracting(facts.payload), id, moment) else { return }
      }
      beginsSDU = !channelStates[index].assembly[moment.side].isOpen
      var context = context(moment)
      context.framing = framing(of: id)
      segment(bytes, catalog.summarize(bytes, place, context), id, moment)
    }
  }

  /// How the frame of the channel that is being read, or was read last, is to be read.
  func framing(of id: ChannelID) -> L2CAPFraming {
    var framing = channelStates[Int(id.index)].framing
    framing.beginsSDU = beginsSDU
    return framing
  }

  // MARK: Segments

  private mutating func segment(
    _ bytes: RawSpan, _ facts: Facts, _ id: ChannelID, _ moment: PacketContext
  ) {
    let framing = channelStates[Int(id.index)].framing
    guard !facts.isMalformed else { return }
    // Of what was cut, the FCS is the end.
    let hasFCS = framing.mode != .creditBased && framing.hasFCS
    let cut = max(0, moment.cut - (hasFCS ? 2 : 0))
    if framing.resends, let reqSeq = facts.reqSeq { acknowledged(reqSeq, id, moment) }
    guard facts.segment != .none else { return }
    let part = bytes.extracting(facts.payload)
    if facts.segment != .whole, let link = moment.link { concealSegment(part, id, link, moment) }
    if framing.mode == .creditBased {
      place(part, facts.segment, facts.sduLength, [], cut: cut, id, moment)
    } else {
      arrived(part, facts, cut: cut, id, moment)
    }
  }

  /// Whether it is known where the SDU of a K-frame begins. After one of which not even the SDU
  /// Length was kept, one that is whole and fits its own length is taken for a beginning.
  private mutating func findsBeginning(_ frame: RawSpan, _ id: ChannelID, _ moment: PacketContext)
    -> Bool
  {
    let (index, side) = (Int(id.index), moment.side)
    guard !channelStates[index].assembly[side].isOpen else { return true }
    let hasLength = frame.byteCount >= 2
    if moment.isTruncated, !hasLength { channelStates[index].assembly[side].isLost = true }
    guard channelStates[index].assembly[side].isLost else { return true }
    guard hasLength, !moment.isTruncated, frame.unsigned(at: 0, 2) + 2 == UInt64(frame.byteCount)
    else { return false }
    channelStates[index].assembly[side].isLost = false
    return true
  }

  /// A segment whose turn it is, which came in `packets`: in the record alone where that is empty.
  /// - Parameter cut: How many of its bytes the recorder did not keep.
  mutating func place(
    _ part: RawSpan, _ segment: Facts.Segment, _ sduLength: UInt16, _ packets: [UInt32],
    cut: Int, _ id: ChannelID, _ moment: PacketContext
  ) {
    let (index, side) = (Int(id.index), moment.side)
    let isCreditBased = channelStates[index].framing.mode == .creditBased
    var moment = moment
    moment.cut = cut
    // Of a K-frame that was cut, what is there is shorter than the SDU in any case.
    let isWhole =
      segment == .whole
      || segment == .first && isCreditBased && Int(sduLength) <= part.byteCount + cut
    if isWhole {
      if channelStates[index].assembly[side].isOpen { dropSDU(id, moment) }
      return sdu(part, on: id, packets: packets, moment)
    }
    if segment == .first {
      if channelStates[index].assembly[side].isOpen { dropSDU(id, moment) }
      channelStates[index].assembly[side].begin(Int(sduLength))
    }
    // Its beginning is missing: that was told, or the capture began later.
    guard channelStates[index].assembly[side].isOpen else { return }
    let fits = channelStates[index].assembly[side].add(
      part, cut: cut, packets.isEmpty ? packetsOfPDU(moment) : packets)
    guard fits else { return dropSDU(id, moment) }
    let isLast =
      segment == .last || isCreditBased && channelStates[index].assembly[side].isWhole
    guard isLast else { return }
    guard channelStates[index].assembly[side].isWhole else { return dropSDU(id, moment) }
    if channelStates[index].assembly[side].isCut { return cutSDU(id, moment) }
    channelStates[index].assembly[side].end()
    let whole = channelStates[index].assembly[side].bytes
    let parts = channelStates[index].assembly[side].packets
    for part in parts {
      self.packets.update(part) { if $0.chain == 0 { $0.chain = moment.packet.number } }
    }
    let entry = channels[index].entry
    complete("SDU", whole.raw, entry?.cutter == nil ? entry : nil, packets: parts)
    sdu(whole.raw, on: id, packets: parts, moment)
  }

  /// The end of an SDU passed of which the recorder cut a part: who reads it gets what came before.
  private mutating func cutSDU(_ id: ChannelID, _ moment: PacketContext) {
    let assembly = channelStates[Int(id.index)].assembly[moment.side]
    channelStates[Int(id.index)].assembly[moment.side].end()
    var moment = moment
    moment.cut = assembly.count - assembly.bytes.count
    let channel = channels[Int(id.index)]
    if channel.entry == nil, accessories.framings.using(.psm(channel.psm)) == nil {
      incomplete(
        IncompletePDU(place: .channel(channel), have: assembly.bytes.count, cut: moment.cut),
        assembly.packets, moment)
    }
    sdu(assembly.bytes.raw, on: id, packets: assembly.packets, moment)
  }

  /// The numbers of the packets of the PDU that is being read.
  func packetsOfPDU(_ moment: PacketContext) -> [UInt32] {
    guard let link = moment.link, endsFragments(moment) else { return [moment.packet.number] }
    return linkTable[link].assembly[moment.stream].packets
  }

  /// Whether the PDU that is being read came in several packets.
  func endsFragments(_ moment: PacketContext) -> Bool {
    row.flags.contains(.completes) || moment.endsFragments
  }

  func framesOfPDU(_ moment: PacketContext) -> [PacketID] {
    guard endsFragments(moment) else { return [moment.packet] }
    return packetsOfPDU(moment).map { PacketID($0) }
  }

  mutating func dropSDU(_ id: ChannelID, _ moment: PacketContext) {
    let assembly = channelStates[Int(id.index)].assembly[moment.side]
    channelStates[Int(id.index)].assembly[moment.side].end()
    loseMessage(of: channels[Int(id.index)].stream, moment)
    incomplete(
      IncompletePDU(
        place: .channel(channels[Int(id.index)]), have: assembly.bytes.count,
        missing: max(0, assembly.expected - assembly.count),
        cut: assembly.count - assembly.bytes.count),
      assembly.packets, moment)
  }

  // MARK: Credits. 10

  private mutating func spend(_ id: ChannelID, _ moment: PacketContext) {
    guard let credits = channelStates[Int(id.index)].credits[moment.side] else { return }
    if credits == 0 {
      // Told once: the count begins anew with the next credits.
      channelStates[Int(id.index)].credits[moment.side] = nil
      emit(
        .channel(
          .creditsExceeded(
            .init(
              channel: channels[Int(id.index)], byPeer: moment.direction == .controllerToHost))),
        moment, severity: .error)
    } else {
      channelStates[Int(id.index)].credits[moment.side] = credits - 1
      if credits == 1 { channelStates[Int(id.index)].spentAt[moment.side] = moment.time }
    }
  }

  /// The longest time without credits that is nothing to tell of, in nanoseconds.
  private static var patience: Int64 { 1_000_000_000 }

  /// There are credits again for the direction, or there never will be.
  mutating func endLack(of id: ChannelID, _ side: Int, _ moment: PacketContext) {
    guard let since = channelStates[Int(id.index)].spentAt[side] else { return }
    channelStates[Int(id.index)].spentAt[side] = nil
    let nanoseconds = moment.time.since(since)
    guard nanoseconds >= Self.patience else { return }
    emit(
      .channel(
        .creditsLacking(
          .init(
            channel: channels[Int(id.index)],
            byPeer: side == Int(Direction.controllerToHost.rawValue), nanoseconds: nanoseconds))),
      moment)
  }

  /// `credits` more K-frames may be sent to the endpoint `cid` of who sends this. 4.24.
  mutating func granted(_ credits: UInt16, at cid: UInt16, _ link: LinkID, _ moment: PacketContext)
  {
    let direction = moment.direction.opposite
    guard let id = linkTable.channel(on: link, Self.key(cid, direction)) else { return }
    let side = Int(direction.rawValue)
    endLack(of: id, side, moment)
    let before = channelStates[Int(id.index)].credits[side]
    channelStates[Int(id.index)].credits[side] = min(65_535, (before ?? 0) + Int(credits))
  }

  // MARK: SDUs

  /// A whole SDU of a channel, which came in `parts`: in the record alone where that is empty.
  mutating func sdu(
    _ bytes: RawSpan, on id: ChannelID, packets parts: [UInt32], _ moment: PacketContext
  ) {
    streamed(bytes, channels[Int(id.index)].stream, moment)
    if channelStates[Int(id.index)].isUnidentified { identify(bytes, on: id, moment) }
    if accessories.framings.usesStreams {
      let isFromPeer = moment.direction == .controllerToHost
      vendorData(
        bytes, .psm(channels[Int(id.index)].psm),
        toServer: channels[Int(id.index)].isPeerRequest == isFromPeer, packets: parts, moment)
    }
    if let entry = channels[Int(id.index)].entry, entry.cutter != nil {
      let stream = channels[Int(id.index)].stream
      if cut(bytes, by: entry, of: stream, packets: parts, isInPlace: parts.isEmpty, moment) {
        inner = entry
      }
    }
    switch FixedPSM(rawValue: channels[Int(id.index)].psm) {
    case .att, .eatt: bearer(bytes, on: id, moment)
    case .sdp: sdp(bytes, on: id, packets: parts, moment)
    case .rfcomm: rfcomm(bytes, on: id, packets: parts, moment)
    case .hidControl: hidControl(bytes, moment)
    case .hidInterrupt: hidReport(bytes)
    case .avctp, .avctpBrowsing: avctp(bytes, on: id, packets: parts, moment)
    case .avdtp: avdtp(bytes, on: id, packets: parts, moment)
    case nil: if isAAP(id) { aap(bytes, on: id, moment) }
    }
  }
}
