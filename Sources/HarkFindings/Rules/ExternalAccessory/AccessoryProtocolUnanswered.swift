import HarkSession

struct AccessoryProtocolUnanswered: Rule {
  static let about = RuleDescription(
    id: "ea.accessory-protocol-unanswered", title: "The Apple Accessory Protocol was not accepted",
    severity: .warning, needs: .accessoryProtocol,
    meaning:
      "Until the accessory answers the connect request, it answers nothing else: no "
      + "battery, no ear detection, no settings.",
    source:
      "Apple Accessory Protocol, as observed by the librepods project: connect request and "
      + "response",
    fix:
      "Answer the connect request with status 0 before anything else; repeat the request "
      + "after a timeout."
  )
  static let wants: Set<Event.Family> = [.accessoryProtocol]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    switch event.content {
    case .accessoryProtocol(.connectUnanswered):
      report.missingAtEnd(
        event, session, observed: "no answer to the connect request",
        expected: "a connect response")
    case .accessoryProtocol(.connectFailed):
      report.found(event, session, expected: "status 0", subject: "failed")
    default: break
    }
  }
}
