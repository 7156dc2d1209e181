import HarkCore
import HarkDissection

// RFCOMM: data links, credits, and what they carry. RFCOMM 1.2, TS 27.010.
extension Session {
  /// A whole frame of an RFCOMM session.
  mutating func rfcomm(
    _ bytes: RawSpan, on id: ChannelID, packets parts: [UInt32], _ moment: Moment
  ) {
    guard let entry = channels[Int(id.index)].entry else { return }
    let facts = catalog.summarize(bytes, entry, context(moment))
    guard !facts.isMalformed else { return lost(bytes, id, moment) }
    let dlci = UInt8(truncatingIfNeeded: facts.subcode)
    let session = multiplexer(of: id)
    switch (facts.code, dlci) {
    case (0x2F, 0): multiplexers[session].initiator = moment.direction
    case (0xEF, 0): control(bytes, facts, session, id, moment)
    case (_, 0): break
    default:
      let index = self.dataLink(dlci, session, id, moment)
      dataLink = index
      if facts.code == 0xEF {
        data(bytes, facts, index, packets: parts, moment)
      } else {
        supervise(facts.code, index, moment)
      }
    }
  }

  /// The recorder kept so little of a frame that it cannot be read.
  private mutating func lost(_ frame: RawSpan, _ id: ChannelID, _ moment: Moment) {
    guard moment.isSliced, frame.byteCount >= 2, frame.byte(at: 1) & 0xEF == 0xEF,
      let session = multiplexerAt[id], case let dlci = frame.byte(at: 0) >> 2, dlci > 0
    else { return }
    let number = multiplexers[session].links[Int(dlci)]
    guard number > 0, dataLinks[Int(number) - 1].phase == .open,
      let stream = dataLinks[Int(number) - 1].stream
    else { return }
    carried(frame.extracting(0..<0), Int(number) - 1, on: stream, packets: [], moment)
  }

  /// How many bytes of the information of a frame the recorder did not keep. TS 27.010 5.2.1.5
  private static func cut(_ frame: RawSpan, _ facts: Facts) -> Int {
    let length = Int(truncatingIfNeeded: frame.unsigned(at: 2, 2))
    let count = length & 1 == 1 ? length >> 1 & 0x7F : length >> 1
    return max(0, count - Int(facts.payloadCount))
  }

  private mutating func multiplexer(of id: ChannelID) -> Int {
    if let session = multiplexerAt[id] { return session }
    multiplexers.append(Multiplexer())
    multiplexerAt[id] = multiplexers.count - 1
    return multiplexers.count - 1
  }

  /// The data link with the number `dlci`; begins one where there is none.
  private mutating func dataLink(
    _ dlci: UInt8, _ session: Int, _ id: ChannelID, _ moment: Moment
  ) -> Int {
    let known = multiplexers[session].links[Int(dlci & 63)]
    if known > 0 { return Int(known) - 1 }
    // Even numbers lead to services of the side that did not begin the session. RFCOMM 5.4
    let initiator = multiplexers[session].initiator ?? moment.direction
    let isLocal = (initiator == .hostToController) == (dlci & 1 == 1)
    dataLinks.append(DataLink(channel: id, dlci: dlci, isLocalService: isLocal))
    multiplexers[session].links[Int(dlci & 63)] = UInt32(truncatingIfNeeded: dataLinks.count)
    return dataLinks.count - 1
  }

  // MARK: Supervision. TS 27.010 5.4

  private mutating func supervise(_ frame: UInt16, _ index: Int, _ moment: Moment) {
    switch (frame, dataLinks[index].phase) {
    case (0x2F, .idle): dataLinks[index].phase = .asked
    case (0x43, .open): dataLinks[index].phase = .ending
    case (0x63, .asked): open(index, byPeer: moment.direction == .hostToController, moment)
    case (0x63, .ending), (0x0F, .ending), (0x0F, .open): close(index, moment)
    case (0x0F, .asked):
      name(index, moment)
      emit(.rfcomm(.refused(.init(link: dataLinks[index]))), moment, severity: .warning)
      forget(index)
    default: break
    }
  }

  /// - Parameter byPeer: Whether the peer asked for it.
  private mutating func open(_ index: Int, byPeer: Bool, _ moment: Moment) {
    name(index, moment)
    let link = dataLinks[index]
    dataLinks[index].phase = .open
    dataLinks[index].stream = openStream(
      .dataLink(serverChannel: link.serverChannel), channels[Int(link.channel.index)].link,
      parent: channels[Int(link.channel.index)].stream,
      name: link.service?.classes.first.map { AssignedNumbers.name(of: $0) ?? "\($0)" },
      moment)
    emit(.rfcomm(.opened(.init(link: dataLinks[index], byPeer: byPeer))), moment)
  }

