import HarkCore
import HarkDissection

// Dynamic L2CAP channels: their modes, segments, credits. Core Specification, Vol 3, Part A, 5 to 10.
extension TrafficFollower {
  /// A complete frame of the dynamic channel `facts.cid`, read at `place`.
  mutating func dynamicFrame(
    _ bytes: RawSpan, _ place: AttachmentPoint, _ facts: Facts, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    tables.counts.dynamicChannels += 1
    guard let link = moment.link,
      let id = tables.links.channelOfFrame(on: link, Tables.key(facts.cid, moment.direction))
        ?? inferChannel(bytes.extracting(facts.payload), facts.cid, link, moment, &tables)
    else {
      if let link = moment.link, !facts.isMalformed {
        let payload = bytes.extracting(facts.payload)
        tables.streamedUnknown(payload, facts.cid, link, moment)
        if tables.isUndescribed(facts.cid, payload, link) {
          tables.hintAtKey(payload, at: .cid(facts.cid), moment)
          tables.data(payload, at: .cid(facts.cid), by: nil, [], moment)
        }
        if tables.framings.isListening {
          accessory.vendorData(
            payload, .cid(facts.cid), of: nil, toServer: moment.direction == .hostToController,
            packets: [], moment, &tables)
        }
      }
      return
    }
    tables.record.row.channelNumber = id.index + 1
    guard !facts.isMalformed else { return }
    if tables.channels[Int(id.index)].isUnconfigured { tables.channelOpened(id, moment) }
    if tables.channelStates[Int(id.index)].framing.mode == .basic {
      checkMTU(facts.payload.count + moment.cut, id, moment, &tables)
      sdu(bytes.extracting(facts.payload), on: id, packets: [], moment, &tables)
    } else {
      let index = Int(id.index)
      if tables.channelStates[index].framing.mode == .creditBased,
        tables.channelStates[index].assembly[moment.side].isOpen,
        isCutOff(by: bytes.extracting(facts.payload), id, moment, tables)
      {
        dropSDU(id, moment, &tables)
      }
      if tables.channelStates[index].framing.mode == .creditBased {
        spend(id, moment, &tables)
        guard findsBeginning(bytes.extracting(facts.payload), id, moment, &tables) else { return }
      }
      tables.record.beginsSDU = !tables.channelStates[index].assembly[moment.side].isOpen
      var context = tables.context(moment)
      context.framing = tables.framing(of: id)
      segment(bytes, tables.catalog.summarize(bytes, place, context), id, moment, &tables)
    }
  }

  // MARK: Segments

  private mutating func segment(
    _ bytes: RawSpan, _ facts: Facts, _ id: ChannelID, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    let framing = tables.channelStates[Int(id.index)].framing
    guard !facts.isMalformed else { return }
    if facts.hasBadFCS {
      return damaged(bytes.extracting(facts.payload), facts, id, moment, &tables)
    }
    // The FCS is at the end of the part that was cut.
    let hasFCS = framing.mode != .creditBased && framing.hasFCS
    let cut = max(0, moment.cut - (hasFCS ? 2 : 0))
    if framing.resends, let reqSeq = facts.reqSeq { acknowledged(reqSeq, id, moment, &tables) }
    if framing.mode == .enhancedRetransmission { checkWindow(facts, id, moment, &tables) }
    guard facts.segment != .none, facts.segment != .notReady else { return }
    let part = bytes.extracting(facts.payload)
    if facts.segment != .whole, let link = moment.link {
      concealSegment(part, id, link, moment, &tables)
    }
    if framing.mode == .creditBased {
      checkLimits(part.byteCount + cut, facts, id, moment, &tables)
      place(part, facts.segment, facts.sduLength, [], cut: cut, id, moment, &tables)
    } else {
      arrived(part, facts, cut: cut, id, moment, &tables)
    }
  }

  /// Whether it is known where the SDU of a K-frame begins. After a frame whose SDU Length was not even kept, a
  /// complete frame that fits its own length counts as a beginning.
  private mutating func findsBeginning(
    _ frame: RawSpan, _ id: ChannelID, _ moment: PacketContext, _ tables: inout Tables
  ) -> Bool {
    let (index, side) = (Int(id.index), moment.side)
    guard !tables.channelStates[index].assembly[side].isOpen else { return true }
    let size = KFrameBeginning(frame).size
    if moment.isTruncated, size == nil { tables.channelStates[index].assembly[side].isLost = true }
    guard tables.channelStates[index].assembly[side].isLost else { return true }
    guard !moment.isTruncated, size == frame.byteCount else { return false }
    tables.channelStates[index].assembly[side].isLost = false
    return true
  }

