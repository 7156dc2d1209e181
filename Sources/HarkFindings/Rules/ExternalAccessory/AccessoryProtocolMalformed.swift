import HarkSession

struct AccessoryProtocolMalformed: Rule {
  static let about = RuleDescription(
    id: "ea.accessory-protocol-malformed",
    title: "A message of the Apple Accessory Protocol is malformed",
    severity: .warning, needs: .accessoryProtocol,
    meaning:
      "A receiver probably ignores a message that ends early: a battery level, a position or a "
      + "setting stays what it was. Apple does not publish the protocol: the message may be of another version.",
    source: "Apple Accessory Protocol, as observed by the librepods project: sizes of the messages",
    fix: "Send each message with all of its fields, and as many items as it announces.")
  static let wants: Set<Event.Family> = [.accessoryProtocol]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard case .accessoryProtocol(.malformedMessage(let it)) = event.content else { return }
    report.missing(
      Place(event), since: nil, observed: RuleReport.text(of: event, session),
      expected: "a message as long as its type and its counts require", confidence: .possible,
      subject: it.opcode.map { "\($0)" } ?? "")
  }
}
