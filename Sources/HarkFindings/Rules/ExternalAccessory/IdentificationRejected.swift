import HarkSession

struct IdentificationRejected: Rule {
  static let about = RuleDescription(
    id: "ea.identification-rejected", title: "The phone rejects the accessory's identification",
    severity: .error, needs: .externalAccessory,
    meaning:
      "The accessory does not appear to any app: EAAccessoryDidConnect is never posted.",
    source:
      "iAP2: IdentificationRejected (1D03) names the parameters that are not accepted; openradar "
      + "32602130",
    fix:
      "Correct the named parameters: they must be as certified, and in the form that iAP2 "
      + "requires. Then identify again.")
  static let wants: Set<Event.Family> = [.iap2]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard case .iap2(.identificationRejected) = event.content else { return }
    report.found(event, session, expected: "IdentificationAccepted")
  }
}
