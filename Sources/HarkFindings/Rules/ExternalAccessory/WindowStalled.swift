import HarkCore
import HarkSession

struct WindowStalled: Rule {
  static let about = RuleDescription(
    id: "ea.window-stalled", title: "iAP2 had to wait for acknowledgements",
    severity: .info, needs: .externalAccessory,
    meaning:
      "The maximum number of packets was outstanding, and the receiver acknowledged them "
      + "late: app streams stall meanwhile.",
    source:
      "iAP2 link synchronization: maximum outstanding packets, cumulative acknowledgement timeout",
    fix:
      "Acknowledge packets as soon as they are processed, and allow more outstanding packets in the "
      + "SYN packet.")
  static let wants: Set<Event.Family> = [.iap2]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard case .iap2(.windowStalled) = event.content else { return }
    if let gap = report.coverage.gap(since: session.link(event)?.opened ?? event.frames.first) {
      return report.cannotTell(Place(event), gap, "acknowledgements may be in that gap")
    }
    report.found(
      event, session, expected: "an acknowledgement before the window is full",
      confidence: .likely)
  }
}
