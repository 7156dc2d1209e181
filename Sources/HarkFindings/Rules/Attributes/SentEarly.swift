import HarkSession

struct SentEarly: Rule {
  static let about = RuleDescription(
    id: "link.sent-early",
    title: "A request or an indication was sent before the previous one was answered",
    severity: .warning, needs: .attributes,
    meaning:
      "A receiver that keeps to the specification may drop the second one or close the link. "
      + "Many do not, so this works with some devices only.",
    source: "Core Specification, Vol 3, Part F, 3.3.2 (sequential protocol)",
    fix:
      "Queue requests, and send each one after the response to the previous one. Do the same with "
      + "indications and confirmations.")
  static let wants: Set<Event.Family> = [.attribute]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard case .attribute(.sentEarly(let it)) = event.content else { return }
    let isIndication = it.pdu == .handleValueIndication
    report.found(
      event, session,
      expected: isIndication
        ? "an indication after the confirmation of the last one"
        : "a request after the response to the last one",
      subject: "\(isIndication)")
  }
}
