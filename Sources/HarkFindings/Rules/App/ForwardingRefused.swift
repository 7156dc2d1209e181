import HarkSession

struct ForwardingRefused: Rule {
  static let about = RuleDescription(
    id: "app.forwarding-refused", title: "Notifications are not forwarded, or not all",
    severity: .warning, needs: .logs,
    meaning:
      "The phone decided not to forward notifications to the accessory, or only some of them, or it "
      + "cannot forward them: they do not arrive, although the link may work.",
    source:
      "Apple, AccessoryNotifications: ForwardingDecision (allow, limited, deny, undetermined), "
      + "AccessoryError (unsupportedAccessory, unsupportedPlatform, …)",
    fix:
      "`deny`: the user can allow it in Settings. `unsupportedPlatform`: not available in "
      + "the phone's region or on its system. Also check whether an Apple Watch is the "
      + "active target.")
  static let wants: Set<Event.Family> = [.app]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard let app = event.app else { return }
    switch app.kind {
    case .forwardingDecision:
      guard let decision = app[.decision]?.lowercased(), decision != "allow" else { return }
      report.found(
        event, session, expected: "ForwardingDecision allow",
        severity: decision == "deny" ? .warning : .info,
        confidence: app.confidence, subject: decision)
    case .notification:
      guard let error = app[.error] else { return }
      report.found(
        event, session, expected: "an accepted notification",
        confidence: app.confidence, subject: error)
    default: break
    }
  }
}
