import HarkSession

struct NoProtocol: Rule {
  static let about = RuleDescription(
    id: "ea.no-protocol", title: "The accessory declares no External Accessory protocol",
    severity: .info, needs: .externalAccessory,
    meaning: "No app can open a session with the accessory, and no app is launched for it.",
    source:
      "Apple, About External Accessories: an accessory supports at least one command protocol; "
      + "iAP2 identification, SupportedExternalAccessoryProtocol",
    fix:
      "If apps are to exchange data with the accessory, declare a protocol in the identification.")
  static let wants: Set<Event.Family> = [.iap2]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard case .iap2(.identification(let it)) = event.content, !it.isUpdate,
      it.identification.protocols.isEmpty
    else { return }
    report.found(
      event, session, observed: "an identification without a protocol",
      expected: "at least one command protocol", confidence: .possible)
  }
}
