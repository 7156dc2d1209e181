import HarkCore
import HarkDissection

// Links whose beginning is not in the capture: events and commands that only one transport has tell
// what they are. Core Specification, Vol 4, Part E, 7.1, 7.2, 7.7, 7.8.
extension Session {
  /// Opens the link that an event is about, or learns its transport.
  mutating func inferLink(_ facts: Facts, _ bytes: RawSpan, _ moment: inout Moment) {
    guard facts.handle != Facts.noHandle, !facts.isMalformed,
      let (transport, hasStatus) = Self.linkEvent(facts)
    else { return }
    // The Status stands in front of all others, behind the subevent code where there is one.
    guard !hasStatus || bytes.byte(at: facts.code == 0x3E ? 3 : 2) == 0,
      isochronousStreams[moment.controller, facts.handle] == nil,
      !isIsochronous(facts.handle, moment),
      // What a controller reports of a link after its end shows no other link.
      moment.link != nil || !linkTable.wasClosed(moment.controller, facts.handle)
    else { return }
    let isNew = moment.link == nil
    let link = moment.link ?? openInferred(facts.handle, transport, &moment)
    guard let link else { return }
    if linkTable[link].transport == .unknown { linkTable[link].transport = transport }
    if isNew { emit(.link(.inferred(.init())), moment, severity: .warning) }
  }

  /// Begins a link that is in use.
  mutating func openInferred(
    _ handle: UInt16, _ transport: Link.Transport, _ moment: inout Moment
  ) -> LinkID? {
    guard handle < 4096,
      let link = linkTable.open(
        moment.controller, handle, transport, moment.packet, .inferred)
    else { return nil }
    moment.link = link
    return link
  }

  /// The transport of the link that an event names, and whether the event has a Status; nil for events
  /// that do not show that there is a link.
  private static func linkEvent(_ facts: Facts) -> (Link.Transport, hasStatus: Bool)? {
    switch facts.code {
    case 0x06, 0x09, 0x0A, 0x0B, 0x0D, 0x14, 0x1C, 0x1D, 0x21, 0x23, 0x2E: (.classic, true)
    case 0x1B, 0x1E, 0x38, 0x39: (.classic, false)
    case 0x2D: (.esco, true)
    case 0x05, 0x08, 0x0C, 0x30, 0x59: (.unknown, true)
    case 0x57: (.unknown, false)
    case 0x3E: leLinkEvent(facts.subcode)
    default: nil
    }
  }

  private static func leLinkEvent(
    _ subevent: UInt16
  ) -> (Link.Transport, hasStatus: Bool)? {
    switch subevent {
    case 0x03, 0x04, 0x0C, 0x17, 0x1F, 0x21, 0x23: (.le, true)
    case 0x05, 0x06, 0x07, 0x14, 0x16, 0x1A, 0x20: (.le, false)
    default: nil
    }
  }

  /// The controller took a command that goes to links of one transport only.
  mutating func inferTransport(ofCommand opcode: UInt16, _ link: LinkID) {
    guard linkTable[link].transport == .unknown else { return }
    switch opcode {
    case 0x040F, 0x0411, 0x0413, 0x0415, 0x041B, 0x041C, 0x041F, 0x0801...0x0811:
      linkTable[link].transport = .classic
    case 0x2013, 0x2015, 0x2016, 0x2019...0x201B, 0x2020...0x2022, 0x2030, 0x2032, 0x205A...0x205C:
      linkTable[link].transport = .le
    default: break
    }
  }
}
