import HarkSession

struct CommandUnanswered: Rule {
  static let about = RuleDescription(
    id: "link.command-unanswered", title: "The controller does not answer a command",
    severity: .warning, needs: .links,
    meaning:
      "The host does not know whether the command took effect, and may send no other until it is answered. "
      + "Hosts give up after a while: Linux after 2 s, other systems reset the controller.",
    source:
      "Core Specification, Vol 4, Part E, 4.4 (command flow control), 7.7.14 (HCI_Command_Complete), 7.7.15 "
      + "(HCI_Command_Status)",
    fix:
      "Look at what the controller did before: commands sent without Num_HCI_Command_Packets, a firmware that "
      + "stopped, or lost bytes between host and controller. Send one command at a time to find the one it "
      + "cannot take.")
  static let wants: Set<Event.Family> = [.controller, .capture]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    report.cannotMeasure(event, \.commands, "a command")
    guard case .controller(.commandUnanswered(let it)) = event.content else { return }
    report.missing(
      Place(event), observed: RuleReport.text(of: event, session),
      expected: "Command Complete or Command Status", subject: "\(it.opcode)")
  }
}
