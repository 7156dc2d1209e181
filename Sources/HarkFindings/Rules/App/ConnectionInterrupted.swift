import HarkSession

struct ConnectionInterrupted: Rule {
  static let about = RuleDescription(
    id: "app.connection-interrupted", title: "An XPC connection was interrupted",
    severity: .warning, needs: .logs,
    meaning:
      "The process on the other side has ended, mostly by a crash or for its memory: what it "
      + "held, such as sessions and keys, is gone.",
    source: "Apple, Foundation: NSXPCConnection.interruptionHandler; XPC: "
      + "XPC_ERROR_CONNECTION_INTERRUPTED",
    fix:
      "Look for a crash report or a jetsam event of the other process at this time, and set up the "
      + "session again in the interruption handler."
  )
  static let wants: Set<Event.Family> = [.app]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard let app = event.app, app.kind == .connectionInterrupted else { return }
    report.found(
      event, session, observed: "\(app.observed)", expected: "a connection that stays",
      confidence: app.confidence, subject: app[.service] ?? app.process ?? "")
  }
}
