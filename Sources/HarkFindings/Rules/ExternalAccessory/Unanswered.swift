import HarkSession

struct Unanswered: Rule {
  static let about = RuleDescription(
    id: "ea.unanswered", title: "The iAP2 setup stopped halfway",
    severity: .error, needs: .externalAccessory,
    meaning: "The accessory is connected, but no app sees it.",
    source:
      "iAP2: detection, link synchronization, identification and authentication each have "
      + "an answer",
    fix:
      "Check what the side that had to answer received last; repeat the detection until it "
      + "is echoed.")
  static let wants: Set<Event.Family> = [.iap2]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard case .iap2(.unanswered(let it)) = event.content else { return }
    let question = it.question.rawValue
    report.missingAtEnd(
      event, session, observed: "no answer to the \(question) until the stream ended",
      expected: "an answer", subject: question)
  }
}
