import HarkSession

struct MessageFailed: Rule {
  static let about = RuleDescription(
    id: "transport.message-failed", title: "A message did not reach the other side",
    severity: .warning, needs: .sessions,
    meaning:
      "After transportFailed, the phone tries again or uses another transport; after "
      + "transportUnavailable, the notification is lost.",
    source: "Apple, AccessoryMessage.Result and AccessoryMessage.Error",
    fix:
      "Answer transportFailed only if a retry may help, and look at the link around the "
      + "named packet.")
  static let wants: Set<Event.Family> = [.accessory, .app]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    for case (.completed(.failure(let error)), _) in event.transportSteps {
      report.found(
        event, session, expected: "success",
        severity: error == .transportUnavailable ? .error : .warning,
        confidence: event.confidence, subject: error.rawValue)
    }
  }
}
