import HarkSession

struct DataBeforeStatus: Rule {
  static let about = RuleDescription(
    id: "ea.data-before-status", title: "Data came before the accessory took the session",
    severity: .warning, needs: .externalAccessory,
    meaning:
      "The other side may throw the first bytes away: a protocol that begins with them never gets "
      + "going.",
    source: "iAP2: ExternalAccessoryProtocolSessionStatus (EA03) answers "
      + "StartExternalAccessoryProtocolSession (EA00)",
    fix: "Answer the start of the session with its status at once, and send only then.")
  static let wants: Set<Event.Family> = [.iap2]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard case .iap2(.externalAccessory(.data(let it))) = event.content, it.isEarly else { return }
    if let gap = report.horizon.gap(since: session.link(event)?.opened ?? event.frames.first) {
      return report.cannotTell(Place(event), "\(gap): the status may be there")
    }
    report.found(
      event, session, expected: "the status first", subject: it.eaSession.words.text)
  }
}
