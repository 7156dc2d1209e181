import HarkCore
import HarkDissection

// Links whose beginning is not in the capture: events and commands that only one transport has tell
// what they are. Core Specification, Vol 4, Part E, 7.1, 7.2, 7.7, 7.8.
extension Session {
  /// Opens the link that an event is about, or learns its transport.
  mutating func inferLink(_ facts: Facts, _ bytes: RawSpan, _ moment: inout PacketContext) {
    guard facts.handle != Facts.noHandle, !facts.isMalformed,
      let event = HCIEventSign(bytes), !event.hasFailed,
      isochronousStreams[moment.controller, facts.handle] == nil,
      !isIsochronous(facts.handle, moment),
      // What a controller reports of a link after its end shows no other link.
      moment.link != nil || !linkTable.wasClosed(moment.controller, facts.handle)
    else { return }
    let transport = Link.Transport(event.transport)
    let isNew = moment.link == nil
    let link = moment.link ?? openInferred(facts.handle, transport, &moment)
    guard let link else { return }
    if linkTable[link].transport == .unknown { linkTable[link].transport = transport }
    if isNew { emit(.link(.inferred(.init())), moment, severity: .warning) }
  }

  /// Begins a link that is in use.
  mutating func openInferred(
    _ handle: UInt16, _ transport: Link.Transport, _ moment: inout PacketContext
  ) -> LinkID? {
    guard handle < 4096,
      let link = linkTable.open(
        moment.controller, handle, transport, moment.packet, .inferred)
    else { return nil }
    moment.link = link
    return link
  }

  /// The controller took a command that goes to links of one transport only.
  mutating func inferTransport(ofCommand opcode: HCIOpcode?, _ link: LinkID) {
    guard let opcode, linkTable[link].transport == .unknown else { return }
    if opcode.isForBREDRLinks {
      linkTable[link].transport = .brEDR
    } else if opcode.isForLELinks {
      linkTable[link].transport = .le
    }
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
