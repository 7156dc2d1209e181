import HarkSession

struct PayloadTimeout: Rule {
  static let about = RuleDescription(
    id: "link.payload-timeout", title: "The peer sent no authenticated packet in time",
    severity: .warning, needs: .pairing,
    meaning:
      "On the encrypted link, no packet with a valid MIC arrived for the Authenticated Payload Timeout: the "
      + "peer is silent, or someone else sends in its place. Hosts that need a secure link close it.",
    source:
      "Core Specification, Vol 4, Part E, 7.7.75 (HCI_Authenticated_Payload_Timeout_Expired); Vol 6, Part B, "
      + "5.1.8 (LE Ping), 5.4 (LE Authenticated Payload Timeout)",
    fix:
      "In the peer, answer LL_PING_REQ or LMP_PING_REQ, which the controller does without its host: look for "
      + "an accessory that blocks its radio task or moves out of range. Set a timeout that is longer than "
      + "(latency + 1) × interval.")
  static let wants: Set<Event.Family> = [.security]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard case .security(.authenticatedPayloadTimeout) = event.content else { return }
    report.found(
      event, session, expected: "a packet with a valid MIC, at least in answer to a ping")
  }
}
