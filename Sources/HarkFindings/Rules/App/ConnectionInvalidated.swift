import HarkCore
import HarkSession

struct ConnectionInvalidated: Rule {
  static let about = RuleDescription(
    id: "app.connection-invalidated", title: "An XPC connection was invalidated",
    severity: .warning, needs: .logs,
    meaning:
      "Unlike an interrupted connection, this one cannot be used again: pending data never "
      + "arrives.",
    source: "Apple, Foundation: NSXPCConnection.invalidationHandler, NSXPCConnectionInvalid; XPC: "
      + "XPC_ERROR_CONNECTION_INVALID",
    fix:
      "If the service was not found or was refused, check its name, the extension point and the "
      + "entitlements. Otherwise find out why one side ended while a session was open, and "
      + "connect again."
  )
  static let wants: Set<Event.Family> = [.app]

  /// The end of a session that ends with its connection is logged within this time.
  private static let waitLimit = Int64.seconds(1)
  private static let most = 64

  /// Sessions that were accepted and have not ended.
  private var open: Set<String> = []
  private var invalidated: [String: HeldFinding] = [:]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard let app = event.app else { return }
    for (reporter, it) in invalidated where event.time.since(it.place.time) >= Self.waitLimit {
      invalidated[reporter] = nil
      open.remove(reporter)
      report.found(it)
    }
    switch app.kind {
    case .sessionAccepted: if open.count < Self.most { open.insert(app.reporter) }
    case .sessionRejected, .sessionCancelled, .sessionInvalidated, .extensionEnded:
      open.remove(app.reporter)
      invalidated[app.reporter] = nil
    case .connectionInvalidated:
      let stated = (app[.error] ?? app.text)
      if Self.refusals.contains(where: { stated.contains($0) }) {
        report.found(
          event, session, expected: "an established connection",
          confidence: app.confidence, subject: app.reporter)
      } else if open.contains(app.reporter), invalidated.count < Self.most {
        let text = RuleReport.text(of: event, session)
        invalidated[app.reporter] = HeldFinding(
          event, session, observed: "\(text), while a session of \(app.reporter) was open",
          expected: "the session to end first", confidence: app.confidence, subject: app.reporter)
      }
    default: break
    }
  }

  /// What Foundation and XPC print of a connection that was never made.
  private static let refusals = [
    "Code=4099", "NSXPCConnectionInvalid", "XPC_ERROR_CONNECTION_INVALID", "Sandbox restriction",
    "No such process found",
  ]
}
