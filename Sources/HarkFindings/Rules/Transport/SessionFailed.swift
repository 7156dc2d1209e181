import HarkSession

struct SessionFailed: Rule {
  static let about = RuleDescription(
    id: "transport.session-failed",
    title: "A transport session was rejected, cancelled or invalidated",
    severity: .error, needs: .sessions,
    meaning:
      "Nothing is forwarded over this session any more: the phone takes another transport, or "
      + "the notification is lost.",
    source: "Apple, AccessoryTransportSession: Decision, Error, cancel(error:), "
      + "sessionInvalidated(error:)",
    fix:
      "`unsupported`: answer requests for transports that the accessory has. `invalidated`: "
      + "ask for a new session. `unknown`: look into the extension's log at this time.")
  static let wants: Set<Event.Family> = [.accessory, .app]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    // What the security extension rejects or loses is a session for keys: `keys.session-failed`.
    if event.app?.point == .security { return }
    for (step, id) in event.transportSteps {
      switch step {
      case .decision(.reject), .cancel(error: _?), .sessionInvalidated(error: _?):
        report.found(
          event, session, expected: "a session that is accepted and lasts",
          confidence: event.confidence, subject: id ?? "")
      default: break
      }
    }
  }
}
