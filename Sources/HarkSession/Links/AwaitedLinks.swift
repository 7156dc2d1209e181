import HarkCore
import HarkDissection

/// Links that began with data of the peer, whose opening event may follow: USB carries events and data on endpoints of
/// their own, so that a host may get the first data of a connection some milliseconds before HCI_Connection_Complete.
/// Core Specification, Vol 4, Part B, 2.1
struct AwaitedLinks {
  /// Hosts hold such data for the event, which comes with the next poll of its endpoint. In nanoseconds.
  static let longest: Int64 = 100_000_000
  /// For captures whose clock stands still.
  static let mostPackets: UInt32 = 256
  /// For how long data of a link may follow its HCI_Disconnection_Complete, in nanoseconds.
  static let longestCrossing: Int64 = 20_000_000
  /// For how long a host sends audio on a link that has ended, in nanoseconds: it has not read the event yet.
  static let longestQueue: Int64 = 1_000_000_000
  /// A link that is already open is in use for less than this when a capture begins, in nanoseconds.
  static let longestStart: Int64 = 1_000_000_000

  struct Entry {
    let link: LinkID
    let packet: UInt32
    let time: Timestamp

    func isExpired(_ moment: PacketContext) -> Bool {
      !(0..<AwaitedLinks.longest).contains(moment.time.since(time))
        || moment.packet.number &- packet > AwaitedLinks.mostPackets
    }
  }

  var entries: [Entry] = []
}

// Until it is known whether the event follows, the events of the capture are held.
extension Tables {
  /// Data began a link.
  mutating func awaitOpening(of link: LinkID, _ moment: PacketContext) {
    guard moment.isFromPeer, !moment.isUndirected, mayBegin(link, moment) else { return }
    log.awaited.entries.append(
      AwaitedLinks.Entry(link: link, packet: moment.packet.number, time: moment.time))
    log.isHolding = true
  }

  private func mayBegin(_ link: LinkID, _ moment: PacketContext) -> Bool {
    if links[link].isAfterEnd {
      let before = links.lastClosed(moment.controller, links[link].handle)
      guard let end = before.flatMap({ links[$0].closed }), let time = packets[end]?.time else {
        return true
      }
      return counts.elapsedAtLeast(since: time, in: end, moment) > AwaitedLinks.longestCrossing
    }
    guard !links[link].isAfterReset, let first = counts.firstTime else { return true }
    return counts.elapsedAtLeast(since: first, in: PacketID(1), moment) >= AwaitedLinks.longestStart
  }

  /// The link whose first data came before the event that opens it.
  func earlyLink(
    _ handle: UInt16, _ transport: Link.Transport, _ moment: PacketContext
  ) -> LinkID? {
    guard !log.awaited.entries.isEmpty, let link = links.find(moment.controller, handle),
      log.awaited.entries.contains(where: { $0.link == link && !$0.isExpired(moment) })
    else { return nil }
    let isSound = transport == .sco || transport == .esco
    let fits =
      links[link].transport == transport
      || links[link].transport == .unknown && isSound == (links[link].sound != nil)
    return fits ? link : nil
  }

  /// The event that opens an early link: its data is part of it.
  mutating func confirm(early link: LinkID, _ transport: Link.Transport) {
    links[link].transport = transport
    links[link].certainty = .seen
    (links[link].isAfterEnd, links[link].isAfterReset, links[link].isSetupCut) =
      (false, false, false)
    links[link].att.elimination = nil
    if let stream = links[link].sound, transport != .iso {
      streams[Int(stream.index)].kind = .synchronous(transport)
    }
    log.awaited.entries.removeAll { $0.link == link }
    log.dropInference(of: link)
  }

  /// The peer of an early link is known: it is the peer of its events, too.
  mutating func releaseEvents(ofEarly link: LinkID) {
    if let device = links[link].device { log.complete(link, device) }
    if log.awaited.entries.isEmpty { log.release() }
  }

  /// After each record while links are awaited: only data of the peer may come before the event that opens a link.
  mutating func settleAwaitedLinks(_ kind: PacketKind, _ moment: PacketContext) {
    let isPeersData = kind.isDataOfLink && moment.isFromPeer && !moment.isUndirected
    for index in log.awaited.entries.indices.reversed() {
      let entry = log.awaited.entries[index]
      let isSettled =
        entry.isExpired(moment) || links[entry.link].closed != nil
        || entry.link == moment.link && !isPeersData
      if isSettled { log.awaited.entries.remove(at: index) }
    }
    // Links that are awaited one after the other must not keep the events of a live capture.
    if log.held.count >= EventLog.mostHeld { return endAwaitedLinks() }
    if log.awaited.entries.isEmpty { log.release() }
  }

  /// The capture ends or pauses.
  mutating func endAwaitedLinks() {
    log.awaited.entries.removeAll()
    log.release()
  }
}

extension PacketKind {
  /// Whether the packet is data with the handle of a link. Core Specification, Vol 4, Part E, 5.4.2, 5.4.3, 5.4.5
  fileprivate var isDataOfLink: Bool {
    switch self {
    case .acl, .sco, .iso: true
    default: false
    }
  }
}

extension EventLog {
  fileprivate static let mostHeld = 4_096

  /// The beginning of a link turns out to be in the capture.
  fileprivate mutating func dropInference(of link: LinkID) {
    held.removeAll { event in
      guard event.link == link, case .link(.inferred) = event.content else { return false }
      return true
    }
  }

  fileprivate mutating func complete(_ link: LinkID, _ device: DeviceID) {
    for index in held.indices where held[index].link == link && held[index].device == nil {
      held[index].device = device
    }
  }

  fileprivate mutating func release() {
    isHolding = false
    events += held
    held.removeAll()
  }
}
