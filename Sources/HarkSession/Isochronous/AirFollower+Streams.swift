import HarkCore
import HarkDissection

// Isochronous streams over the air are links, as those of a controller are. Core Specification, Vol 6, Part B, 2.6, 4.5.13
extension AirFollower {
  /// Ends a link, and the streams that it carries.
  mutating func close(
    _ link: LinkID, reason: UInt8?, _ moment: PacketContext, _ tables: inout Tables,
    _ traffic: inout TrafficFollower
  ) {
    if tables.links[link].transport == .iso {
      if let place = streams.connected.firstIndex(where: { $0.link == link }) {
        _ = streams.removeConnected(at: place)
      }
      return tables.closeIsochronous(link, reason: reason, moment)
    }
    while let place = streams.connected.firstIndex(where: { $0.connection == link }) {
      let stream = streams.removeConnected(at: place)
      tables.endsWithACL(stream.link, of: link)
      tables.closeIsochronous(stream.link, reason: reason, moment)
      var moment = moment
      moment.link = link
      tables.emit(
        .linkLayer(
          .isochronousStreamEnded(
            .init(
              byPeripheral: nil, group: stream.name?.cig, stream: stream.name?.cis, error: reason,
              isWithACL: true))), moment)
    }
    traffic.close(link, reason: reason, moment, &tables)
  }

  private mutating func openStream(
    _ address: UInt32, named name: String?, device: DeviceID?, _ moment: PacketContext,
    _ tables: inout Tables, _ traffic: inout TrafficFollower
  ) -> LinkID? {
    let handle = state.nextHandle(moment.controller)
    if let old = tables.links.find(moment.controller, handle) {
      close(old, reason: nil, moment, &tables, &traffic)
    }
    guard let link = tables.links.open(moment.controller, handle, .iso, moment.packet, .seen)
    else { return nil }
    tables.links[link].air = Link.Air(accessAddress: address)
    tables.links[link].device = device
    _ = tables.isochronousStream(of: link, name: name, moment)
    return link
  }

  // MARK: Connected streams

  /// LL_CIS_IND. 2.4.2.31
  mutating func streamBegins(
    _ index: Int, _ address: UInt32, _ moment: PacketContext, _ tables: inout Tables,
    _ traffic: inout TrafficFollower
  ) {
    let connection = state[index].link
    let name = state[index].requestedStream
    state[index].requestedStream = nil
    if let old = state.other(address, moment.controller)?.link, tables.links[old].closed == nil {
      close(old, reason: nil, moment, &tables, &traffic)
    }
    let link = openStream(
      address, named: name.map { "CIG \($0.cig), CIS \($0.cis)" },
      device: tables.links[connection].device, moment, &tables, &traffic)
    if let link {
      let (peer, air) = (tables.links[connection].peer, tables.links[connection].air)
      tables.links[link].role = .central
      tables.links[link].isEncrypted = state[index].encryption.isOn
      tables.links[link].peer = peer
      tables.links[link].air?.central = air?.central
      tables.links[link].air?.centralDevice = air?.centralDevice
      streams.connected.append(.init(link: link, connection: connection, name: name))
    }
    // Its CRCs begin as those of the connection. 3.1.1
    let stream = AirState.Other(
      channel: .connected, crcInit: state[index].crcInit, connection: index, link: link)
    state.expect(stream, at: address, moment.controller)
    tables.emit(
      .linkLayer(
        .isochronousStreamAddress(.init(address: address, group: name?.cig, stream: name?.cis))),
      moment)
  }

  /// LL_CIS_TERMINATE_IND. 2.4.2.32
  mutating func streamEnds(
    _ index: Int, _ name: IsochronousEvent.Name, _ error: UInt8, _ isPeripheral: Bool?,
    _ moment: PacketContext, _ tables: inout Tables
  ) {
    if let place = streams.place(of: name, on: state[index].link) {
      let stream = streams.removeConnected(at: place)
      tables.links[stream.link].air?.closedBy = isPeripheral.map { $0 ? .peripheral : .central }
      tables.closeIsochronous(stream.link, reason: error, moment)
    }
    let isLoss = HCIErrorCode(rawValue: error)?.isLoss == true
    tables.emit(
      .linkLayer(
        .isochronousStreamEnded(
          .init(byPeripheral: isPeripheral, group: name.cig, stream: name.cis, error: error))),
      moment, severity: isLoss ? .warning : .info)
  }