  /// The next segment in order, from `packets`; from the record alone if that is empty.
  /// - Parameter cut: How many of its bytes the recorder cut.
  mutating func place(
    _ part: RawSpan, _ segment: Facts.Segment, _ sduLength: UInt16, _ packets: [UInt32],
    cut: Int, _ id: ChannelID, _ moment: PacketContext, _ tables: inout Tables
  ) {
    let (index, side) = (Int(id.index), moment.side)
    let isCreditBased = tables.channelStates[index].framing.mode == .creditBased
    let size = part.byteCount + cut
    var moment = moment
    moment.cut = cut
    if segment == .whole || segment == .first, tables.channelStates[index].assembly[side].isOpen {
      dropSDU(id, moment, &tables)
    }
    // The rest of a cut K-frame is shorter than the SDU in any case.
    let isWhole =
      segment == .whole
      || segment == .first && isCreditBased
        && (Int(sduLength) == size
          || Int(sduLength) < size && mayMissFrames(id, moment, tables))
    if isWhole {
      return sdu(part, on: id, packets: packets, moment, &tables)
    }
    if segment == .first {
      tables.channelStates[index].assembly[side].begin(Int(sduLength), lost: tables.counts.lost)
    }
    // Its beginning is missing: this was reported, or the capture began later.
    guard tables.channelStates[index].assembly[side].isOpen else { return }
    let fits = tables.channelStates[index].assembly[side].add(
      part, cut: cut, packets.isEmpty ? tables.packetsOfPDU(moment) : packets)
    guard fits else { return overrun(by: size, id, moment, &tables) }
    let isLast =
      segment == .last || isCreditBased && tables.channelStates[index].assembly[side].isWhole
    guard isLast else { return }
    guard tables.channelStates[index].assembly[side].isWhole else {
      return dropSDU(id, moment, &tables)
    }
    if tables.channelStates[index].assembly[side].isCut { return cutSDU(id, moment, &tables) }
    tables.channelStates[index].assembly[side].end()
    let whole = tables.channelStates[index].assembly[side].bytes
    let parts = tables.channelStates[index].assembly[side].packets
    for part in parts {
      tables.packets.update(part) { if $0.chain == 0 { $0.chain = moment.packet.number } }
    }
    let entry = tables.channels[index].entry
    tables.complete("SDU", whole.raw, entry?.isCut != true ? entry : nil, packets: parts)
    sdu(whole.raw, on: id, packets: parts, moment, &tables)
  }

  /// The end of an SDU that the recorder cut: its reader gets the bytes before the cut.
  private mutating func cutSDU(_ id: ChannelID, _ moment: PacketContext, _ tables: inout Tables) {
    let assembly = tables.channelStates[Int(id.index)].assembly[moment.side]
    tables.channelStates[Int(id.index)].assembly[moment.side].end()
    var moment = moment
    moment.cut = assembly.count - assembly.bytes.count
    let channel = tables.channels[Int(id.index)]
    if channel.entry == nil, tables.framings.using(.psm(channel.psm)) == nil {
      tables.incomplete(
        IncompletePDU(place: .channel(channel), have: assembly.bytes.count, cut: moment.cut),
        assembly.packets, moment)
    }
    sdu(assembly.bytes.raw, on: id, packets: assembly.packets, moment, &tables)
  }

  mutating func dropSDU(_ id: ChannelID, _ moment: PacketContext, _ tables: inout Tables) {
    let assembly = tables.channelStates[Int(id.index)].assembly[moment.side]
    tables.channelStates[Int(id.index)].assembly[moment.side].end()
    streams.messages.loseMessage(of: tables.channels[Int(id.index)].stream, moment)
    tables.incomplete(
      IncompletePDU(
        place: .channel(tables.channels[Int(id.index)]), have: assembly.bytes.count,
        missing: max(0, assembly.expected - assembly.count),
        cut: assembly.count - assembly.bytes.count),
      assembly.packets, moment)
  }

  // MARK: Limits. 3.4.3, 4.22, 4.24

  /// - Parameter size: How many bytes of an SDU a K-frame contains.
  private mutating func checkLimits(
    _ size: Int, _ facts: Facts, _ id: ChannelID, _ moment: PacketContext, _ tables: inout Tables
  ) {
    let (index, side) = (Int(id.index), moment.side)
    if let most = tables.channelStates[index].largestFrames[side], size > Int(most) {
      exceeded(.frameSize, size, most: Int(most), id, moment, &tables)
    }
    let begins = facts.segment == .first || facts.segment == .whole
    let mtu = tables.channelStates[index].mtus[side]
    // SDUs of a bearer are judged as PDUs of ATT.
    if begins, tables.channels[index].limits != nil, facts.sduLength > mtu,
      tables.channels[index].psm != FixedPSM.eatt.rawValue
    {
      exceeded(.sduSize, Int(facts.sduLength), most: Int(mtu), id, moment, &tables)
    }
  }

