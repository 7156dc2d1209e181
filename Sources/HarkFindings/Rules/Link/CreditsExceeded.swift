import HarkCore
import HarkSession

struct CreditsExceeded: Rule {
  static let about = RuleDescription(
    id: "link.credits-exceeded", title: "A sender exceeded its credits",
    severity: .error, needs: .channels,
    meaning:
      "The receiver closes the channel, or drops the excess data: this message, or this and "
      + "all later ones are lost.",
    source: "Core Specification, Vol 3, Part A, 10.1 (credit based flow control); RFCOMM 1.2, 6.5",
    fix: "Count credits down with each frame, and wait at zero.")
  static let wants: Set<Event.Family> = [.channel, .rfcomm]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    let byPeer: Bool
    switch event.content {
    case .channel(.creditsExceeded(let it)): byPeer = it.byPeer
    case .rfcomm(.creditsExceeded(let it)): byPeer = it.byPeer
    default: return
    }
    // Credits that the recorder lost were there.
    if let gap = report.coverage.gap(since: PacketID(0)) {
      return report.cannotTell(Place(event), gap, "credits may be in that gap")
    }
    report.found(
      event, session, expected: "a frame only with a credit", confidence: .likely,
      subject: "\(byPeer)")
  }
}
