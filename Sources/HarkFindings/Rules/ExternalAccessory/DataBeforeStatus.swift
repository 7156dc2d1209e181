import HarkSession

struct DataBeforeStatus: Rule {
  static let about = RuleDescription(
    id: "ea.data-before-status", title: "Data arrived before the accessory accepted the session",
    severity: .warning, needs: .externalAccessory,
    meaning:
      "The other side may discard the first bytes: a protocol that begins with them stalls.",
    source: "iAP2: ExternalAccessoryProtocolSessionStatus (EA03) answers "
      + "StartExternalAccessoryProtocolSession (EA00)",
    fix:
      "Answer the start of the session with its status immediately, and send data only "
      + "afterwards.")
  static let wants: Set<Event.Family> = [.iap2]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard case .iap2(.externalAccessory(.data(let it))) = event.content, it.isEarly else { return }
    if let gap = report.coverage.gap(since: session.link(event)?.opened ?? event.frames.first) {
      return report.cannotTell(Place(event), gap, "the status may be in that gap")
    }
    report.found(
      event, session, expected: "the session status first", subject: it.eaSession.words.text)
  }
}
