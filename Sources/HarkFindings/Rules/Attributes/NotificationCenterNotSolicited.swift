import HarkCore
import HarkSession

struct NotificationCenterNotSolicited: Rule {
  static let about = RuleDescription(
    id: "ancs.not-solicited", title: "ANCS was searched for, but not solicited",
    severity: .info, needs: .notificationCenter,
    meaning:
      "iOS offers to share notifications with accessories that solicit ANCS in their "
      + "advertising. Without this, the user finds no switch for it.",
    source:
      "Core Specification Supplement, Part A, 1.10 (service solicitation); Apple, Apple Notification "
      + "Center Service Specification",
    fix:
      "Put the 128-bit UUID of ANCS, 7905F431-B5CE-4E99-A40F-4B1E122D00D0, into the advertising or "
      + "scan response data as AD type 0x15.")
  static let wants: Set<Event.Family> = [.controller, .link, .attribute]

  private static let most = 1_024

  /// The last advertising of each controller that the capture has the data of, while ANCS is not in it.
  private var advertising: [UInt16: PacketID] = [:]
  /// Links that resulted from it.
  private var links: [LinkID: PacketID] = [:]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    switch event.content {
    case .controller(.discovery(.advertisingStarted(let started))):
      guard let controller = event.controller else { return }
      let lacks = started.solicited.map { !$0.contains(ANCS.service) } ?? false
      advertising[controller] = lacks ? event.frames.last : nil
    case .link(.opened):
      guard let link = session.link(event), link.role == .peripheral, links.count < Self.most
      else { return }
      links[link.id] = advertising[link.controller]
    case .attribute(.serviceNotFound(let it)) where it.service == ANCS.service && !it.isLocal:
      guard let packet = event.link.flatMap({ links[$0] }) else { return }
      report.found(
        event, session,
        observed:
          "ANCS was searched for, but the advertising in #\(packet.number) does not solicit it",
        expected: "ANCS among the solicited services", confidence: .likely, frames: [packet])
    case .link(.closed):
      if let link = event.link { links[link] = nil }
    default: break
    }
  }
}
