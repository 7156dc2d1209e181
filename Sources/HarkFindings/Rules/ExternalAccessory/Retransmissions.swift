import HarkCore
import HarkSession

struct Retransmissions: Rule {
  static let about = RuleDescription(
    id: "ea.retransmissions", title: "iAP2 packets are retransmitted",
    severity: .info, needs: .externalAccessory,
    meaning:
      "The other side does not acknowledge in time: throughput falls, and after the agreed number "
      + "of attempts the link is reset.",
    source:
      "iAP2 link synchronization: retransmission timeout, maximum retransmissions, cumulative "
      + "acknowledgement timeout",
    fix:
      "Acknowledge each packet before the cumulative acknowledgement timeout, and request a "
      + "longer retransmission timeout over Bluetooth.")
  static let wants: Set<Event.Family> = [.iap2]

  private var counts = RecentValues<LinkID, Int>(capacity: 256)
  /// So many are no accident.
  private static let many = 3

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard case .iap2(.retransmitted(let it)) = event.content, !it.hasOtherPayload,
      let link = event.link
    else { return }
    let count = (counts[link] ?? 0) + 1
    counts.set(link, count)
    report.found(
      event, session, expected: "an acknowledgement before the retransmission timeout",
      severity: count >= Self.many ? .warning : .info)
  }
}