  mutating func exceeded(
    _ limit: ChannelEvent.LimitExceeded.Limit, _ value: Int, most: Int, _ id: ChannelID,
    _ moment: PacketContext, _ tables: inout Tables
  ) {
    let index = Int(id.index)
    guard !moment.isUndirected,
      tables.channelStates[index].exceeds[moment.side].insert(ExceededLimits(limit)).inserted
    else { return }
    tables.emit(
      .channel(
        .limitExceeded(
          .init(
            channel: tables.channels[index], byPeer: moment.isFromPeer, limit: limit, value: value,
            most: most))), moment,
      severity: limit == .noCredits || limit == .notReady ? .warning : .error)
  }

  // MARK: Credits. 10

  private mutating func spend(_ id: ChannelID, _ moment: PacketContext, _ tables: inout Tables) {
    guard let credits = tables.channelStates[Int(id.index)].credits[moment.side] else { return }
    if credits == 0 {
      // Reported once: the count restarts with the next credits.
      tables.channelStates[Int(id.index)].credits[moment.side] = nil
      tables.emit(
        .channel(
          .creditsExceeded(
            .init(
              channel: tables.channels[Int(id.index)], byPeer: moment.isFromPeer
            ))),
        moment, severity: .error)
    } else {
      tables.channelStates[Int(id.index)].credits[moment.side] = credits - 1
      if credits == 1 {
        tables.channelStates[Int(id.index)].spentAt[moment.side] = PacketTime(moment)
      }
    }
  }

  /// The longest time without credits that is not reported, in nanoseconds.
  private static var waitLimit: Int64 { 1_000_000_000 }

  /// The direction has credits again, or will never get any.
  mutating func endLack(
    of id: ChannelID, _ side: Int, _ moment: PacketContext, _ tables: inout Tables
  ) {
    guard let since = tables.channelStates[Int(id.index)].spentAt[side] else { return }
    tables.channelStates[Int(id.index)].spentAt[side] = nil
    guard let nanoseconds = tables.counts.elapsed(since: since, moment),
      nanoseconds >= Self.waitLimit
    else { return }
    tables.emit(
      .channel(
        .creditsLacking(
          .init(
            channel: tables.channels[Int(id.index)],
            byPeer: side == Int(Direction.controllerToHost.rawValue), nanoseconds: nanoseconds))),
      moment)
  }

  /// `credits` more K-frames may be sent to the endpoint `cid` of the sender of this packet. 4.24.
  mutating func granted(
    _ credits: UInt16, at cid: UInt16, _ link: LinkID, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    let direction = moment.direction.opposite
    guard let id = tables.links.channel(on: link, Tables.key(cid, direction)) else { return }
    let side = Int(direction.rawValue)
    endLack(of: id, side, moment, &tables)
    let before = tables.channelStates[Int(id.index)].credits[side]
    if credits == 0 { exceeded(.noCredits, 0, most: 65_535, id, moment, &tables) }
    if let before, before + Int(credits) > 65_535 {
      exceeded(.credits, before + Int(credits), most: 65_535, id, moment, &tables)
    }
    tables.channelStates[Int(id.index)].credits[side] = min(65_535, (before ?? 0) + Int(credits))
  }

  // MARK: SDUs

