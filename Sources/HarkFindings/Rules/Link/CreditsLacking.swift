import HarkSession

struct CreditsLacking: Rule {
  static let about = RuleDescription(
    id: "link.credits-lacking", title: "A sender waited a long time for credits",
    severity: .info, needs: .channels,
    meaning:
      "Pending data was late: the receiver handles data too slowly, or forgets to return "
      + "credits, and a sender that gives up loses messages.",
    source:
      "Core Specification, Vol 3, Part A, 4.24 (L2CAP_FLOW_CONTROL_CREDIT_IND), 10.1; RFCOMM 1.2, 6.5",
    fix:
      "Return credits as soon as an SDU is processed, several at once, and grant more of them at the "
      + "start.")
  static let wants: Set<Event.Family> = [.channel, .rfcomm]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    switch event.content {
    case .channel(.creditsLacking(let it)):
      let name = Names.psm(it.channel.psm, session.name(of: it.channel.stream), isSimplified: true)
      found(it.byPeer, it.nanoseconds, name, "\(it.channel.psm)", event, session, &report)
    case .rfcomm(.creditsLacking(let it)):
      found(
        it.byPeer, it.nanoseconds, it.link.words, "RFCOMM \(it.link.dlci)", event, session, &report)
    default: break
    }
  }

  private func found(
    _ byPeer: Bool, _ nanoseconds: Int64, _ name: String, _ subject: String, _ event: Event,
    _ session: borrowing Session, _ report: inout RuleReport
  ) {
    report.missingAtEnd(
      event, session,
      observed:
        "\(byPeer ? "the peer" : "this host") waited \(public: Names.duration(nanoseconds)) for credits on "
        + "\(name)",
      expected: "credits before the last one is spent", confidence: .possible,
      subject: "\(subject) \(byPeer)")
  }
}
