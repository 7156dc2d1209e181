import HarkSession

struct SentEarly: Rule {
  static let about = RuleDescription(
    id: "link.sent-early",
    title: "A request or an indication was sent before the answer to the last one",
    severity: .warning, needs: .attributes,
    meaning:
      "A receiver that keeps to the specification may drop the second one or close the link. "
      + "Many do not, so this works with some devices only.",
    source: "Core Specification, Vol 3, Part F, 3.3.2 (sequential protocol)",
    fix:
      "Queue requests, and send one when the response to the last one has arrived; the same for "
      + "indications and confirmations.")
  static let wants: Set<Event.Family> = [.attribute]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard case .attribute(.sentEarly(let it)) = event.content else { return }
    report.found(
      event, session,
      expected: it.pdu == .handleValueIndication
        ? "an indication after the confirmation of the last one"
        : "a request after the response to the last one")
  }
}
