import HarkCore
import HarkDissection

// Links whose beginning is not in the capture: events and commands that exist for one transport only show which one
// they use. Core Specification, Vol 4, Part E, 7.1, 7.2, 7.7, 7.8.
extension Tables {
  /// Begins a link that is in use.
  mutating func openInferred(
    _ handle: UInt16, _ transport: Link.Transport, _ moment: inout PacketContext
  ) -> LinkID? {
    guard handle < 4096,
      let link = links.open(
        moment.controller, handle, transport, moment.packet, .inferred)
    else { return nil }
    moment.link = link
    if let controller = controllers.find(moment.controller) {
      links[link].isAfterReset = controllers.values[controller].wasReset
      links[link].isSetupCut = controllers.values[controller].hasCutSetup
      if links[link].isSetupCut { controllers[moment.controller].hasCutSetup = false }
    }
    beginElimination(link)
    return link
  }

  /// The closed link that a packet is part of, according to its time: the packets of the capture are out of order. The
  /// link's state is gone, so that hark does not follow the packet.
  func linkThatEnded(_ handle: UInt16, _ moment: PacketContext) -> LinkID? {
    guard let link = links.lastClosed(moment.controller, handle),
      let start = packets[links[link].opened]?.time,
      let end = links[link].closed.flatMap({ packets[$0]?.time }),
      start <= moment.time, moment.time < end
    else { return nil }
    return link
  }

  /// The synchronous link or isochronous stream whose end a packet of its kind follows so soon that it crossed it: queues
  /// and USB transfers are not yet empty. Nil if a new one may have begun, or if the capture does not show that there was one.
  func linkBeforeStray(_ handle: UInt16, _ kind: PacketKind, _ moment: PacketContext) -> LinkID? {
    guard links.find(moment.controller, handle) == nil,
      let link = links.lastClosed(moment.controller, handle),
      kind == .iso ? links[link].transport == .iso : links[link].isSynchronous,
      let end = links[link].closed, let time = packets[end]?.time,
      moment.packet.number - end.number <= AwaitedLinks.mostPackets,
      let passed = counts.elapsed(since: time, in: end, moment)
    else { return nil }
    // Data of the peer may come before the event that opens its link; a host sends none before it.
    let limit =
      moment.isFromPeer || moment.isUndirected
      ? AwaitedLinks.longestCrossing : AwaitedLinks.longestQueue
    return passed <= limit ? link : nil
  }

  /// The controller accepted a command for links of one transport only.
  mutating func inferTransport(ofCommand opcode: HCIOpcode?, _ link: LinkID) {
    guard let opcode, links[link].transport == .unknown else { return }
    if opcode.isForBREDRLinks {
      links[link].transport = .brEDR
    } else if opcode.isForLELinks {
      links[link].transport = .le
    }
  }
}

extension Session {
  /// Opens the link that an event concerns, or determines its transport.
  mutating func inferLink(_ facts: Facts, _ bytes: RawSpan, _ moment: inout PacketContext) {
    guard facts.handle != Facts.noHandle, !facts.isMalformed,
      let event = HCIEventSign(bytes), !event.hasFailed,
      !isochronous.isIsochronous(facts.handle, moment),
      // A controller's reports about a link after its end do not indicate another link.
      moment.link != nil
        || tables.links.lastClosed(moment.controller, facts.handle)
          .map({ tables.links[$0].transport == .iso }) ?? true
    else { return }
    let transport = Link.Transport(event.transport)
    let isNew = moment.link == nil
    let link = moment.link ?? tables.openInferred(facts.handle, transport, &moment)
    guard let link else { return }
    if tables.links[link].transport == .unknown { tables.links[link].transport = transport }
    if isNew { tables.emit(.link(.inferred(.init())), moment, severity: .warning) }
  }
}

extension Link.Transport {
  fileprivate init(_ transport: HCIEventSign.Transport) {
    switch transport {
    case .brEDR: self = .brEDR
    case .esco: self = .esco
    case .le: self = .le
    case .any: self = .unknown
    }
  }
}
