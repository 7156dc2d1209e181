import HarkSession

struct SecuritySessionFailed: Rule {
  static let about = RuleDescription(
    id: "keys.session-failed",
    title: "A security session was rejected, cancelled or invalidated",
    severity: .error, needs: .sessions,
    meaning:
      "The security extension no longer exchanges keys: without new keys, the phone and the "
      + "accessory cannot encrypt forwarded data.",
    source: "Apple, AccessorySecuritySession: Request.Decision, Error, cancel(error:), "
      + "sessionInvalidated(error:)",
    fix:
      "Accept the request in AccessoryTransportSecurity.accept(sessionRequest:). After an error, "
      + "check the extension's log at this time, and exchange keys again in the next session."
  )
  static let wants: Set<Event.Family> = [.app]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard let app = event.app, app.point == .security else { return }
    for (step, _) in event.transportSteps {
      switch step {
      case .decision(.reject), .cancel(error: _?), .sessionInvalidated(error: _?):
        report.found(
          event, session, expected: "an accepted security session that lasts",
          confidence: event.confidence, subject: app.reporter)
      default: break
      }
    }
  }
}
