import HarkCore
import HarkDissection

/// Follows RFCOMM: data links, credits, and the followers of their content. RFCOMM 1.2, TS 27.010.
struct RFCOMMFollower {
  /// The index of an L2CAP channel's session in the list.
  private(set) var multiplexerAt = FoundRecently<ChannelID, Int>()
  var multiplexers: [Multiplexer] = []
  var dataLinks: [DataLink] = []
  /// In the order of the capture; some may have their answers.
  var waiting: [Waiting] = []
  var suspects: [LinkCID: RFCOMMSuspect] = [:]

  /// The classes of the service that a data link leads to, if SDP showed it.
  func services(ofDataLink index: Int) -> [BluetoothUUID] {
    dataLinks[index].service?.classes ?? []
  }

  /// A complete frame of an RFCOMM session.
  mutating func take(
    _ bytes: RawSpan, on id: ChannelID, packets parts: [UInt32], _ moment: PacketContext,
    _ tables: inout Tables, _ accessory: inout AccessoryFollower, _ streams: inout StreamFollower
  ) {
    let frame = RFCOMMFrame(bytes, isCut: moment.isTruncated)
    guard frame.isWhole else {
      return lost(bytes, frame, id, moment, &tables, &accessory, &streams)
    }
    if frame.hasBadFCS {
      tables.emit(
        .rfcomm(.wrongFCS(.init(dlci: frame.dlci, byPeer: moment.isFromPeer))), moment,
        severity: .warning)
      return conceal(frame, id, moment, &tables)
    }
    let session = multiplexer(of: id)
    if multiplexers[session].initiator == nil, !moment.isUndirected,
      let isOfInitiator = frame.isOfInitiator
    {
      multiplexers[session].initiator =
        isOfInitiator ? moment.direction : moment.direction.opposite
    }
    guard frame.dlci > 0 else {
      if let type = frame.type { supervise(type, ofSession: session, id, moment, &tables) }
      if let command = frame.command { control(command, session, id, moment, &tables) }
      return
    }
    answer(session, moment)
    if case .uih? = frame.type, isStray(frame.dlci, session, moment, tables) {
      stray(frame.dlci, session, id, moment, &tables)
      return conceal(frame, id, moment, &tables)
    }
    let index = dataLink(frame.dlci, session, id, moment)
    tables.record.dataLink = index
    // Comparing these patterns takes a fraction of the time that == takes, which calls the enumeration's Equatable.
    if case .uih? = frame.type {
      data(bytes, frame, index, packets: parts, moment, &tables, &accessory, &streams)
    } else if let type = frame.type {
      supervise(type, index, moment, &tables, &accessory, &streams)
    }
  }

  /// The recorder kept too little of a frame to read it.
  private mutating func lost(
    _ bytes: RawSpan, _ frame: RFCOMMFrame, _ id: ChannelID, _ moment: PacketContext,
    _ tables: inout Tables, _ accessory: inout AccessoryFollower, _ streams: inout StreamFollower
  ) {
    guard moment.isTruncated, frame.type == .uih, frame.dlci > 0, let session = multiplexerAt[id]
    else { return }
    let number = multiplexers[session].links[Int(frame.dlci)]
    guard number > 0, dataLinks[Int(number) - 1].phase == .open,
      let stream = dataLinks[Int(number) - 1].stream
    else { return }
    carried(
      bytes.extracting(0..<0), Int(number) - 1, on: stream, packets: [], moment, &tables,
      &accessory, &streams)
  }

  /// A frame that its receiver discards: no follower reads it, so nothing determines whether it contains a key. Its
  /// DLCI may be wrong, too: it may belong to any data link of the session.
  private func conceal(
    _ frame: RFCOMMFrame, _ id: ChannelID, _ moment: PacketContext, _ tables: inout Tables
  ) {
    if let link = moment.link { tables.concealOrphan(link) }
    let numbers = multiplexerAt[id].map { multiplexers[$0].links } ?? []
    let isKnown = frame.dlci < numbers.count && numbers[Int(frame.dlci)] > 0
    let mayCarryKeys = numbers.contains { number in
      guard number > 0 else { return false }
      let dataLink = dataLinks[Int(number) - 1]
      return dataLink.cargo == .iap || dataLink.vendorChannel != nil
        || dataLink.entry?.cutter?.holdsSecrets == true
    }
    if !isKnown || mayCarryKeys { tables.record.row.flags.insert(.secret) }
  }

