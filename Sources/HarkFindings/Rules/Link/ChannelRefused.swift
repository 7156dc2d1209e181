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

  private struct Refused {
    let place: Place
    let observed: FindingText
    let subject: String
  }

  private static let most = 256
  private var refused: [Goal: Refused] = [:]
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
      judge(where: { $0.link == event.link }, &report)
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
    refused[goal] = Refused(
      place: Place(event), observed: RuleReport.text(of: event, session), subject: subject)
  }

  /// In the order of the capture: the first of several alike is the one that is shown.
  private mutating func judge(where isOver: (Goal) -> Bool, _ report: inout RuleReport) {
    let over = refused.filter { isOver($0.key) }
    for (goal, one) in over.sorted(by: { $0.value.place.lastFrame < $1.value.place.lastFrame }) {
      refused[goal] = nil
      report.missing(
        one.place, observed: one.observed, expected: "a channel that opens",
        confidence: .certain, subject: one.subject)
    }
  }

  mutating func finish(_ session: borrowing Session, _ report: inout RuleReport) {
    judge(where: { _ in true }, &report)
  }
}
