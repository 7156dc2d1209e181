import HarkSession

struct SignalingUnanswered: Rule {
  static let about = RuleDescription(
    id: "link.signaling-unanswered", title: "An L2CAP request was never answered",
    severity: .warning, needs: .channels,
    meaning:
      "The other side ignores the request: no channel opens or closes, and connection parameters stay "
      + "as they are.",
    source: "Core Specification, Vol 3, Part A, 4 and 6.2.1 (RTX timer); Part C, Appendix A",
    fix:
      "Answer each signaling request, with L2CAP_COMMAND_REJECT_RSP if it is not supported. The sender "
      + "has to give up after its timer expires.")
  static let wants: Set<Event.Family> = [.channel, .capture]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    report.cannotMeasure(event, \.signaling, "an L2CAP request")
    guard case .channel(.requestUnanswered(let it)) = event.content else { return }
    report.missing(
      Place(event), observed: RuleReport.text(of: event, session),
      expected: "a response, or L2CAP_COMMAND_REJECT_RSP", subject: "\(it.byPeer)")
  }
}
