import HarkCore
import HarkDissection

// Broadcast Isochronous Groups over the air. Core Specification, Vol 6, Part B, 2.1.2, 2.6.2, 4.4.6.
extension AirFollower {
  /// AUX_SYNC_IND with ACAD: BIGInfo says where the packets of the group are.
  mutating func groupAnnounced(
    _ bytes: RawSpan, _ acad: Range<Int>, _ header: AirHeader, _ moment: PacketContext,
    _ tables: inout Tables, _ traffic: inout TrafficFollower
  ) {
    let train = header.accessAddress(bytes)
    guard let found = BIGInfoMessage(bytes, in: acad),
      let other = state.other(train, moment.controller)
    else { return }
    let time = AirTime(moment, header, tables)
    defer {
      if let place = streams.place(ofGroup: found.seedAccessAddress, moment.controller) {
        (streams.groups[place].received, streams.groups[place].absences) = (time, 0)
        if let event = found.nextEvent { streams.groups[place].reference = (time, event) }
      }
    }
    guard other.group != found.group else { return }
    let device = other.advertiser.map { tables.devices.device(at: $0, moment.packet) }
    groupBegins(found, train, device, at: time, moment, &tables, &traffic)
    expect(found, train, other, moment)
    let group = PeriodicEvent.Group(
      streams: found.streams, isoInterval: found.isoInterval, maxPDU: found.maxPDU,
      sduInterval: found.sduInterval, maxSDU: found.maxSDU, phy: found.phy,
      isEncrypted: found.isEncrypted)
    tables.emit(
      .periodic(.group(.init(accessAddress: train, group: group))), moment, device: device)
  }

  /// Sets what the packets of a group are received with.
  private mutating func expect(
    _ info: BIGInfoMessage, _ train: UInt32, _ other: AirState.Other, _ moment: PacketContext
  ) {
    var other = other
    other.group = info.group
    state.expect(other, at: train, moment.controller)
    let links =
      streams.place(ofGroup: info.seedAccessAddress, moment.controller)
      .map { streams.groups[$0].links } ?? []
    // 0 is the control of the group.
    for number in 0..<info.bises.upperBound {
      let stream = info.stream(number)
      state.expect(
        AirState.Other(
          channel: .broadcast, crcInit: stream.crcInit,
          link: number > 0 && links.count >= number ? links[Int(number) - 1] : nil,
          advertiser: other.advertiser,
          broadcast: .init(seedAccessAddress: info.seedAccessAddress, stream: number),
          isEncrypted: info.isEncrypted), at: stream.accessAddress, moment.controller)
    }
  }

  /// Subevents of a BIG event are at least this far apart, and from the next event, in nanoseconds. 4.4.6.3
  private static let shortestSpacing: Int64 = 400_000

  /// A packet of a BIS, or of the control of its group.
  mutating func broadcast(
    _ other: AirState.Other, _ bytes: RawSpan, _ kind: PacketKind, _ header: AirHeader,
    _ moment: inout PacketContext, _ tables: inout Tables
  ) {
    var context = LinkLayerContext()
    (context.channel, context.crcInit) = (.broadcast, other.crcInit)
    (context.broadcast, context.isEncrypted) = (other.broadcast, other.isEncrypted)
    guard let range = prepare(bytes, header, context, moment, &tables) else { return }
    let pdu = LLDataPDU(bytes, range)
    let time = AirTime(moment, header, tables)
    let place = other.broadcast.flatMap {
      streams.place(ofGroup: $0.seedAccessAddress, moment.controller)
    }
    if let place { (streams.groups[place].received, streams.groups[place].absences) = (time, 0) }
    if let link = other.link, pdu.header.llid != .control {
      moment.link = link
      // The broadcaster alone sends.
      moment.direction = .controllerToHost
      tables.record.row.flags.remove(.directionUnknown)
      tables.record.row.flags.insert(.received)
      let group = place.map { streams.groups[$0] }
      streamed(
        link, bytes, range, at: time,
        within: group.map { $0.interval - Self.shortestSpacing } ?? 0,
        payload: other.broadcast.flatMap { group?.payload(ofBIS: $0.stream, at: time) }, moment,
        &tables)
    }
    let facts = tables.facts(bytes, kind, moment)
    tables.malformed(facts, moment)
    guard let group = other.broadcast, group.stream == 0, pdu.header.llid == .control,
      !tables.record.linkLayer.isEncrypted, !facts.isMalformed
    else { return }
    let control = BIGControlPDU(bytes.extracting(pdu.payload), isCut: moment.isTruncated)
    groupControl(control, group.seedAccessAddress, at: time, moment, &tables)
  }
}