  private mutating func multiplexer(of id: ChannelID) -> Int {
    if let session = multiplexerAt.find(id) { return session }
    multiplexers.append(Multiplexer())
    multiplexerAt[id] = multiplexers.count - 1
    return multiplexers.count - 1
  }

  /// The data link with the number `dlci`; begins one if necessary.
  mutating func dataLink(
    _ dlci: UInt8, _ session: Int, _ id: ChannelID, _ moment: PacketContext
  ) -> Int {
    let known = multiplexers[session].links[Int(dlci & 63)]
    if known > 0 { return Int(known) - 1 }
    dataLinks.append(newDataLink(dlci, session, id, moment))
    multiplexers[session].links[Int(dlci & 63)] = UInt32(truncatingIfNeeded: dataLinks.count)
    return dataLinks.count - 1
  }

  func newDataLink(
    _ dlci: UInt8, _ session: Int, _ id: ChannelID, _ moment: PacketContext
  ) -> DataLink {
    // Even numbers lead to services of the side that did not start the session. RFCOMM 5.4
    let initiator = multiplexers[session].initiator ?? moment.direction
    let isLocal = (initiator == .hostToController) == (dlci & 1 == 1)
    return DataLink(channel: id, dlci: dlci, isLocalService: isLocal)
  }

  // MARK: Supervision. TS 27.010 5.4

  private mutating func supervise(
    _ frame: RFCOMMFrame.FrameType, _ index: Int, _ moment: PacketContext, _ tables: inout Tables,
    _ accessory: inout AccessoryFollower, _ streams: inout StreamFollower
  ) {
    // After its DISC, a side sends DM for what still comes, which is no answer to the DISC. TS 27.010 5.4.4
    if frame == .ua || frame == .dm, let request = dataLinks[index].request,
      moment.isSenderKnown, request.direction == moment.direction,
      dataLinks[index].phase == .asked || dataLinks[index].phase == .ending
    {
      return
    }
    switch (frame, dataLinks[index].phase) {
    case (.sabm, .idle):
      dataLinks[index].phase = .asked
      dataLinks[index].lost = tables.counts.lost
      dataLinks[index].isPeerRequest = moment.isFromPeer
      dataLinks[index].request = (moment.packet, moment.direction)
      dataLinks[index].isReported = false
      noteReopening(index)
      if let session = multiplexerAt[dataLinks[index].channel] {
        wait(session, dataLinks[index].channel, dataLink: index, moment)
      }
    // The side that requested it gives up: what answers this opens nothing.
    case (.disc, .asked):
      leaveUnanswered(index, moment, &tables)
      dataLinks[index].phase = .ending
      dataLinks[index].request = (moment.packet, moment.direction)
    case (.disc, .open):
      dataLinks[index].phase = .ending
      dataLinks[index].request = (moment.packet, moment.direction)
    case (.ua, .asked):
      relate(index, moment, &tables)
      open(index, byPeer: moment.direction == .hostToController, moment, &tables)
    case (.ua, .ending), (.dm, .ending):
      relate(index, moment, &tables)
      if dataLinks[index].stream == nil { return forget(index, &streams) }
      close(index, moment, &tables, &accessory, &streams)
    case (.dm, .open): close(index, moment, &tables, &accessory, &streams)
    case (.dm, .asked): refuse(index, moment, &tables, &streams)
    // In answer to PN. RFCOMM 5.5.3
    case (.dm, .idle):
      guard let asked = dataLinks[index].request, moment.isSenderKnown,
        asked.direction != moment.direction
      else { return }
      refuse(index, moment, &tables, &streams)
    default: break
    }
  }

  private mutating func refuse(
    _ index: Int, _ moment: PacketContext, _ tables: inout Tables,
    _ streams: inout StreamFollower
  ) {
    relate(index, moment, &tables)
    name(index, moment, &tables)
    tables.emit(.rfcomm(.refused(.init(link: dataLinks[index]))), moment, severity: .warning)
    forget(index, &streams)
  }

  /// The current frame answers the pending PN, SABM or DISC.
  private func relate(_ index: Int, _ moment: PacketContext, _ tables: inout Tables) {
    if let request = dataLinks[index].request { tables.relate(request.packet.number, moment) }
  }

