import HarkSession

struct SupervisionTimeout: Rule {
  static let about = RuleDescription(
    id: "link.supervision-timeout", title: "A link was lost",
    severity: .warning, needs: .links,
    meaning:
      "The other side was not heard for the supervision timeout: out of reach, without power, "
      + "restarted, or too busy to answer. What was under way is lost.",
    source: "Core Specification, Vol 1, Part F, 2 (0x08 Connection Timeout, 0x22 LL Response "
      + "Timeout); Vol 6, Part B, 4.5.2",
    fix:
      "Look for a restart of the accessory at this time; keep its radio task ahead of all else; ask for "
      + "a supervision timeout of some seconds.")

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard case .linkClosed(let reason?) = event.content, reason == 0x08 || reason == 0x22,
      let link = session.link(event), link.transport == .le || link.transport == .classic
    else { return }
    report.found(
      event, session, expected: "a link that one side closes", confidence: .certain,
      subject: "\(reason)")
  }
}
