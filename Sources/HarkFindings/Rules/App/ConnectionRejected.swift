import HarkSession

struct ConnectionRejected: Rule {
  static let about = RuleDescription(
    id: "app.connection-rejected", title: "An XPC connection was rejected",
    severity: .error, needs: .logs,
    meaning:
      "The system and the extension cannot communicate: the extension gets no session.",
    source: "Apple, ExtensionFoundation: AppExtensionConfiguration.accept(connection:)",
    fix:
      "Return true from accept(connection:) once the connection is set up, and find out why "
      + "it was refused.")
  static let wants: Set<Event.Family> = [.app]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard let app = event.app, app.kind == .connectionRejected else { return }
    report.found(
      event, session, expected: "the connection accepted",
      confidence: app.confidence, subject: app[.service] ?? app.process ?? "")
  }
}
