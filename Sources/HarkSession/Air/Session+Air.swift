import HarkCore
import HarkDissection

// Packets from the air: advertising, and who connects to whom.
// Core Specification, Vol 6, Part B, 2 and 4.
extension Session {
  mutating func heard(_ bytes: RawSpan, _ kind: PacketKind, _ moment: inout PacketContext) {
    air.context = LinkLayerContext()
    air.channel = nil
    row.flags.insert(.directionUnknown)
    guard let header = AirHeader(bytes, kind) else {
      let facts = facts(bytes, kind, moment)
      if kind == .nordicBLE, !facts.isMalformed { return snifferSays(bytes, moment) }
      counts.air.channels[40] += 1
      return malformed(facts, moment)
    }
    air.channel = header.channel
    counts.air.channels[header.channel.map { Int($0) } ?? 40] += 1
    let address = header.accessAddress(bytes)
    if address == LLAccessAddress.advertising {
      advertising(bytes, kind, header, crcInit: nil, .unknown, &moment)
    } else if let index = air.find(address, moment.controller) {
      connection(index, bytes, kind, header, &moment)
    } else if let other = air.other(address, moment.controller), other.channel == .periodic {
      advertising(bytes, kind, header, crcInit: other.crcInit, .periodic, &moment)
    } else {
      stranger(address, bytes, kind, header, &moment)
    }
  }

  /// A message of the sniffer that holds no packet: its texts are for people.
  private mutating func snifferSays(_ bytes: RawSpan, _ moment: PacketContext) {
    guard let text = NordicMessage(bytes, isCut: moment.isTruncated).text else { return }
    let words = bytes.utf8(text).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    emitNote(words, of: "nRF Sniffer", moment)
  }

  /// Sets what the packet is read with, and tells whether it may be believed.
  mutating func prepare(
    _ bytes: RawSpan, _ header: AirHeader, _ context: LinkLayerContext, _ moment: PacketContext
  ) -> Range<Int>? {
    var context = context
    header.tell(&context)
    if context.channel == .unknown, header.accessAddress(bytes) != LLAccessAddress.advertising {
      context.channel = .data
    }
    let pdu = header.pdu(bytes, context)
    context.crc = context.check(bytes, pdu)
    air.context = context
    guard context.crc != .wrong else {
      counts.air.wrongCRCs += 1
      return nil
    }
    if pdu.upperBound > bytes.byteCount, !moment.isTruncated {
      // It has not the length it says.
      malformed(facts(bytes, row.kind, moment), moment)
      return nil
    }
    return pdu
  }

  // MARK: Advertising

  private mutating func advertising(
    _ bytes: RawSpan, _ kind: PacketKind, _ header: AirHeader, crcInit: UInt32?,
    _ channel: LinkLayerContext.Channel, _ moment: inout PacketContext
  ) {
    var context = LinkLayerContext()
    (context.crcInit, context.channel) = (crcInit, channel)
    guard prepare(bytes, header, context, moment) != nil else { return }
    let (heard, facts) = advertisement(bytes, kind, header, moment)
    malformed(facts, moment)
    guard !facts.isMalformed, let type = heard.type else { return }
    switch type {
    case .connectInd: if let connection = heard.connection { connect(connection, &moment) }
    case .advInd, .advDirectInd, .advNonconnInd, .scanRsp, .advScanInd, .advExtInd:
      guard let advertiser = heard.advertiser, advertiser.value != 0 else { break }
      counts.advertisingReports += 1
      hear(bytes, type, heard.data, of: advertiser, moment)
    case .scanReq, .auxConnectRsp, .advDecisionInd: break
    }
    if let train = heard.train, type == .advExtInd {
      air.expect(
        AirState.Other(channel: .periodic, crcInit: train.crcInit), at: train.accessAddress,
        moment.controller)
    }
  }

  private mutating func advertisement(
    _ bytes: RawSpan, _ kind: PacketKind, _ header: AirHeader, _ moment: PacketContext
  ) -> (pdu: LLAdvertisingPDU, facts: Facts) {
    let heard = LLAdvertisingPDU.read(bytes, header, context(moment))
    // What the sniffer wrote in front was checked when it was read for the header, but for PPI's fields.
    guard keepsFields || kind == .ppi else { return heard }
    return (heard.pdu, facts(bytes, kind, moment))
  }

