import HarkSession

struct DataDiscarded: Rule {
  static let about = RuleDescription(
    id: "link.data-discarded", title: "A link is too slow for the data of its host",
    severity: .warning, needs: .links,
    meaning:
      "The controller discards data that it could not send in time, or reports that it cannot provide the agreed "
      + "quality of service. Audio has dropouts; other protocols wait for data that never arrives.",
    source:
      "Core Specification, Vol 4, Part E, 7.7.17 (Flush Occurred), 7.7.30 (QoS Violation), 7.3.29 (flush timeout)",
    fix:
      "Look for a weak signal, other radios and other links at the same time. Send less (a lower bit rate), or allow "
      + "more time: a longer flush timeout for audio, and none for other data."
  )
  static let wants: Set<Event.Family> = [.link]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    switch event.content {
    case .link(.change(.dataFlushed(let flushed))):
      // The host no longer wants it.
      guard flushed.cause != .host else { return }
      report.found(
        event, session, expected: "data that is sent before its flush timeout", subject: "flushed")
    case .link(.change(.qualityViolated)):
      report.found(event, session, expected: "the agreed quality of service", subject: "quality")
    default: break
    }
  }
}
