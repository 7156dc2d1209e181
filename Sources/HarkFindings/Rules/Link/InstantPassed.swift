import HarkCore
import HarkDissection
import HarkSession

struct InstantPassed: Rule {
  static let about = RuleDescription(
    id: "link.instant-passed", title: "A change of the connection was sent after its instant",
    severity: .warning, needs: .air,
    meaning:
      "The Central announces connection parameters, channels or a PHY for a connection event that has already "
      + "passed. The Peripheral must consider the connection lost (0x28 Instant Passed); the change takes no effect.",
    source:
      "Core Specification, Vol 6, Part B, 5.1.1 (connection update), 5.1.2 (channel map), 5.1.10 (PHY update)",
    fix:
      "Choose an instant that leaves at least 6 connection events at which the Peripheral listens; with latency, these "
      + "are farther apart. If the Central did so, the Peripheral missed the announcement for too long: look for poor reception."
  )
  static let wants: Set<Event.Family> = [.linkLayer]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard case .linkLayer(.instantPassed(let it)) = event.content else { return }
    let start = session.link(event)?.opened ?? PacketID(0)
    if let gap = report.coverage.gap(since: start) {
      return report.cannotTell(
        Place(event), gap, "an earlier change of the interval may be in that gap",
        subject: "\(it.opcode ?? 0)")
    }
    report.found(
      event, session, expected: "an instant that is ahead", subject: "\(it.opcode ?? 0)")
  }
}