  /// Looks up what SDP says of the service.
  private mutating func name(_ index: Int, _ moment: Moment) {
    let link = dataLinks[index]
    let isLocal = link.isLocalService
    let owner = database(
      channels[Int(link.channel.index)].link,
      clientDirection: isLocal ? .controllerToHost : .hostToController)
    dataLinks[index].service = services.find(serverChannel: link.serverChannel, of: owner)
    let classes = dataLinks[index].service?.classes ?? []
    for uuid in classes where dataLinks[index].entry == nil {
      dataLinks[index].entry = catalog.entry(at: .service(uuid))
    }
    if dataLinks[index].entry == nil {
      dataLinks[index].entry = catalog.entry(at: .serverChannel(link.serverChannel))
    }
  }

  private mutating func close(_ index: Int, _ moment: Moment) {
    guard dataLinks[index].phase != .idle else { return }
    if let stream = dataLinks[index].stream { closeStream(stream, moment) }
    emit(.rfcomm(.closed(.init(link: dataLinks[index]))), moment)
    forget(index)
  }

  /// What comes under its number next is another data link.
  private mutating func forget(_ index: Int) {
    let link = dataLinks[index]
    if let state = link.handsFree { handsFrees[state].isOpen = false }
    dataLinks[index].phase = .idle
    if let session = multiplexerAt[link.channel] { multiplexers[session].links[Int(link.dlci)] = 0 }
  }

  /// The L2CAP channel ended, and all data links on it.
  mutating func endDataLinks(of id: ChannelID, _ moment: Moment) {
    guard let session = multiplexerAt.removeValue(forKey: id) else { return }
    for number in multiplexers[session].links where number > 0 {
      let index = Int(number) - 1
      if let stream = dataLinks[index].stream { closeStream(stream, moment) }
      dataLinks[index].phase = .idle
      if let state = dataLinks[index].handsFree { handsFrees[state].isOpen = false }
    }
    multiplexers[session].links = []
  }

  // MARK: Data

  private mutating func data(
    _ bytes: RawSpan, _ facts: Facts, _ index: Int, packets parts: [UInt32], _ moment: Moment
  ) {
    if dataLinks[index].phase == .idle || dataLinks[index].phase == .asked {
      open(index, byPeer: !dataLinks[index].isLocalService, moment)
    }
    let other = Int(moment.direction.opposite.rawValue)
    if facts.request > 0, let credits = dataLinks[index].credits[other] {
      dataLinks[index].credits[other] = min(65_535, credits + Int(facts.request))
    }
    var moment = moment
    // The FCS behind the information may be all that is missing.
    if moment.isSliced { moment.cut = Self.cut(bytes, facts) }
    guard facts.payloadCount > 0 || moment.isSliced, let stream = dataLinks[index].stream else {
      return
    }
    if dataLinks[index].isCreditBased { spend(index, moment) }
    carried(bytes.extracting(facts.payload), index, on: stream, packets: parts, moment)
  }

  /// The information of a frame, as much of it as the recorder kept.
  private mutating func carried(
    _ information: RawSpan, _ index: Int, on stream: StreamID, packets parts: [UInt32],
    _ moment: Moment
  ) {
    streamed(information, stream, moment)
    if accessories.framings.usesStreams {
      let isFromPeer = moment.direction == .controllerToHost
      vendorData(
        information, vendorChannel(of: dataLinks[index]),
        toServer: dataLinks[index].isLocalService == isFromPeer, packets: parts, moment)
    }
    if dataLinks[index].cargo == .unknown, information.byteCount > 0 || !moment.isSliced {
      recognize(information, index, moment)
    }
    switch dataLinks[index].cargo {
    case .handsFree: handsFree(information, on: index, stream, packets: parts, moment)
    case .iap: iap2(information, on: stream, packets: parts, moment)
    case .unknown, .opaque:
      if let entry = dataLinks[index].entry,
        cut(information, by: entry, of: stream, packets: parts, isInPlace: true, moment)
      {
        inner = entry
      }
    }
  }

  /// By the classes of the service, where a framing knows one; else by its number.
  private func vendorChannel(of dataLink: DataLink) -> VendorChannel {
    let classes = dataLink.service?.classes ?? []
    let known = classes.first { accessories.framings.using(.service($0)) != nil }
    return known.map { .service($0) } ?? .serverChannel(dataLink.serverChannel)
  }

