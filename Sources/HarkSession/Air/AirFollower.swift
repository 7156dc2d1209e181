import HarkCore
import HarkDissection

/// Over-the-air packets: advertising, and connections between devices. Core Specification, Vol 6, Part B, 2 and 4.
struct AirFollower {
  var state = AirState()
  private var chains = AirChains()
  var streams = AirStreams()
  private var baseband = BasebandFollower()
  /// For how many pairings a passkey has been searched so far.
  var keySearches = 0
  /// How many blocks of AES the search for LTKs in large key rings may still cost, in all: a few seconds.
  var ringSearchBudget = 1 << 22

  mutating func take(
    _ bytes: RawSpan, _ kind: PacketKind, _ moment: inout PacketContext, _ tables: inout Tables,
    _ traffic: inout TrafficFollower
  ) {
    tables.record.linkLayer = LinkLayerContext()
    tables.record.airChannel = nil
    tables.record.row.flags.insert(.directionUnknown)
    guard let header = AirHeader(bytes, kind) else {
      let facts = tables.facts(bytes, kind, moment)
      if kind == .nordicBLE, !facts.isMalformed { return snifferSays(bytes, moment, &tables) }
      // The header of link type 255 begins with the RF channel.
      let rfChannel = bytes.byteOffsets.first.map { bytes.byte(at: $0) }
      if kind == .basebandRadio, let rfChannel, rfChannel < 79 {
        tables.counts.air.brEDRChannels[Int(rfChannel)] += 1
      } else {
        tables.counts.air.channels[40] += 1
      }
      if kind == .basebandRadio, !facts.isMalformed { baseband.take(bytes, moment, &tables) }
      return tables.malformed(facts, moment)
    }
    tables.record.airChannel = header.channel
    tables.counts.air.channels[header.channel.map { Int($0) } ?? 40] += 1
    if !streams.groups.isEmpty {
      let time = AirTime(moment, header, tables)
      if streams.isTerminating { endGroups(at: time, moment, &tables) }
      if streams.isDue(at: time, moment.controller) {
        endLostGroups(at: time, moment, &tables)
      }
    }
    let address = header.accessAddress(bytes)
    if address == LLAccessAddress.advertising {
      advertising(bytes, kind, header, crcInit: nil, .unknown, .none, &moment, &tables, &traffic)
    } else if let index = state.find(address, moment.controller) {
      connection(index, bytes, kind, header, &moment, &tables, &traffic)
    } else if let other = state.other(address, moment.controller), other.channel == .periodic {
      advertising(
        bytes, kind, header, crcInit: other.crcInit, .periodic, other.subevent, &moment, &tables,
        &traffic)
    } else if let other = state.other(address, moment.controller), other.channel == .broadcast {
      broadcast(other, bytes, kind, header, &moment, &tables)
    } else if let other = state.other(address, moment.controller), let index = other.connection {
      isochronous(index, other, bytes, kind, header, &moment, &tables)
    } else {
      stranger(address, bytes, kind, header, &moment, &tables, &traffic)
    }
  }

  /// A message of the sniffer without a packet: its texts are for people.
  private mutating func snifferSays(
    _ bytes: RawSpan, _ moment: PacketContext, _ tables: inout Tables
  ) {
    guard let text = NordicMessage(bytes, isCut: moment.isTruncated).text else { return }
    let words = bytes.utf8(text).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    tables.emitNote(words, of: "nRF Sniffer", moment)
  }

  /// Sets the context with which the packet is read, and returns whether the packet is credible.
  mutating func prepare(
    _ bytes: RawSpan, _ header: AirHeader, _ context: LinkLayerContext, _ moment: PacketContext,
    _ tables: inout Tables
  ) -> Range<Int>? {
    var context = context
    header.add(to: &context)
    if context.channel == .unknown, header.accessAddress(bytes) != LLAccessAddress.advertising {
      context.channel = .data
    }
    let pdu = header.pdu(bytes, context)
    context.crc = context.check(bytes, pdu)
    tables.record.linkLayer = context
    guard context.crc != .wrong else {
      tables.counts.air.wrongCRCs += 1
      return nil
    }
    if pdu.upperBound > bytes.byteCount, !moment.isTruncated {
      // Its length differs from the one it states.
      tables.malformed(tables.facts(bytes, tables.record.row.kind, moment), moment)
      return nil
    }
    return pdu
  }

  // MARK: Advertising

