import HarkCore
import HarkSession

struct AfterInvalidation: Rule {
  static let about = RuleDescription(
    id: "keys.after-invalidation", title: "A key is sent in a security session that has ended",
    severity: .error, needs: .keyExchange,
    meaning: "The system does not accept the key, so the exchange never completes.",
    source: "Apple, AccessorySecuritySession: sendSecurityMessage(_:), sessionInvalidated(error:), "
      + "Error.invalidated",
    fix:
      "Delete the key material in sessionInvalidated(error:), forget the session, and send "
      + "the public key in the next accepted session.")
  static let wants: Set<Event.Family> = [.app]

  /// Where the security session of a reporter ended.
  private var ended = RecentValues<String, Place?>(capacity: 64)

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard let app = event.app else { return }
    switch app.kind {
    case .sessionRequested, .sessionAccepted, .extensionLaunched: ended.set(app.reporter, nil)
    case .sessionCancelled, .sessionInvalidated:
      // A security session has no identifier; one that has is a transport session's.
      guard app.point == .security || (app.point == nil && app[.session] == nil) else { return }
      ended.set(app.reporter, Place(event))
    case .securityMessage:
      guard let end = ended[app.reporter] ?? nil else { return }
      report.found(
        event, session,
        observed: "a SecurityMessage\(app[.keyType].map { " \($0)" } ?? "") after the session of "
          + "\(app.process ?? "the extension") ended in \(end.evidence)",
        expected: "no key until a session is accepted again", confidence: app.confidence,
        subject: app.reporter)
    default: break
    }
  }
}
