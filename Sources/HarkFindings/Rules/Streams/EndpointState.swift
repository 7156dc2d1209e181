import HarkSession

struct EndpointState: Rule {
  static let about = RuleDescription(
    id: "audio.endpoint-state", title: "An audio stream endpoint changes to a wrong state",
    severity: .warning, needs: .endpoints,
    meaning:
      "The client that follows the states of the endpoint no longer knows which operation comes next: streams "
      + "are not set up, or are released.",
    source:
      "Audio Stream Control Service 1.0.1, 3.1 and 3.2 (state machines of Sink ASEs and Source ASEs)",
    fix:
      "In the server, notify each state in order, and change it only as the state machine of the endpoint's "
      + "direction allows: only a Source ASE has the Disabling state.")
  static let wants: Set<Event.Family> = [.leAudio]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard case .leAudio(.endpoint(let it)) = event.content, !it.isForeseen else { return }
    if let gap = report.coverage.gap(since: session.link(event)?.opened ?? event.frames.first) {
      return report.cannotTell(Place(event), gap, "a state in between may be in that gap")
    }
    report.found(
      event, session, expected: "a state that may follow the previous one", confidence: .likely,
      subject: "\(it.isLocal)")
  }
}
