import HarkSession

struct CreditsLacking: Rule {
  static let about = RuleDescription(
    id: "link.credits-lacking", title: "A sender waited a long time for credits",
    severity: .info, needs: .channels,
    meaning:
      "Pending data was late: the receiver handles data too slowly, or forgets to return "
      + "credits, and a sender that gives up loses messages.",
    source: "Core Specification, Vol 3, Part A, 4.24 (L2CAP_FLOW_CONTROL_CREDIT_IND), 10.1",
    fix:
      "Return credits as soon as an SDU is processed, several at once, and grant more of them at the "
      + "start.")
  static let wants: Set<Event.Family> = [.channel]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard case .channel(.creditsLacking(let it)) = event.content else { return }
    report.missingAtEnd(
      event, session,
      observed:
        "\(it.byPeer ? "the peer" : "this host") waited \(Names.duration(it.nanoseconds)) for credits on "
        + "\(Names.psm(it.channel.psm, session.name(of: it.channel.stream), isSimplified: true))",
      expected: "credits before the last one is spent", confidence: .possible,
      subject: "\(it.channel.psm) \(it.byPeer)")
  }
}
