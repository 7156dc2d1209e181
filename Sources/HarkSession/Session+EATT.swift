import HarkCore
import HarkDissection

// ATT on channels of its own: Enhanced ATT bearers, and ATT over BR/EDR.
// Core Specification, Vol 3, Part F, 3.2.11; Part G, 5.3.
extension Session {
  /// A PDU of the bearer that a channel is. Each has transactions of its own.
  mutating func bearer(_ bytes: RawSpan, on id: ChannelID, _ moment: PacketContext) {
    guard let link = moment.link, let entry = channels[Int(id.index)].entry else { return }
    let facts = catalog.summarize(bytes, entry, context(moment))
    if facts.isMalformed { malformed(facts, moment) }
    swapBearer(of: id, link)
    expireRequests(link, moment)
    att(bytes, at: 0..<bytes.byteCount, facts, moment)
    swapBearer(of: id, link)
  }

  /// Ends what is under way on the bearers of a link, or of one of its channels.
  mutating func endBearers(_ link: LinkID, _ channel: ChannelID?, _ moment: PacketContext) {
    for id in linkTable[link].bearers.keys.sorted(by: { $0.index < $1.index })
    where channel == nil || channel == id {
      swapBearer(of: id, link)
      endTransactions(link, moment)
      swapBearer(of: id, link)
      linkTable[link].bearers[id] = nil
    }
  }

  /// Puts the state of a channel's bearer in the place of the fixed channel's, and back.
  private mutating func swapBearer(of id: ChannelID, _ link: LinkID) {
    var bearer = linkTable[link].bearers[id] ?? ATTBearer(mtu: bearerMTU(of: id))
    swap(&bearer.state, &linkTable[link].att)
    swap(&bearer.mtu, &linkTable[link].mtu)
    linkTable[link].bearers[id] = bearer
  }

  func bearerMTU(of id: ChannelID) -> UInt16 {
    max(channels[Int(id.index)].psm == 0x001F ? 48 : 64, channelStates[Int(id.index)].mtu)
  }

  /// Marks a segment of an SDU of a bearer, or of RFCOMM: who shows packets cannot wait for the rest
  /// of it.
  mutating func concealSegment(
    _ part: RawSpan, _ id: ChannelID, _ link: LinkID, _ moment: PacketContext
  ) {
    if channels[Int(id.index)].psm == 0x0003 {
      let before = channelStates[Int(id.index)].assembly[moment.side]
      let last = before.isOpen ? before.packets.last.flatMap { packets[$0] } : nil
      let goesOn = last?.flags.contains(.secret) ?? false
      let bytes = before.isOpen ? before.bytes : []
      if goesOn || holdsIAP2Key(part, behind: bytes, link, moment.direction) {
        row.flags.insert(.secret)
      }
    }
    guard channels[Int(id.index)].entry?.path.description == "att" else { return }
    let servers = [Direction.hostToController, .controllerToHost].map {
      database(link, clientDirection: $0)
    }
    if servers.contains(where: { carriesKeysAnywhere($0) }) { row.flags.insert(.secret) }
  }
}

/// The state of an ATT bearer that is not the fixed channel.
struct ATTBearer: Sendable {
  var state = ATTState()
  /// That of the channel; an Enhanced ATT bearer takes at least 64, BR/EDR at least 48.
  /// Vol 3, Part F, 3.2.8; Part G, 5.2.1.
  var mtu: UInt16
}
