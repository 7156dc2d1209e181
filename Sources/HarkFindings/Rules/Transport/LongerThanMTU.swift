import HarkSession

struct LongerThanMTU: Rule {
  static let about = RuleDescription(
    id: "transport.longer-than-mtu", title: "A value is longer than the MTU allows",
    severity: .error, needs: .attributes,
    meaning:
      "The sender assumed a larger MTU than negotiated: the receiver drops or truncates the "
      + "value, and commands and notifications get no error.",
    source: "Core Specification, Vol 3, Part F, 3.2.8 (ATT_MTU), 3.2.9 (long attribute values)",
    fix:
      "Query the MTU of each connection after the exchange (maximumWriteValueLength, or the "
      + "stack's value), and split messages to 3 bytes less."
  )
  static let wants: Set<Event.Family> = [.attribute]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard case .attribute(.mtuExceeded(let it)) = event.content else { return }
    // An exchange that the recorder lost may have allowed more.
    if let gap = report.coverage.gap(since: session.link(event)?.opened ?? event.frames.first) {
      return report.cannotTell(Place(event), gap, "an MTU exchange may be in that gap")
    }
    report.found(
      event, session, expected: "at most \(public: it.mtu) bytes, including opcode and handle",
      confidence: .likely, subject: "\(it.handle)")
  }
}
