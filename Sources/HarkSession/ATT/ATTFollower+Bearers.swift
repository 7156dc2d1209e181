import HarkCore
import HarkDissection

// ATT on its own channels: Enhanced ATT bearers, and ATT over BR/EDR. Core Specification, Vol 3, Part F, 3.2.11; Part
// G, 5.3.
extension ATTFollower {
  /// A PDU on a channel that is a bearer. Each bearer has its own transactions.
  mutating func bearer(
    _ bytes: RawSpan, on id: ChannelID, _ moment: PacketContext, _ tables: inout Tables,
    _ leAudio: inout LEAudioFollower, _ accessory: inout AccessoryFollower
  ) {
    guard let link = moment.link, let entry = tables.channels[Int(id.index)].entry else { return }
    let facts = tables.catalog.summarize(bytes, entry, tables.context(moment))
    if facts.isMalformed { tables.malformed(facts, moment) }
    swapBearer(of: id, link, &tables)
    expireRequests(link, moment, &tables)
    checkMTU(facts, size: bytes.byteCount + moment.cut, on: id, link, moment, &tables)
    take(bytes, at: 0..<bytes.byteCount, facts, moment, &tables, &leAudio, &accessory)
    swapBearer(of: id, link, &tables)
  }

  /// Ends everything in progress on the bearers of a link, or on one of its channels.
  mutating func endBearers(
    _ link: LinkID, _ channel: ChannelID?, _ moment: PacketContext, _ tables: inout Tables,
    _ leAudio: inout LEAudioFollower, _ accessory: inout AccessoryFollower
  ) {
    for id in tables.links[link].bearers.keys.sorted(by: { $0.index < $1.index })
    where channel == nil || channel == id {
      swapBearer(of: id, link, &tables)
      endTransactions(link, moment, &tables, &leAudio, &accessory)
      swapBearer(of: id, link, &tables)
      tables.links[link].bearers[id] = nil
    }
  }

  /// Swaps the state of a channel's bearer with that of the fixed channel, and back.
  private mutating func swapBearer(of id: ChannelID, _ link: LinkID, _ tables: inout Tables) {
    var bearer = tables.links[link].bearers[id] ?? ATTBearer(mtu: bearerMTU(of: id, tables))
    if tables.links[link].att.channel == nil { bearer.state.channel = id }
    swap(&bearer.state, &tables.links[link].att)
    swap(&bearer.mtu, &tables.links[link].mtu)
    tables.links[link].bearers[id] = bearer
  }

  func bearerMTU(of id: ChannelID, _ tables: borrowing Tables) -> UInt16 {
    max(
      tables.channels[Int(id.index)].psm == FixedPSM.att.rawValue ? 48 : 64,
      tables.channelStates[Int(id.index)].mtu)
  }
}

extension TrafficFollower {
  /// Marks a segment of an SDU of a bearer or of RFCOMM: code that shows packets cannot wait for the remaining
  /// segments.
  mutating func concealSegment(
    _ part: RawSpan, _ id: ChannelID, _ link: LinkID, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    if tables.channels[Int(id.index)].psm == FixedPSM.rfcomm.rawValue {
      let before = tables.channelStates[Int(id.index)].assembly[moment.side]
      let last = before.isOpen ? before.packets.last.flatMap { tables.packets[$0] } : nil
      let goesOn = last?.flags.contains(.secret) ?? false
      let bytes = before.isOpen ? before.bytes : []
      if goesOn || streams.iap2.holdsIAP2Key(part, behind: bytes, link, moment.direction) {
        tables.record.row.flags.insert(.secret)
      }
    }
    guard tables.channels[Int(id.index)].entry?.path.description == "att" else { return }
    let servers = [Direction.hostToController, .controllerToHost].map {
      tables.database(link, clientDirection: $0)
    }
    if servers.contains(where: { tables.carriesKeysAnywhere($0) }) {
      tables.record.row.flags.insert(.secret)
    }
  }
}

/// The state of an ATT bearer that is not the fixed channel.
struct ATTBearer: Sendable {
  var state = ATTState()
  /// The channel's MTU. An Enhanced ATT bearer accepts at least 64, BR/EDR at least 48. Vol 3, Part F, 3.2.8; Part G,
  /// 5.2.1.
  var mtu: UInt16
}