  /// - Parameter byPeer: Whether the peer requested it.
  private mutating func open(
    _ index: Int, byPeer: Bool, _ moment: PacketContext, _ tables: inout Tables
  ) {
    name(index, moment, &tables)
    let link = dataLinks[index]
    let phase = link.phase
    dataLinks[index].phase = .open
    dataLinks[index].stream = tables.openStream(
      .dataLink(serverChannel: link.serverChannel), tables.channels[Int(link.channel.index)].link,
      parent: tables.channels[Int(link.channel.index)].stream,
      name: link.service?.classes.first.map { AssignedNumbers.name(of: $0) ?? "\($0)" },
      moment)
    if let stream = dataLinks[index].stream {
      tables.streams[Int(stream.index)].isOfLocalService = link.isLocalService
    }
    let wasOpen = tables.channels[Int(link.channel.index)].isInferred && phase == .idle
    tables.emit(
      .rfcomm(.opened(.init(link: dataLinks[index], byPeer: byPeer, wasOpen: wasOpen))), moment)
  }

  /// Looks up the service in the SDP records.
  mutating func name(_ index: Int, _ moment: PacketContext, _ tables: inout Tables) {
    let link = dataLinks[index]
    let isLocal = link.isLocalService
    let owner = tables.database(
      tables.channels[Int(link.channel.index)].link,
      clientDirection: isLocal ? .controllerToHost : .hostToController)
    dataLinks[index].service = tables.services.find(serverChannel: link.serverChannel, of: owner)
    let classes = dataLinks[index].service?.classes ?? []
    for uuid in classes where dataLinks[index].entry == nil {
      dataLinks[index].entry = tables.catalog.entry(at: .service(uuid))
    }
    if dataLinks[index].entry == nil {
      dataLinks[index].entry = tables.catalog.entry(at: .serverChannel(link.serverChannel))
    }
    dataLinks[index].vendorChannel = vendorChannel(of: dataLinks[index], tables)
  }

  private mutating func close(
    _ index: Int, _ moment: PacketContext, _ tables: inout Tables,
    _ accessory: inout AccessoryFollower, _ streams: inout StreamFollower
  ) {
    guard dataLinks[index].phase != .idle else { return }
    if let stream = dataLinks[index].stream {
      streams.close(stream, moment, &tables, &accessory)
    }
    tables.emit(.rfcomm(.closed(.init(link: dataLinks[index]))), moment)
    if let session = multiplexerAt[dataLinks[index].channel] {
      multiplexers[session].lostAtClose = tables.counts.lost
    }
    forget(index, &streams)
  }

  /// The next frames with its number belong to another data link.
  private mutating func forget(_ index: Int, _ streams: inout StreamFollower) {
    let link = dataLinks[index]
    if let stream = link.stream { streams.handsFree.end(stream) }
    dataLinks[index].phase = .idle
    if let session = multiplexerAt[link.channel] {
      multiplexers[session].links[Int(link.dlci)] = 0
      if link.stream != nil { multiplexers[session].closed |= 1 << link.dlci }
    }
  }

  /// The L2CAP channel ended, and with it all of its data links.
  mutating func end(
    of id: ChannelID, _ moment: PacketContext, _ tables: inout Tables,
    _ accessory: inout AccessoryFollower, _ streams: inout StreamFollower
  ) {
    guard let session = multiplexerAt[id] else { return }
    leaveUnanswered(session, of: id, moment, &tables)
    multiplexers[session].request = nil
    waiting.removeAll { $0.channel == id }
    multiplexerAt[id] = nil
    for number in multiplexers[session].links where number > 0 {
      let index = Int(number) - 1
      if let stream = dataLinks[index].stream {
        streams.close(stream, moment, &tables, &accessory)
        streams.handsFree.end(stream)
      }
      dataLinks[index].phase = .idle
    }
    multiplexers[session].links = []
  }

  // MARK: Data

  private mutating func data(
    _ bytes: RawSpan, _ frame: RFCOMMFrame, _ index: Int, packets parts: [UInt32],
    _ moment: PacketContext, _ tables: inout Tables, _ accessory: inout AccessoryFollower,
    _ streams: inout StreamFollower
  ) {
    if dataLinks[index].phase == .idle || dataLinks[index].phase == .asked {
      // Without its request: the client opens a data link to a service of the other side.
      let isPeerRequest =
        dataLinks[index].phase == .asked
        ? dataLinks[index].isPeerRequest : dataLinks[index].isLocalService
      open(index, byPeer: isPeerRequest, moment, &tables)
    }
    let other = Int(moment.direction.opposite.rawValue)
    if frame.credits > 0, let credits = dataLinks[index].credits[other] {
      dataLinks[index].credits[other] = min(65_535, credits + Int(frame.credits))
      endLack(index, other, moment, tables)
    }
    checkSize(frame, index, moment, &tables)
    var moment = moment
    // Possibly only the FCS after the information is missing.
    if moment.isTruncated { moment.cut = frame.missing }
    guard !frame.information.isEmpty || moment.isTruncated, let stream = dataLinks[index].stream
    else {
      return
    }
    if dataLinks[index].isCreditBased { spend(index, moment, &tables) }
    carried(
      bytes.extracting(frame.information), index, on: stream, packets: parts, moment, &tables,
      &accessory, &streams)
  }

