import HarkSession

struct ConnectionInterrupted: Rule {
  static let about = RuleDescription(
    id: "app.connection-interrupted", title: "An XPC connection was interrupted",
    severity: .warning, needs: .logs,
    meaning:
      "The process on the other side ended, usually because of a crash or its memory use: "
      + "its state, such as sessions and keys, is lost.",
    source: "Apple, Foundation: NSXPCConnection.interruptionHandler; XPC: "
      + "XPC_ERROR_CONNECTION_INTERRUPTED",
    fix:
      "Look for a crash report or a jetsam event of the other process at this time, and set "
      + "up the session again in the interruption handler."
  )
  static let wants: Set<Event.Family> = [.app]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard let app = event.app, app.kind == .connectionInterrupted else { return }
    report.found(
      event, session, expected: "a connection that lasts",
      confidence: app.confidence, subject: app[.service] ?? app.process ?? "")
  }
}
