import HarkSession

struct CommandUnanswered: Rule {
  static let about = RuleDescription(
    id: "link.command-unanswered", title: "The controller does not answer a command",
    severity: .warning, needs: .links,
    meaning:
      "The host does not know whether the command took effect, and often may not send another until it is answered. "
      + "Hosts give up after a while (Linux after 2 s), and some reset the controller.",
    source:
      "Core Specification, Vol 4, Part E, 4.4 (command flow control), 7.7.14 (HCI_Command_Complete), 7.7.15 "
      + "(HCI_Command_Status)",
    fix:
      "Look at the packets before: the host may have sent the command when Num_HCI_Command_Packets was 0, the "
      + "controller's firmware may hang, or bytes between host and controller may be lost. Send one command at a "
      + "time to find the one that the controller cannot handle.")
  static let wants: Set<Event.Family> = [.controller, .capture]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    report.cannotMeasure(event, \.commands, "a command")
    guard case .controller(.commandUnanswered(let it)) = event.content else { return }
    report.missing(
      Place(event), observed: RuleReport.text(of: event, session),
      expected: "Command Complete or Command Status", subject: "\(it.opcode)")
  }
}