  /// The information of a frame, as far as the recorder kept it.
  private mutating func carried(
    _ information: RawSpan, _ index: Int, on stream: StreamID, packets parts: [UInt32],
    _ moment: PacketContext, _ tables: inout Tables, _ accessory: inout AccessoryFollower,
    _ streams: inout StreamFollower
  ) {
    tables.streamed(information, stream, moment)
    if let channel = dataLinks[index].vendorChannel {
      accessory.vendorData(
        information, channel, of: stream,
        toServer: dataLinks[index].isLocalService == moment.isFromPeer, packets: parts, moment,
        &tables)
    }
    if dataLinks[index].cargo == .unknown, information.byteCount > 0 || !moment.isTruncated {
      recognize(information, index, moment, &tables, &streams)
    }
    switch dataLinks[index].cargo {
    case .handsFree:
      streams.handsFree.take(
        information, on: dataLinks[index], stream, packets: parts, moment, &tables)
    case .iap:
      streams.iap2.take(
        information, on: stream, packets: parts, moment, &tables, &accessory, &streams.messages)
    case .unknown, .opaque:
      if let entry = dataLinks[index].entry,
        streams.messages.cut(
          information, by: entry, of: stream, packets: parts, isInPlace: true,
          isFramed: dataLinks[index].vendorChannel != nil, moment, &tables)
      {
        tables.record.inner = Entry.Reference(entry)
      }
    }
  }

  /// By the first class of the service that a framing uses, or by its number; nil if no framing uses
  /// either.
  private func vendorChannel(of dataLink: DataLink, _ tables: borrowing Tables) -> VendorChannel? {
    guard tables.framings.usesStreams else { return nil }
    let classes = dataLink.service?.classes ?? []
    let known = classes.lazy.map { VendorChannel.service($0) }.first { tables.framings.uses($0) }
    if let known { return known }
    let number = VendorChannel.serverChannel(dataLink.serverChannel)
    return tables.framings.uses(number) ? number : nil
  }

  /// The largest number of frames that are examined.
  private static let mostExamined = 64

  /// Determines the content of the data link by its service, or else by its first lines.
  private mutating func recognize(
    _ bytes: RawSpan, _ index: Int, _ moment: PacketContext, _ tables: inout Tables,
    _ streams: inout StreamFollower
  ) {
    let handsFree = tables.catalog.entry(at: .service(HFPMessage.handsFree))
    if dataLinks[index].service == nil {
      if HFPMessage.isInside(bytes) { infer(handsFree, index, moment, &tables) }
      // A capture may begin in the middle of a packet.
      let isLate = tables.channels[Int(dataLinks[index].channel.index)].isInferred
      if dataLinks[index].examined == 0 || isLate, IAP2Buffer.resembles(bytes) {
        infer(streams.iap2.entries.link, index, moment, &tables)
      }
      if dataLinks[index].examined == 0, dataLinks[index].entry == nil,
        let entry = MessageFollower.entry(recognizedBy: bytes, moment, tables.catalog)
      {
        infer(entry, index, moment, &tables)
      }
    }
    guard let entry = dataLinks[index].entry else {
      // A capture may begin with lines that others send, too, such as OK, or in the middle of one.
      dataLinks[index].examined += 1
      if dataLinks[index].service != nil || dataLinks[index].examined >= Self.mostExamined {
        dataLinks[index].cargo = .opaque
      }
      return
    }
    dataLinks[index].cargo =
      entry === handsFree ? .handsFree : entry === streams.iap2.entries.link ? .iap : .opaque
  }

  private mutating func infer(
    _ entry: Entry?, _ index: Int, _ moment: PacketContext, _ tables: inout Tables
  ) {
    guard let entry else { return }
    dataLinks[index].entry = entry
    if let stream = dataLinks[index].stream {
      tables.streams[Int(stream.index)].name = entry.name.description
      tables.streams[Int(stream.index)].isInferred = true
    }
    tables.emit(
      .rfcomm(
        .recognized(
          .init(link: dataLinks[index], protocolName: entry.name.description))), moment,
      severity: .warning)
  }
}