  /// A packet of a CIS, which belongs to the connection that created it. 4.5.13
  mutating func isochronous(
    _ index: Int, _ other: AirState.Other, _ bytes: RawSpan, _ kind: PacketKind,
    _ header: AirHeader, _ moment: inout PacketContext, _ tables: inout Tables
  ) {
    var context = LinkLayerContext()
    (context.channel, context.crcInit) = (.connected, other.crcInit)
    context.isEncrypted = state[index].encryption.isOn
    guard let range = prepare(bytes, header, context, moment, &tables) else { return }
    moment.link = other.link ?? state[index].link
    if let direction = header.direction {
      moment.direction = direction
      tables.record.row.flags.remove(.directionUnknown)
      if direction == .controllerToHost { tables.record.row.flags.insert(.received) }
      // A new PDU has another SN.
      streamed(
        other.link, bytes, range, at: AirTime(moment, header, tables), within: nil, moment, &tables)
    }
    tables.malformed(tables.facts(bytes, kind, moment), moment)
  }

  // MARK: Groups

  /// BIGInfo announces a group for the first time, or another one than before.
  mutating func groupBegins(
    _ info: BIGInfoMessage, _ train: UInt32, _ device: DeviceID?, at time: AirTime,
    _ moment: PacketContext, _ tables: inout Tables, _ traffic: inout TrafficFollower
  ) {
    if let place = streams.groups.firstIndex(where: {
      $0.train == train && $0.sniffer == moment.controller
    }) {
      let old = streams.groups[place]
      guard old.seedAccessAddress != info.seedAccessAddress || old.links.count != info.bises.count
      else { return }
      groupEnds(at: place, .init(group: old.seedAccessAddress, cause: .replaced), moment, &tables)
    }
    guard streams.groups.count < AirStreams.mostGroups else { return }
    var group = AirStreams.Group(
      seedAccessAddress: info.seedAccessAddress, sniffer: moment.controller, train: train,
      device: device, interval: Link.nanoseconds(interval: info.isoInterval),
      subevents: info.subevents, received: time)
    for number in info.bises {
      let link = openStream(
        info.stream(number).accessAddress,
        named: "BIG \(Names.hex(info.seedAccessAddress)), BIS \(number)", device: device, moment,
        &tables, &traffic)
      // The links are in the order of the BISes.
      guard let link else { break }
      tables.links[link].isEncrypted = info.isEncrypted
      group.links.append(link)
    }
    streams.groups.append(group)
  }

  private mutating func groupEnds(
    at place: Int, _ end: LinkLayerEvent.BroadcastGroupTerminated, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    let group = streams.removeGroup(at: place)
    for link in group.links where tables.links[link].closed == nil {
      tables.closeIsochronous(link, reason: end.reason, moment)
    }
    if var train = state.other(group.train, group.sniffer), train.group != nil {
      train.group = nil
      state.expect(train, at: group.train, group.sniffer)
    }
    tables.emit(.linkLayer(.broadcastGroupTerminated(end)), moment, device: group.device)
  }

  /// Ends the groups whose instant has come.
  mutating func endGroups(at time: AirTime, _ moment: PacketContext, _ tables: inout Tables) {
    while let place = streams.groups.firstIndex(where: {
      $0.sniffer == moment.controller && $0.hasEnded(at: time)
    }) {
      let group = streams.groups[place]
      guard case .terminateInd(let reason, _) = group.control else { return }
      groupEnds(
        at: place, .init(group: group.seedAccessAddress, reason: reason), moment, &tables)
    }
  }

  /// Ends the groups of which nothing has been received for long.
  mutating func endLostGroups(at time: AirTime, _ moment: PacketContext, _ tables: inout Tables) {
    while let place = streams.placeOfLost(at: time, moment.controller) {
      let group = streams.groups[place].seedAccessAddress
      groupEnds(at: place, .init(group: group, cause: .notReceived), moment, &tables)
    }
  }

