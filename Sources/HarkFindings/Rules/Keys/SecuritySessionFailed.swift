import HarkSession

struct SecuritySessionFailed: Rule {
  static let about = RuleDescription(
    id: "keys.session-failed",
    title: "A security session was rejected, cancelled or invalidated",
    severity: .error, needs: .sessions,
    meaning:
      "The security extension exchanges no keys any more: without new keys the phone and the "
      + "accessory cannot encrypt what is forwarded.",
    source: "Apple, AccessorySecuritySession: Request.Decision, Error, cancel(error:), "
      + "sessionInvalidated(error:)",
    fix:
      "Accept the request in AccessoryTransportSecurity.accept(sessionRequest:). After an "
      + "error, look into the extension's log at this time, and exchange keys anew in the next "
      + "session.")
  static let wants: Set<Event.Family> = [.app]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard let app = event.app, app.point == .security else { return }
    for (step, _) in event.transportSteps {
      switch step {
      case .decision(.reject), .cancel(error: _?), .sessionInvalidated(error: _?):
        report.found(
          event, session, expected: "a security session that is accepted and lasts",
          confidence: event.confidence, subject: app.teller)
      default: break
      }
    }
  }
}
