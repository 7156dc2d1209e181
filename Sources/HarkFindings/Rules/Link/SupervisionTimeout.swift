import HarkCore
import HarkDissection
import HarkSession

struct SupervisionTimeout: Rule {
  static let about = RuleDescription(
    id: "link.supervision-timeout", title: "A link was lost",
    severity: .warning, needs: .links,
    meaning:
      "The other side was silent for the supervision timeout, did not answer a link control "
      + "procedure, or missed the instant of a change: out of range, without power, restarted, or too busy to "
      + "answer; or its packets failed the integrity check. Data in transit is lost.",
    source: "Core Specification, Vol 1, Part F, 2 (0x08 Connection Timeout, 0x22 LL Response "
      + "Timeout, 0x28 Instant Passed, 0x3D MIC Failure); Vol 6, Part B, 4.5.2, 5.5",
    fix:
      "Look for a restart of the accessory at this time; give its radio task the highest priority; "
      + "request a supervision timeout of a few seconds."
  )
  static let wants: Set<Event.Family> = [.link, .security]

  /// Links whose key both sides had: a MIC that fails there is no lost bond.
  private var secured = RecentValues<LinkID, Bool>(capacity: 256)

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    switch event.content {
    case .security(.pairing(.requested)), .security(.pairing(.method)):
      if let link = event.link { secured.set(link, true) }
    case .security(.encryption(let encryption)) where encryption.isOn:
      if let link = event.link { secured.set(link, true) }
    default: break
    }
    guard case .link(.closed(let closed)) = event.content, let reason = closed.reason,
      let link = session.link(event), link.transport == .le || link.transport == .brEDR,
      isTimeout(HCIErrorCode(reason), of: link.id)
    else { return }
    report.found(
      event, session, expected: "a link that one side closes properly", confidence: .certain,
      subject: "\(reason)")
  }

  private func isTimeout(_ reason: HCIErrorCode?, of link: LinkID) -> Bool {
    switch reason {
    case .connectionTimeout, .llResponseTimeout, .instantPassed: true
    case .connectionTerminatedDueToMICFailure: secured[link] == true
    default: false
    }
  }
}