  /// AUX_SYNC_IND without BIGInfo: a group that has BIGInfo in all of them has ended, as the end of an encrypted group,
  /// whose BIG_TERMINATE_IND cannot be read. 4.4.6.11
  mutating func groupNotAnnounced(
    _ train: UInt32, _ moment: PacketContext, _ tables: inout Tables
  ) {
    guard
      let place = streams.groups.firstIndex(where: {
        $0.train == train && $0.sniffer == moment.controller
      })
    else { return }
    streams.groups[place].absences += 1
    guard streams.groups[place].absences >= Self.mostAbsences else { return }
    let group = streams.groups[place].seedAccessAddress
    groupEnds(at: place, .init(group: group, cause: .notAnnounced), moment, &tables)
  }

  /// As many AUX_SYNC_INDs without BIGInfo, and no packet of the group between them, show that it has ended: other data of
  /// a controller may take the place of BIGInfo for once.
  private static let mostAbsences = 3

  /// A BIG Control PDU. 2.6.3
  mutating func groupControl(
    _ control: BIGControlPDU, _ seedAccessAddress: UInt32, at time: AirTime,
    _ moment: PacketContext, _ tables: inout Tables
  ) {
    guard let place = streams.place(ofGroup: seedAccessAddress, moment.controller),
      !streams.repeats(control.content, of: place)
    else { return }
    let device = streams.groups[place].device
    switch control.content {
    case .channelMapInd(let map, let instant):
      tables.emit(
        .linkLayer(
          .broadcastChannelMap(.init(group: seedAccessAddress, map: map, instant: instant))),
        moment, device: device)
    case .terminateInd(let reason, let instant):
      tables.emit(
        .linkLayer(
          .broadcastGroupTerminating(
            .init(group: seedAccessAddress, reason: reason, instant: instant))),
        moment, device: device)
      endGroups(at: time, moment, &tables)
    case .other: break
    }
  }

  /// The data of a stream, without what was sent again.
  mutating func streamed(
    _ link: LinkID?, _ bytes: RawSpan, _ range: Range<Int>, at time: AirTime,
    within interval: Int64?, payload: UInt64? = nil, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    let pdu = LLDataPDU(bytes, range)
    guard let link, let stream = tables.links[link].sound, !pdu.payload.isEmpty,
      pdu.payload.upperBound <= bytes.byteCount
    else { return }
    let digest = Self.digest(bytes, range.dropFirst(), from: UInt64(pdu.header.ofStream))
    guard
      !streams.isSentAgain(
        digest, on: link, moment.side, at: time, within: interval, payload: payload)
    else {
      // In a BIS, nothing is acknowledged.
      if interval == nil { tables.record.linkLayer.isRetransmission = true }
      tables.counts.air.retransmissions += 1
      return
    }
    let mic = tables.record.linkLayer.isEncrypted ? min(4, pdu.payload.count) : 0
    tables.streamed(bytes.extracting(pdu.payload.dropLast(mic)), stream, moment)
  }

  // MARK: Unknown streams

  /// Whether a PDU with an unknown Access Address is framed data of an isochronous stream, which has the LLID of a
  /// connection's L2CAP PDUs: the BIGInfo or the LL_CIS_IND was not received. 2.6
  static func isFramed(
    _ pdu: LLDataPDU, _ bytes: RawSpan, _ moment: PacketContext
  ) -> Bool {
    guard pdu.header.llid == .start, !moment.isTruncated,
      L2CAPBeginning(bytes, pdu.payload).channel == .reserved
    else { return false }
    return LinkLayerPlaintext.isFramed(bytes, pdu.payload)
  }

  /// The header of a PDU whose payload may also be that of an isochronous stream: encrypted, or a part. A connection's
  /// next PDU has other sequence numbers, those of a BIS have none. 2.4, 2.6.2
  static func unnumbered(_ pdu: LLDataPDU, _ bytes: RawSpan) -> UInt8? {
    guard !pdu.payload.isEmpty, pdu.header.nesn == 0, pdu.header.sn == 0, pdu.header.md == 0 else {
      return nil
    }
    switch pdu.header.llid {
    case .start:
      return L2CAPBeginning(bytes, pdu.payload).channel == .reserved ? pdu.header.octet : nil
    case .continuation: return pdu.header.octet
    case .control, .reserved: return nil
    }
  }
}
