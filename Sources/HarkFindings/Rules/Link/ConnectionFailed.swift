import HarkSession

struct ConnectionFailed: Rule {
  static let about = RuleDescription(
    id: "link.connection-failed", title: "A connection was not established",
    severity: .info, needs: .links,
    meaning:
      "The other device was absent, did not answer in time, or refused: the status shows "
      + "which. Hosts try known devices repeatedly, so a single failure means little.",
    source: "Core Specification, Vol 1, Part F, 2 (0x04 Page Timeout, 0x3E Connection Failed to "
      + "be Established)",
    fix:
      "After a timeout, let the other device advertise, or scan for pages, more often; for "
      + "other reasons, look at the status.")
  static let wants: Set<Event.Family> = [.link]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    switch event.content {
    // A host that gives up waiting cancels the attempt: Unknown Connection Identifier. With Connection
    // Already Exists nothing is missing.
    case .link(.failed(let failed))
    where !failed.isOurs && ![0x02, 0x0B].contains(failed.status):
      let status = failed.status
      // Page Timeout, and attempts that came to nothing on the air.
      let isCommon = status == 0x04 || status == 0x3C || status == 0x3E
      report.found(
        event, session, expected: "a connection", severity: isCommon ? .info : .warning,
        subject: "\(status) \(failed.peer?.description ?? "")")
    case .link(.closed(let closed)) where closed.reason == 0x3E:
      report.found(event, session, expected: "a connection", subject: "established")
    default: break
    }
  }
}
