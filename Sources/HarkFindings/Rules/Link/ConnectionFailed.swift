import HarkDissection
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
    // A synchronous link that fails belongs to an open link: see `CallInaudible`.
    case .link(.failed(let failed))
    where !failed.isOurs && !failed.isSynchronous:
      guard let severity = Self.severity(HCIErrorCode(failed.status)) else { return }
      report.found(
        event, session, expected: "a connection", severity: severity,
        subject: "\(failed.status) \(failed.peer?.description ?? "")")
    case .link(.closed(let closed))
    where HCIErrorCode(closed.reason) == .connectionFailedToBeEstablished:
      report.found(event, session, expected: "a connection", subject: "established")
    default: break
    }
  }

  /// Nil if nothing failed.
  private static func severity(_ status: HCIErrorCode?) -> Finding.Severity? {
    switch status {
    // A host that gives up waiting cancels the attempt, and the controller then reports the first.
    case .unknownConnectionIdentifier, .connectionAlreadyExists: nil
    // The peer did not answer, or the connection was not established over the air.
    case .pageTimeout, .advertisingTimeout, .connectionFailedToBeEstablished: .info
    default: .warning
    }
  }
}
