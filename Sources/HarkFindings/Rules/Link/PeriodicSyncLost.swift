import HarkDissection
import HarkSession

struct PeriodicSyncLost: Rule {
  static let about = RuleDescription(
    id: "link.periodic-sync-lost", title: "Periodic advertising was not received, or was lost",
    severity: .info, needs: .periodicAdvertising,
    meaning:
      "The sender is off or too far away, or it changed its periodic advertising: broadcasts that it "
      + "describes cannot be found.",
    source:
      "Core Specification, Vol 4, Part E, 7.7.65.14 (LE Periodic Advertising Sync Established), 7.7.65.16 "
      + "(Sync Lost), 7.7.65.24 (Sync Transfer Received); Vol 6, Part B, 4.4.3.4",
    fix:
      "Synchronize again. Allow a Sync_Timeout of several periodic advertising intervals, and let the "
      + "controller skip fewer events; check what else the controller did at this time.")
  static let wants: Set<Event.Family> = [.periodic]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    switch event.content {
    case .periodic(.lost):
      report.found(event, session, expected: "periodic advertising that continues", subject: "lost")
    case .periodic(.failed(let it)) where HCIErrorCode(it.status) != .operationCancelledByHost:
      report.found(
        event, session, expected: "periodic advertising within the Sync_Timeout",
        subject: "failed \(it.status)")
    default: break
    }
  }
}
