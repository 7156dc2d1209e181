import HarkSession

struct ForwardingRefused: Rule {
  static let about = RuleDescription(
    id: "app.forwarding-refused", title: "Notifications are not forwarded",
    severity: .warning, needs: .logs,
    meaning:
      "The phone's side decides that the accessory gets none, or cannot forward any: the link may be in "
      + "order, and nothing comes.",
    source:
      "Apple, AccessoryNotifications: ForwardingDecision (allow, limited, deny, undetermined), "
      + "AccessoryError (unsupportedAccessory, unsupportedPlatform, …)",
    fix:
      "`deny`: the user can allow it in Settings. `unsupportedPlatform`: the region or the system of the "
      + "phone does not have it. Look also whether an Apple Watch is the active target.")
  static let wants: Set<Event.Family> = [.app]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard let app = event.app else { return }
    switch app.kind {
    case .forwardingDecision:
      guard let decision = app[.decision]?.lowercased(), decision != "allow" else { return }
      report.found(
        event, session, observed: "ForwardingDecision \(decision): \(app.observed)",
        expected: "ForwardingDecision allow", severity: decision == "deny" ? .warning : .info,
        confidence: app.confidence, subject: decision)
    case .notification:
      guard let error = app[.error] else { return }
      report.found(
        event, session, observed: "\(app.observed)", expected: "the notification taken",
        confidence: app.confidence, subject: error)
    default: break
    }
  }
}
