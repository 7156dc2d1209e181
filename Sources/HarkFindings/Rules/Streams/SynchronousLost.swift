import HarkSession

struct SynchronousLost: Rule {
  static let about = RuleDescription(
    id: "audio.synchronous-lost", title: "Audio of a synchronous link is lost",
    severity: .warning, needs: [.links, .calls],
    meaning:
      "The listener hears dropouts or noise: in more than one packet in a hundred, data is lost or may be invalid.",
    source: "Core Specification, Vol 4, Part E, 5.4.3 (Packet_Status_Flag)",
    fix:
      "Request an eSCO link with retransmissions; look at the distance, at Wi-Fi in the same band, and at what else "
      + "the controller did: inquiry, paging and other links take air time.")
  static let wants: Set<Event.Family> = [.link]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard case .link(.soundLost) = event.content, event.severity > .info else { return }
    report.found(event, session, expected: "data received correctly")
  }
}
