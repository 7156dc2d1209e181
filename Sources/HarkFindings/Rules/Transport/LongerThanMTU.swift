import HarkSession

struct LongerThanMTU: Rule {
  static let about = RuleDescription(
    id: "transport.longer-than-mtu", title: "A value is longer than the MTU allows",
    severity: .error, needs: .attributes,
    meaning:
      "The sender assumed a larger MTU than was agreed on: the receiver drops the value, or cuts it, "
      + "and of a command or a notification nobody says so.",
    source: "Core Specification, Vol 3, Part F, 3.2.8 (ATT_MTU), 3.2.9 (long attribute values)",
    fix:
      "Ask for the MTU of each connection after it was exchanged (maximumWriteValueLength, or what the "
      + "stack says), and cut messages to it less 3 bytes.")
  static let wants: Set<Event.Family> = [.attribute]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard case .attribute(.mtuExceeded(let it)) = event.content else { return }
    // An exchange that the recorder lost may have allowed more.
    if let gap = report.horizon.gap(since: session.link(event)?.opened ?? event.frames.first) {
      return report.cannotTell(Place(event), "\(gap): an exchange of the MTU may be there")
    }
    report.found(
      event, session, expected: "at most \(it.mtu) bytes, opcode and handle among them",
      confidence: .likely, subject: "\(it.handle)")
  }
}
