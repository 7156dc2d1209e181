import HarkSession

struct SessionFailed: Rule {
  static let about = RuleDescription(
    id: "transport.session-failed",
    title: "A transport session was rejected, cancelled or invalidated",
    severity: .error, needs: .sessions,
    meaning:
      "Nothing more is forwarded over this session: the phone uses another transport, or "
      + "the notification is lost.",
    source: "Apple, AccessoryTransportSession: Decision, Error, cancel(error:), "
      + "sessionInvalidated(error:)",
    fix:
      "`unsupported`: answer requests for the transports that the accessory has. "
      + "`invalidated`: request a new session. `unknown`: check the extension's log at this "
      + "time.")
  static let wants: Set<Event.Family> = [.accessory, .app]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    // What the security extension rejects or loses is a session for keys: `keys.session-failed`.
    if event.app?.point == .security { return }
    for (step, id) in event.transportSteps {
      switch step {
      case .decision(.reject), .cancel(error: _?), .sessionInvalidated(error: _?):
        report.found(
          event, session, expected: "an accepted session that lasts",
          confidence: event.confidence, subject: id ?? "")
      default: break
      }
    }
  }
}
