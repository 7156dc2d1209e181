import HarkSession

struct AuthenticationFailed: Rule {
  static let about = RuleDescription(
    id: "ea.authentication-failed", title: "The accessory's authentication failed",
    severity: .error, needs: .externalAccessory,
    meaning:
      "The phone does not trust the accessory and shows “not supported”; no app sees it.",
    source: "iAP2: AuthenticationFailed (AA04)",
    fix:
      "Check the authentication coprocessor: its bus, its certificate, whether it receives "
      + "the complete challenge, and whether its complete answer is sent.")
  static let wants: Set<Event.Family> = [.iap2]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard case .iap2(.authentication(let it)) = event.content, it.step == .failed else { return }
    report.found(event, session, expected: "AuthenticationSucceeded")
  }
}
