import HarkSession

struct SessionRefused: Rule {
  static let about = RuleDescription(
    id: "ea.session-refused", title: "The accessory refuses an External Accessory session",
    severity: .error, needs: .externalAccessory,
    meaning: "The app gets a session whose streams end immediately.",
    source: "iAP2: ExternalAccessoryProtocolSessionStatus (EA03) with the status 1",
    fix:
      "Accept sessions for every declared protocol; refuse a second one only if the "
      + "protocol supports just one.")
  static let wants: Set<Event.Family> = [.iap2, .accessory]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    if case .iap2(.externalAccessory(.status(let it))) = event.content, !it.isAccepted {
      report.found(
        event, session, expected: "an accepted session", subject: it.eaSession.words.text)
    }
    if case .iap2(.externalAccessory(.data(let it))) = event.content, it.isRefused {
      report.found(
        event, session, expected: "no data in a session that was refused", severity: .warning,
        subject: "data in \(it.eaSession.words.text)")
    }
    for case .externalAccessory(let it, .status(isAccepted: false)) in event.accessoryContents {
      report.found(event, session, expected: "an accepted session", subject: it.words.text)
    }
  }
}