  private mutating func advertising(
    _ bytes: RawSpan, _ kind: PacketKind, _ header: AirHeader, crcInit: UInt32?,
    _ channel: LinkLayerContext.Channel, _ subevent: LinkLayerContext.Subevent,
    _ moment: inout PacketContext, _ tables: inout Tables, _ traffic: inout TrafficFollower
  ) {
    var context = LinkLayerContext()
    (context.crcInit, context.channel, context.subevent) = (crcInit, channel, subevent)
    guard let pdu = prepare(bytes, header, context, moment, &tables) else { return }
    let continues = continuesData(bytes, header, moment, &tables)
    let (heard, facts) = advertisement(bytes, kind, header, moment, &tables)
    tables.malformed(facts, moment)
    guard !facts.isMalformed, let type = heard.type else { return }
    switch type {
    case .connectInd:
      guard let connection = heard.connection else { break }
      connect(
        connection, header, windowDelay: Self.windowDelay(header, pdu, tables.record.linkLayer),
        &moment, &tables, &traffic)
    case .advInd, .advDirectInd, .advNonconnInd, .scanRsp, .advScanInd, .advExtInd:
      guard let advertiser = heard.advertiser, advertiser.value != 0 else { break }
      if type == .scanRsp {
        tables.counts.scanResponses += 1
      } else {
        tables.counts.advertisingPDUs += 1
      }
      hear(
        bytes, type, heard.isPart ? heard.data.prefix(0) : heard.data, of: advertiser, moment,
        &tables, &traffic)
    case .scanReq, .auxConnectRsp, .advDecisionInd: break
    }
    if heard.isPart || continues {
      part(heard, bytes, header, continues: continues, moment, &tables, &traffic)
    }
    guard type == .advExtInd else { return }
    if let train = heard.train,
      state.other(train.accessAddress, moment.controller)?.crcInit != train.crcInit
    {
      let timing = PeriodicResponseTiming(bytes, in: heard.acad)
      state.expectTrain(
        at: train.accessAddress, crcInit: train.crcInit, of: heard.advertiser,
        responses: timing?.accessAddress, moment.controller)
    }
    guard channel == .periodic else { return }
    if !heard.acad.isEmpty {
      groupAnnounced(bytes, heard.acad, header, moment, &tables, &traffic)
    }
    // Only AUX_SYNC_IND has BIGInfo. 4.4.6.11
    if !streams.groups.isEmpty, !continues, subevent == .none, !moment.isTruncated,
      !BIGInfoMessage.isAnnounced(bytes, in: heard.acad)
    {
      groupNotAnnounced(header.accessAddress(bytes), moment, &tables)
    }
  }

  /// Whether a PDU is AUX_CHAIN_IND, which has the rest of what another one began.
  private mutating func continuesData(
    _ bytes: RawSpan, _ header: AirHeader, _ moment: PacketContext, _ tables: inout Tables
  ) -> Bool {
    let auxiliary = tables.record.linkLayer.auxiliary
    if auxiliary != .unknown { return auxiliary == .chain }
    guard !chains.isEmpty else { return false }
    // ADI decides, and is in front of the data: what that is does not matter yet.
    tables.record.linkLayer.continuesData = true
    let pdu = LLAdvertisingPDU.read(bytes, header, tables.context(moment)).pdu
    tables.record.linkLayer.continuesData = chains.continues(
      pdu, header.accessAddress(bytes), at: AirTime(moment, header, tables), on: header.channel,
      moment.controller)
    return tables.record.linkLayer.continuesData
  }

  /// Takes a part of advertising data: what it says is known when all parts have arrived.
  private mutating func part(
    _ heard: LLAdvertisingPDU, _ bytes: RawSpan, _ header: AirHeader, continues: Bool,
    _ moment: PacketContext, _ tables: inout Tables, _ traffic: inout TrafficFollower
  ) {
    guard !heard.data.isEmpty || continues else { return }
    let whole = chains.take(
      heard, moment.isTruncated ? nil : bytes.array(heard.data), continues: continues,
      header.accessAddress(bytes), at: AirTime(moment, header, tables), moment)
    guard let whole else { return }
    tables.completeAdvertising(whole.data, moment)
    guard let advertiser = whole.advertiser else { return }
    if tables.wantsAdvertising {
      traffic.accessory.advertised(
        whole.data.bytes, by: advertiser, Advertisers.Kind(pdu: .advExtInd), whole.data.packets,
        moment, &tables)
    }
    traffic.heard(whole.data, by: advertiser, moment, &tables)
  }

  private mutating func advertisement(
    _ bytes: RawSpan, _ kind: PacketKind, _ header: AirHeader, _ moment: PacketContext,
    _ tables: inout Tables
  ) -> (pdu: LLAdvertisingPDU, facts: Facts) {
    let heard = LLAdvertisingPDU.read(bytes, header, tables.context(moment))
    // Except for PPI's fields, the sniffer's header was checked when it was read.
    guard tables.wanted.fields || kind == .ppi else { return heard }
    return (heard.pdu, tables.facts(bytes, kind, moment))
  }

