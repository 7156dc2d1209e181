import HarkSession

struct StreamError: Rule {
  static let about = RuleDescription(
    id: "ea.stream-error", title: "A stream of the app's EASession failed",
    severity: .warning, needs: .logs,
    meaning:
      "The app can no longer read or write over this session until it opens another one.",
    source:
      "Apple, External Accessory: EASession, inputStream and outputStream (streamError); Stream.Event "
      + "errorOccurred",
    fix:
      "Look at the accessory's link at this time; use one session per protocol, keep it and "
      + "its streams alive, and close both streams before opening a new session.")
  static let wants: Set<Event.Family> = [.app]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard let app = event.app, app.kind == .eaStreamError else { return }
    report.found(
      event, session, expected: "streams that stay open",
      confidence: app.confidence, subject: app[.eaProtocol] ?? "")
  }
}