  /// A complete SDU of a channel, from the packets `parts`; from the record alone if that is empty.
  mutating func sdu(
    _ bytes: RawSpan, on id: ChannelID, packets parts: [UInt32], _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    tables.streamed(bytes, tables.channels[Int(id.index)].stream, moment)
    if tables.channelStates[Int(id.index)].isUnidentified {
      identify(bytes, on: id, moment, &tables)
    }
    if tables.framings.usesCIDs
      || tables.framings.uses(psm: tables.channels[Int(id.index)].psm)
    {
      let cid = tables.channelStates[Int(id.index)].numberedCID
      accessory.vendorData(
        bytes, cid.map { .cid($0) } ?? .psm(tables.channels[Int(id.index)].psm),
        of: tables.channels[Int(id.index)].stream,
        toServer: tables.channels[Int(id.index)].isPeerRequest == moment.isFromPeer, packets: parts,
        moment, &tables)
    }
    // A fragment of the SDU cannot show which of its bytes are a key.
    if let entry = tables.channels[Int(id.index)].entry, entry.holdsKeys {
      tables.concealPDU(moment)
      tables.conceal(parts)
    }
    if let entry = tables.channels[Int(id.index)].entry, entry.isCut {
      let stream = tables.channels[Int(id.index)].stream
      if streams.messages.cut(
        bytes, by: entry, of: stream, packets: parts, isInPlace: parts.isEmpty,
        isFramed: tables.isFramed(id), moment, &tables)
      {
        tables.record.inner = Entry.Reference(entry)
      }
    }
    switch FixedPSM(rawValue: tables.channels[Int(id.index)].psm) {
    case .att, .eatt: att.bearer(bytes, on: id, moment, &tables, &leAudio, &accessory)
    case .sdp: sdp.take(bytes, on: id, packets: parts, moment, &tables)
    case .rfcomm: rfcomm.take(bytes, on: id, packets: parts, moment, &tables, &accessory, &streams)
    case .bnep: bnep.take(bytes, on: id, packets: parts, moment, &tables)
    case .hidControl: hid.control(bytes, moment, &tables)
    case .hidInterrupt: hid.input(bytes, &tables)
    case .avctp, .avctpBrowsing: audio.avctp(bytes, on: id, packets: parts, moment, &tables)
    case .avdtp: audio.avdtp(bytes, on: id, packets: parts, moment, &tables)
    case nil:
      if tables.isAAP(id) {
        aap.take(bytes, on: id, moment, &tables)
      } else if tables.isUndescribed(id) {
        if tables.channels[Int(id.index)].entry == nil {
          tables.hintAtKey(bytes, at: .channel(id), moment)
        }
        tables.data(
          bytes, at: .channel(id), by: tables.channels[Int(id.index)].entry, parts, moment)
      }
    }
  }
}

extension Tables {
  /// Whether neither a built-in protocol nor a framing reads the channel, and no layout cuts it into messages. A
  /// channel that may still be recognized by its form may contain a key.
  func isUndescribed(_ id: ChannelID) -> Bool {
    let (channel, state) = (channels[Int(id.index)], channelStates[Int(id.index)])
    guard channel.entry.map({ $0.isLayout && !$0.isCut }) ?? true, !state.isUnidentified
    else { return false }
    return !isFramed(id)
  }

  /// Whether messages of the channel may contain keys.
  func mayCarryKeys(_ id: ChannelID) -> Bool {
    isFramed(id)
      || channels[Int(id.index)].entry.map { $0.holdsKeys || $0.cutter?.holdsSecrets == true }
        ?? false
  }

  /// Whether a framing reads the channel.
  fileprivate func isFramed(_ id: ChannelID) -> Bool {
    channelStates[Int(id.index)].numberedCID.map { framings.uses(.cid($0)) }
      ?? framings.uses(psm: channels[Int(id.index)].psm)
  }

  /// The same for a channel whose opening the capture does not show. On BR/EDR, the form of its frames may still show
  /// what it carries. If the transport is unknown, a frame with the length of its SDU is from LE.
  fileprivate func isUndescribed(_ cid: UInt16, _ frame: RawSpan, _ link: LinkID) -> Bool {
    let isLE =
      switch links[link].transport {
      case .le: true
      case .unknown:
        Self.dynamicCIDsOfLE.contains(cid) && frame.byteCount > KFrameBeginning.lengthSize
          && KFrameBeginning(frame).size == frame.byteCount
      default: false
      }
    return isLE && !framings.uses(.cid(cid))
  }

  /// Core Specification, Vol 3, Part A, 2.1.
  private static let dynamicCIDsOfLE: ClosedRange<UInt16> = 64...127

  /// How to read the frame of the channel that is being read or was read last.
  func framing(of id: ChannelID) -> L2CAPFraming {
    var framing = channelStates[Int(id.index)].framing
    framing.beginsSDU = record.beginsSDU
    return framing
  }

  /// The numbers of the packets of the PDU that is being read.
  func packetsOfPDU(_ moment: PacketContext) -> [UInt32] {
    guard let link = moment.link, endsFragments(moment) else { return [moment.packet.number] }
    return links[link].assembly[moment.stream].packets
  }

  /// Whether the PDU that is being read consists of several packets.
  func endsFragments(_ moment: PacketContext) -> Bool {
    record.row.flags.contains(.completes) || moment.endsFragments
  }

  func framesOfPDU(_ moment: PacketContext) -> [PacketID] {
    guard endsFragments(moment) else { return [moment.packet] }
    return packetsOfPDU(moment).map { PacketID($0) }
  }
}
