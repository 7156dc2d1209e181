import HarkSession

struct ParametersInvalid: Rule {
  static let about = RuleDescription(
    id: "link.parameters-invalid",
    title: "Parameters have values that the specification does not allow",
    severity: .warning, needs: [.links, .attributes, .channels],
    meaning:
      "Devices differ in what they do with such values: some refuse the request or close the link, others "
      + "use different values.",
    source:
      "Core Specification, Vol 4, Part E, 7.8.18 (HCI_LE_Connection_Update), Vol 3, Part A, 4.20 and Vol 6, "
      + "Part B, 4.5.2 (connection parameters); Vol 3, Part F, 3.4.2 (ATT_MTU); Vol 3, Part A, 4.22, 4.25 "
      + "(MTU and MPS of credit-based channels)",
    fix:
      "Request a connection interval of 7.5 ms to 4 s whose minimum is not above its maximum, a latency of at "
      + "most 499, and a supervision timeout of 100 ms to 32 s that is longer than 2 × (latency + 1) × interval. "
      + "State an ATT_MTU of at least 23, and an MTU and MPS of at least 23 for a credit-based channel, 64 in "
      + "enhanced mode.")
  static let wants: Set<Event.Family> = [.link, .attribute, .channel]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    // The session compares the values with their ranges.
    guard event.severity > .info else { return }
    let subject: String
    switch event.content {
    case .link(.opened), .link(.change(.parameters)): subject = "used"
    case .link(.change(.parametersRequested(let it))):
      subject = "requested by \(it.request.asker?.rawValue ?? "one side")"
    // A repeated exchange has a rule of its own. Vol 3, Part F, 3.2.8
    case .attribute(.mtu(let it)) where min(it.client, it.server) < 23:
      return report.found(
        event, session, expected: "an ATT_MTU of at least 23 from both sides", subject: "MTU")
    case .channel(.opened(let it)):
      guard let limits = it.channel.limits else { return }
      return report.found(
        event, session, expected: "an MTU and MPS of at least \(limits.least) from both sides",
        subject: "channel")
    default: return
    }
    report.found(
      event, session, expected: "connection parameters in their ranges", subject: subject)
  }
}