  /// Most advertising repeats earlier advertising and is only counted.
  private mutating func hear(
    _ bytes: RawSpan, _ type: LLAdvertisingPDU.PDUType, _ data: Range<Int>,
    of address: BluetoothAddress, _ moment: PacketContext, _ tables: inout Tables,
    _ traffic: inout TrafficFollower
  ) {
    if !moment.isTruncated {
      traffic.accessory.appleAdvertising(bytes, data, address, moment, &tables)
    }
    if tables.keys.opensProximity || ProximityPairing.fills(bytes, at: data.lowerBound) {
      traffic.accessory.proximity(bytes, address, moment, &tables)
    }
    if tables.wantsAdvertising, type.hasWholeData, !moment.isTruncated {
      traffic.accessory.advertised(
        bytes.array(data), by: address, Advertisers.Kind(pdu: type), [moment.packet], moment,
        &tables)
    }
    traffic.mesh.advertised(bytes, data, moment, &tables)
    let hearing = tables.devices.hear(address, moment.packet)
    let name = LocalName(bytes, data)
    let kind = AdvertisedName(name)
    guard let name, hearing.lacks(kind), !moment.isTruncated else { return }
    tables.devices.heard(address, name: bytes.utf8(name.text), kind)
  }

  // MARK: Connections

  /// CONNECT_IND and AUX_CONNECT_REQ. 2.3.3.1
  private mutating func connect(
    _ connection: LLAdvertisingPDU.Connection, _ header: AirHeader, windowDelay: Int64,
    _ moment: inout PacketContext, _ tables: inout Tables, _ traffic: inout TrafficFollower
  ) {
    let (central, peripheral) = (connection.central, connection.peripheral)
    let parameters = connection.parameters
    let address = parameters.accessAddress
    if let same = repeated(connection, moment, tables) {
      moment.link = same
      tables.record.linkLayer.isRetransmission = true
      return
    }
    for old in tables.links.live(on: moment.controller)
    where tables.links[old].transport != .iso {
      let air = tables.links[old].air
      if air?.accessAddress == address
        || tables.links[old].peer == peripheral && air?.central == central
      {
        close(old, reason: nil, moment, &tables, &traffic)
      }
    }
    guard let link = openOnAir(address, .seen, &moment, &tables, &traffic) else { return }
    tables.links[link].air?.central = central
    tables.links[link].air?.centralDevice = tables.devices.device(at: central, moment.packet)
    tables.links[link].air?.channelMap = parameters.channelMap
    tables.links[link].air?.hop = parameters.hop
    tables.links.setPeer(peripheral, on: link)
    tables.links[link].device = tables.devices.device(at: peripheral, moment.packet)
    tables.borrow(on: link, moment)
    tables.links[link].interval = Link.nanoseconds(interval: parameters.interval)
    tables.links[link].latency = parameters.latency
    tables.links[link].supervisionTimeout = parameters.timeout
    // The connection begins on the PHY of the PDU that creates it. 4.5.3; CONNECT_IND is on LE 1M. 2.3.3.1
    let phy = header.isOnPrimaryChannel ? LLControlPDU.PHY.le1M.number : header.phy
    (tables.links[link].txPHY, tables.links[link].rxPHY) = (phy, phy)
    let index = self.state.follow(
      AirConnection(address, link, crcInit: parameters.crcInit), moment.controller)
    state[index].clues.begin()
    state[index].events.begin(
      parameters, at: AirTime(moment, header, tables), delay: windowDelay)
    tables.emit(.link(.opened(.init())), moment)
  }

  /// From the beginning of the PDU that creates a connection to the earliest transmit window, in nanoseconds. 4.5.3
  private static func windowDelay(
    _ header: AirHeader, _ pdu: Range<Int>, _ context: LinkLayerContext
  ) -> Int64 {
    let isAuxiliary = header.channel != nil && !header.isOnPrimaryChannel
    let delay: Int64 = !isAuxiliary ? 1_250_000 : context.isCoded ? 3_750_000 : 2_500_000
    // On LE 1M, CONNECT_IND takes 352 µs. 2.1, 2.3.3.1
    return delay + (header.airTime(pdu.count) ?? 352_000)
  }

  /// The link that the same PDU has just opened: the capture contains it twice.
  private mutating func repeated(
    _ connection: LLAdvertisingPDU.Connection, _ moment: PacketContext, _ tables: borrowing Tables
  ) -> LinkID? {
    let parameters = connection.parameters
    guard let index = state.find(parameters.accessAddress, moment.controller),
      state[index].lastSide == nil, state[index].crcInit == parameters.crcInit,
      tables.links.live(on: moment.controller).contains(state[index].link),
      tables.links[state[index].link].peer == connection.peripheral,
      tables.links[state[index].link].air?.central == connection.central
    else { return nil }
    return state[index].link
  }

