import HarkCore
import HarkSession

struct ChannelRefused: Rule {
  static let about = RuleDescription(
    id: "link.channel-refused", title: "A channel or its reconfiguration is refused",
    severity: .warning, needs: .channels,
    meaning:
      "The service that a refused channel leads to stays unused: the other side does not offer it there, has no "
      + "room for another channel, or requires more security first. A channel whose reconfiguration is refused keeps "
      + "its MTU and MPS.",
    source:
      "Core Specification, Vol 3, Part A, 4.1, 4.3, 4.5, 4.23, 4.26, 4.28 (results of L2CAP); RFCOMM 1.2, 5.4 and "
      + "TS 27.010, 5.4.1 (SABM, DM)",
    fix:
      "Look at the result. PSM, SPSM or server channel not supported: read it from the service record or from "
      + "GATT in each connection, and register the service before the peer connects. Security: pair or encrypt "
      + "the link, then request the channel again. No resources: close unused channels. A reconfiguration "
      + "may not reduce the MTU, nor the MPS of several channels at once.")
  static let wants: Set<Event.Family> = [.link, .channel, .rfcomm]

  /// Where a channel leads.
  private struct Goal: Hashable {
    let link: LinkID?
    let isRFCOMM: Bool
    let number: UInt16
  }

  private static let most = 256
  private var refused: [Goal: HeldFinding] = [:]
  /// What was used before: a side that is about to close the link refuses to open it again.
  private var used = RecentValues<Goal, Bool>(capacity: 1_024)

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    switch event.content {
    case .channel(.refused(let it)):
      let subject = "\(it.psm) \(it.result) \(it.byPeer.map { "\($0)" } ?? "")"
      note(Goal(link: event.link, isRFCOMM: false, number: it.psm), subject, event, session)
    case .rfcomm(.refused(let it)):
      let number = UInt16(it.link.serverChannel)
      note(
        Goal(link: event.link, isRFCOMM: true, number: number), "RFCOMM \(number)", event, session)
    case .rfcomm(.unanswered(let it)):
      let number = UInt16(it.link.serverChannel)
      note(
        Goal(link: event.link, isRFCOMM: true, number: number), "RFCOMM \(number) unanswered",
        event,
        session)
    case .rfcomm(.sessionRefused):
      note(Goal(link: event.link, isRFCOMM: true, number: 0), "RFCOMM session", event, session)
    case .rfcomm(.sessionUnanswered):
      note(
        Goal(link: event.link, isRFCOMM: true, number: 0), "RFCOMM session unanswered", event,
        session)
    case .channel(.configurationRefused(let it)):
      note(
        Goal(link: event.link, isRFCOMM: false, number: it.channel.psm),
        "configuration \(it.channel.psm) \(it.result)", event, session)
    case .channel(.closed(let it)) where it.channel.isUnconfigured:
      note(
        Goal(link: event.link, isRFCOMM: false, number: it.channel.psm),
        "configuration \(it.channel.psm)", event, session)
    case .channel(.opened(let it)):
      opened(Goal(link: event.link, isRFCOMM: false, number: it.channel.psm))
    case .rfcomm(.opened(let it)):
      opened(Goal(link: event.link, isRFCOMM: true, number: UInt16(it.link.serverChannel)))
      // Its session was accepted in the end.
      opened(Goal(link: event.link, isRFCOMM: true, number: 0))
    case .channel(.reconfigurationRefused(let it)):
      report.found(
        event, session, expected: "a reconfiguration that the other side accepts",
        subject: "reconfiguration \(it.result)")
    case .link(.closed):
      for (goal, one) in refused where goal.link == event.link {
        refused[goal] = nil
        report.missing(one)
      }
    default: break
    }
  }

  /// Pairing made it possible, or the other side's request came first.
  private mutating func opened(_ goal: Goal) {
    refused[goal] = nil
    used.set(goal, true)
  }

  private mutating func note(
    _ goal: Goal, _ subject: String, _ event: Event, _ session: borrowing Session
  ) {
    guard refused[goal] == nil, used[goal] == nil, refused.count < Self.most else { return }
    refused[goal] = HeldFinding(
      event, session, expected: "a channel that opens", subject: subject)
  }

  mutating func finish(_ session: borrowing Session, _ report: inout RuleReport) {
    for one in refused.values { report.missing(one) }
  }
}
