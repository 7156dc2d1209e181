import HarkSession

struct StreamError: Rule {
  static let about = RuleDescription(
    id: "ea.stream-error", title: "A stream of the app's EASession failed",
    severity: .warning, needs: .logs,
    meaning: "The app reads and writes nothing more over this session until it opens another one.",
    source:
      "Apple, External Accessory: EASession, inputStream and outputStream (streamError); Stream.Event "
      + "errorOccurred",
    fix:
      "Look at the accessory's link at this time; keep one session for a protocol, hold on to it and to "
      + "its streams, and close both streams before a new session is opened.")
  static let wants: Set<Event.Family> = [.app]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard let app = event.app, app.kind == .eaStreamError else { return }
    report.found(
      event, session, observed: "\(app.observed)", expected: "streams that stay open",
      confidence: app.confidence, subject: app[.eaProtocol] ?? "")
  }
}