  /// Tells by the service, else by the first bytes, what the data link carries.
  private mutating func recognize(_ bytes: RawSpan, _ index: Int, _ moment: Moment) {
    let handsFree = catalog.entry(at: .service(BluetoothUUID(0x111E as UInt16)))
    if dataLinks[index].service == nil {
      if Self.isCommand(bytes) { infer(handsFree, index, moment) }
      if Self.isIAP2(bytes) { infer(iap2Entries.link, index, moment) }
    }
    guard let entry = dataLinks[index].entry else {
      dataLinks[index].cargo = .opaque
      return
    }
    dataLinks[index].cargo =
      entry === handsFree ? .handsFree : entry === iap2Entries.link ? .iap : .opaque
  }

  private mutating func infer(_ entry: Entry?, _ index: Int, _ moment: Moment) {
    guard let entry else { return }
    dataLinks[index].entry = entry
    if let stream = dataLinks[index].stream {
      streams[Int(stream.index)].name = entry.name.description
      streams[Int(stream.index)].isInferred = true
    }
    emit(
      .rfcomm(
        .recognized(
          .init(link: dataLinks[index], protocolName: entry.name.description))), moment,
      severity: .warning)
  }

  /// Commands that only a Hands-Free unit or a headset gives; modems and others speak AT as well, but
  /// not these. HFP 1.9, 4.34; HSP 1.2, 4.8
  private static let handsFreeCommands = [
    "AT+BRSF", "AT+BAC=", "AT+BCC", "AT+BCS=", "AT+BIA=", "AT+BIEV=", "AT+BIND", "AT+BINP=",
    "AT+BLDN", "AT+BTRH", "AT+BVRA", "AT+CKPD=200", "AT+NREC=", "AT+VGM=", "AT+VGS=", "AT+XAPL=",
    "AT+IPHONEACCEV=",
  ].map { Array($0.utf8) }

  /// Whether it is what a Hands-Free unit or a headset says.
  private static func isCommand(_ bytes: RawSpan) -> Bool {
    handsFreeCommands.contains { command in
      bytes.byteCount >= command.count
        && command.indices.allSatisfy { command[$0] == bytes.byte(at: $0) }
    }
  }

  /// Frames with information take one credit each. RFCOMM 6.5
  private mutating func spend(_ index: Int, _ moment: Moment) {
    guard let credits = dataLinks[index].credits[moment.side] else { return }
    if credits > 0 {
      dataLinks[index].credits[moment.side] = credits - 1
    } else {
      // Told once.
      dataLinks[index].credits[moment.side] = nil
      let isPeer = moment.direction == .controllerToHost
      emit(
        .rfcomm(.creditsExceeded(.init(link: dataLinks[index], byPeer: isPeer))), moment,
        severity: .error)
    }
  }

  // MARK: Multiplexer control

  private mutating func control(
    _ bytes: RawSpan, _ facts: Facts, _ session: Int, _ id: ChannelID, _ moment: Moment
  ) {
    describe(bytes, .psm(0x0003), moment)
    switch value(Paths.RFCOMM.command) {
    case 0x20: negotiated(session, id, moment)
    case 0x04:
      let command = UInt8(truncatingIfNeeded: value(Paths.RFCOMM.unsupported) ?? 0)
      emit(.rfcomm(.unsupported(.init(command: command))), moment, severity: .warning)
    case 0x14:
      let status = UInt8(truncatingIfNeeded: value(Paths.RFCOMM.lineStatus) ?? 0)
      guard status & 1 == 1, value(Paths.RFCOMM.role) == 1,
        let dlci = value(Paths.RFCOMM.targetDLCI), 2...61 ~= dlci
      else { return }
      let index = dataLink(UInt8(dlci), session, id, moment)
      emit(
        .rfcomm(.lineStatus(.init(link: dataLinks[index], status: status))), moment,
        severity: .warning)
    default: break
    }
  }

  /// PN: the frame size that holds is that of the response. RFCOMM 5.5.3
  private mutating func negotiated(_ session: Int, _ id: ChannelID, _ moment: Moment) {
    guard let dlci = value(Paths.RFCOMM.targetDLCI), 2...61 ~= dlci else { return }
    let layer = value(Paths.RFCOMM.convergenceLayer)
    let credits = value(Paths.RFCOMM.initialCredits) ?? 0
    let size = value(Paths.RFCOMM.maximumFrameSize) ?? 0
    let index = dataLink(UInt8(dlci), session, id, moment)
    dataLinks[index].frameSize = UInt16(truncatingIfNeeded: size)
    // Who sends this is ready for so many frames.
    let other = Int(moment.direction.opposite.rawValue)
    if layer == 0xF || layer == 0xE, !moment.isUndirected {
      dataLinks[index].credits[other] = Int(credits)
    }
    if layer == 0xE { dataLinks[index].isCreditBased = true }
  }
}
