import HarkCore
import HarkDissection

// Broadcast Isochronous Groups over the air. Core Specification, Vol 6, Part B, 2.1.2, 2.6.2, 4.4.6.
extension AirFollower {
  /// AUX_SYNC_IND with ACAD: BIGInfo says where the packets of the group are.
  mutating func groupAnnounced(
    _ bytes: RawSpan, _ acad: Range<Int>, _ train: UInt32, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    guard let found = BIGInfoMessage(bytes, in: acad),
      var other = state.other(train, moment.controller), other.group != found
    else { return }
    other.group = found
    state.expect(other, at: train, moment.controller)
    // 0 is the control of the group.
    for number in 0...min(found.streams, 31) {
      let stream = found.stream(number)
      state.expect(
        AirState.Other(
          channel: .broadcast, crcInit: stream.crcInit, advertiser: other.advertiser,
          broadcast: .init(seedAccessAddress: found.seedAccessAddress, stream: number),
          isEncrypted: found.isEncrypted), at: stream.accessAddress, moment.controller)
    }
    let group = PeriodicEvent.Group(
      streams: found.streams, isoInterval: found.isoInterval, maxPDU: found.maxPDU,
      sduInterval: found.sduInterval, maxSDU: found.maxSDU, phy: found.phy,
      isEncrypted: found.isEncrypted)
    tables.emit(
      .periodic(.group(.init(accessAddress: train, group: group))), moment,
      device: other.advertiser.map { tables.devices.device(at: $0, moment.packet) })
  }

  /// A packet of a BIS, or of the control of its group.
  mutating func broadcast(
    _ other: AirState.Other, _ bytes: RawSpan, _ kind: PacketKind, _ header: AirHeader,
    _ moment: PacketContext, _ tables: inout Tables
  ) {
    var context = LinkLayerContext()
    (context.channel, context.crcInit) = (.broadcast, other.crcInit)
    (context.broadcast, context.isEncrypted) = (other.broadcast, other.isEncrypted)
    guard prepare(bytes, header, context, moment, &tables) != nil else { return }
    tables.malformed(tables.facts(bytes, kind, moment), moment)
  }
}