  private mutating func openOnAir(
    _ address: UInt32, _ certainty: Certainty, _ moment: inout PacketContext,
    _ tables: inout Tables, _ traffic: inout TrafficFollower
  ) -> LinkID? {
    let handle = state.nextHandle(moment.controller)
    if let old = tables.links.find(moment.controller, handle) {
      close(old, reason: nil, moment, &tables, &traffic)
    }
    guard let link = tables.links.open(moment.controller, handle, .le, moment.packet, certainty)
    else { return nil }
    moment.link = link
    tables.links[link].role = .central
    tables.links[link].air = Link.Air(accessAddress: address)
    return link
  }

  /// Whether a PDU with an unknown Access Address can be AUX_SYNC_IND, and no LL Control PDU, which has the same LLID:
  /// the AUX_ADV_IND that points to the train was not received. 2.3.4, 2.4
  private func isOfTrain(
    _ bytes: RawSpan, _ pdu: LLDataPDU, _ header: AirHeader, _ moment: PacketContext,
    _ tables: borrowing Tables
  ) -> Bool {
    guard pdu.header.llid == .control, !moment.isTruncated,
      !LinkLayerPlaintext.isWholeControl(of: bytes, pdu.payload)
    else { return false }
    var context = tables.context(moment)
    context.linkLayer.channel = .periodic
    let (heard, facts) = LLAdvertisingPDU.read(bytes, header, context)
    return heard.type == .advExtInd && !facts.isMalformed && heard.advertiser == nil
      && heard.train == nil
  }

  /// A packet with an unknown Access Address, of a connection that began before the capture, or noise. The CRCs of
  /// two packets decide. 3.1.1
  private mutating func stranger(
    _ address: UInt32, _ bytes: RawSpan, _ kind: PacketKind, _ header: AirHeader,
    _ moment: inout PacketContext, _ tables: inout Tables, _ traffic: inout TrafficFollower
  ) {
    var context = LinkLayerContext()
    if let other = state.other(address, moment.controller) { context.channel = other.channel }
    guard let pdu = prepare(bytes, header, context, moment, &tables) else { return }
    guard tables.record.linkLayer.channel == .data else {
      // The sniffer follows what it marks as isochronous and receives without errors.
      let isRight = tables.record.linkLayer.crc == .right
      let isStream = [.connected, .broadcast].contains(tables.record.linkLayer.channel)
      if !isRight { tables.counts.air.strange += 1 }
      if isRight, isStream { tables.counts.air.unannounced += 1 }
      return tables.malformed(tables.facts(bytes, kind, moment), moment)
    }
    let crc = LinkLayerContext.crc(bytes, behind: pdu)
    let crcInit = crc.flatMap { $0 == 0 ? nil : LinkLayerCRC.initial(bytes, pdu, crc: $0) }
    let isSure =
      tables.record.linkLayer.crc == .right && crcInit != LinkLayerCRC.advertising
      || tables.record.linkLayer.isDecrypted
    // There are no connections on channels 37 to 39, whatever Access Address was received. 1.4.1
    let isAdvertising =
      crcInit == LinkLayerCRC.advertising && header.isOnPrimaryChannel
      || LLAccessAddress.isMisheardAdvertising(address)
    let heard = AirState.Stranger(
      crcInit: crcInit, digest: Self.digest(bytes, pdu),
      unnumbered: Self.unnumbered(LLDataPDU(bytes, pdu), bytes))
    // The CRC is zero if it was not recorded; if the record ends before it, the length was received with errors.
    // Programs that make up packets begin all CRCs as those of advertising.
    let isReported =
      crcInit != nil && !isAdvertising || crc == 0 && LLAccessAddress.isAllowed(address)
    let data = LLDataPDU(bytes, pdu)
    let isNoise =
      data.header.hasReserved || Self.isFramed(data, bytes, moment)
      || isOfTrain(bytes, data, header, moment, tables)
    let isFamiliar =
      !isNoise
      && (isSure && !isAdvertising
        || isReported && state.isFamiliar(address, moment.controller, heard))
    guard isFamiliar, let link = openOnAir(address, .inferred, &moment, &tables, &traffic)
    else {
      tables.counts.air.strange += 1
      (tables.record.linkLayer.isDoubtful, tables.record.linkLayer.isUnfollowed) = (
        isAdvertising, !isAdvertising
      )
      return
    }
    let index = state.follow(
      AirConnection(address, link, crcInit: isSure ? nil : crcInit), moment.controller)
    tables.emit(.link(.inferred(.init())), moment, severity: .warning)
    connection(index, bytes, kind, header, &moment, &tables, &traffic)
  }
}