  /// Most of what is advertised repeats what was heard before: then it is only counted.
  private mutating func hear(
    _ bytes: RawSpan, _ type: LLAdvertisingPDU.PDUType, _ data: Range<Int>,
    of address: BluetoothAddress, _ moment: PacketContext
  ) {
    if keys.opensProximity { proximity(bytes, address, moment) }
    if wantsAdvertising, type.hasWholeData, !moment.isTruncated {
      advertised(
        bytes.array(data), by: address, Advertisers.Kind(pdu: type), [moment.packet], moment)
    }
    let hearing = deviceTable.hear(address)
    let name = LocalName(bytes, data)
    let kind = AdvertisedName(name)
    guard let name, hearing.lacks(kind), !moment.isTruncated else { return }
    deviceTable.heard(address, name: bytes.utf8(name.text), kind)
  }

  // MARK: Connections

  /// CONNECT_IND and AUX_CONNECT_REQ. 2.3.3.1
  private mutating func connect(
    _ connection: LLAdvertisingPDU.Connection, _ moment: inout PacketContext
  ) {
    let (central, peripheral) = (connection.central, connection.peripheral)
    let parameters = connection.parameters
    let address = parameters.accessAddress
    for old in linkTable.live(on: moment.controller) {
      let air = linkTable[old].air
      if air?.accessAddress == address
        || linkTable[old].peer == peripheral && air?.central == central
      {
        close(old, reason: nil, moment)
      }
    }
    guard let link = openOnAir(address, .seen, &moment) else { return }
    linkTable[link].air?.central = central
    linkTable[link].air?.centralDevice = deviceTable.device(at: central, moment.packet)
    linkTable[link].air?.channelMap = parameters.channelMap
    linkTable[link].air?.hop = parameters.hop
    linkTable.setPeer(peripheral, on: link)
    linkTable[link].device = deviceTable.device(at: peripheral, moment.packet)
    linkTable[link].interval = parameters.interval
    linkTable[link].latency = parameters.latency
    linkTable[link].supervisionTimeout = parameters.timeout
    _ = air.follow(AirConnection(address, link, crcInit: parameters.crcInit), moment.controller)
    emit(.link(.opened(.init())), moment)
  }

  private mutating func openOnAir(
    _ address: UInt32, _ certainty: Certainty, _ moment: inout PacketContext
  ) -> LinkID? {
    let handle = air.nextHandle(moment.controller)
    if let old = linkTable.find(moment.controller, handle) { close(old, reason: nil, moment) }
    guard let link = linkTable.open(moment.controller, handle, .le, moment.packet, certainty)
    else { return nil }
    moment.link = link
    linkTable[link].role = .central
    linkTable[link].air = Link.Air(accessAddress: address)
    return link
  }

  /// A packet with an Access Address that is not known: of a connection that began before the
  /// capture, or noise. The CRCs of two packets tell. 3.1.1
  private mutating func stranger(
    _ address: UInt32, _ bytes: RawSpan, _ kind: PacketKind, _ header: AirHeader,
    _ moment: inout PacketContext
  ) {
    var context = LinkLayerContext()
    if let other = air.other(address, moment.controller) { context.channel = other.channel }
    guard let pdu = prepare(bytes, header, context, moment) else { return }
    guard air.context.channel == .data else {
      counts.air.strange += 1
      return malformed(facts(bytes, kind, moment), moment)
    }
    let crc = LinkLayerContext.crc(bytes, behind: pdu)
    let crcInit = crc.flatMap { $0 == 0 ? nil : LinkLayerCRC.initial(bytes, pdu, crc: $0) }
    let isSure = air.context.crc == .right || air.context.isDecrypted
    // On channels 37 to 39 there are no connections, whatever was heard for the Access Address. 1.4.1
    let isAdvertising =
      crcInit == LinkLayerCRC.advertising && header.isOnPrimaryChannel
      || LLAccessAddress.isMisheardAdvertising(address)
    let heard = AirState.Stranger(crcInit: crcInit, digest: Self.digest(bytes, pdu))
    let isKnownCRC = crcInit != nil && crcInit != LinkLayerCRC.advertising
    // Zeros stand where no CRC is recorded; where the record ends before it, the length was not heard right.
    let isTold = isKnownCRC || crc == 0 && LLAccessAddress.isAllowed(address)
    let isFamiliar =
      isSure && !isAdvertising || isTold && air.isFamiliar(address, moment.controller, heard)
    guard isFamiliar, let link = openOnAir(address, .inferred, &moment)
    else {
      counts.air.strange += 1
      (air.context.isDoubtful, air.context.isUnfollowed) = (isAdvertising, !isAdvertising)
      return
    }
    let index = air.follow(
      AirConnection(address, link, crcInit: isSure ? nil : crcInit), moment.controller)
    emit(.link(.inferred(.init())), moment, severity: .warning)
    connection(index, bytes, kind, header, &moment)
  }
}
