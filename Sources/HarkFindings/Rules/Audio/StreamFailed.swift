import HarkReport
import HarkSession

struct StreamFailed: Rule {
  static let about = RuleDescription(
    id: "audio.stream-failed", title: "An isochronous stream was not established, or was lost",
    severity: .error, needs: .isochronous,
    meaning: "There is no sound, or it breaks off.",
    source:
      "Core Specification, Vol 4, Part E, 7.7.65.25 (LE CIS Established), 7.7.65.27 to 7.7.65.30 "
      + "(broadcast isochronous groups)",
    fix:
      "Look at the status: for a stream that was not established, at intervals and retransmissions that "
      + "do not fit into the schedule; for a lost one, at the link and the distance.")

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard case .isochronous(let content) = event.content else { return }
    switch content {
    // Operation Cancelled by Host.
    case .failed(_, 0x44), .groupFailed(_, _, 0x44): break
    case .failed(let handle, _):
      report.found(event, session, expected: "the stream established", subject: "\(handle)")
    case .groupFailed(let big, _, _):
      report.found(event, session, expected: "the group there", subject: "group \(big)")
    // Connection Timeout and Connection Failed to be Established / Synchronization Timeout.
    case .ended(let handle, 0x08), .ended(let handle, 0x3E):
      report.found(
        event, session, expected: "a stream that one side ends", severity: .warning,
        subject: "\(handle)")
    case .groupEnded(let big, _, 0x08), .groupEnded(let big, _, 0x3E):
      report.found(
        event, session, expected: "a broadcast that its source ends", severity: .warning,
        subject: "group \(big)")
    default: break
    }
  }
}
