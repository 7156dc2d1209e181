import HarkCore
import HarkSession

struct AcceptedNotResumed: Rule {
  static let about = RuleDescription(
    id: "app.accepted-not-resumed", title: "An accepted XPC connection is never resumed",
    severity: .error, needs: .logs,
    meaning:
      "The connection stays suspended: the extension receives nothing from the host, and "
      + "the host gets no answer.",
    source:
      "Apple, ExtensionFoundation: AppExtensionConfiguration.accept(connection:) configures "
      + "the connection and calls NSXPCConnection.resume()",
    fix: "Call connection.resume() in accept(connection:) before returning true.")
  static let wants: Set<Event.Family> = [.app]

  private static let waitLimit = Int64.seconds(5)
  private static let most = 64

  private var accepted: [String: Place] = [:]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard let app = event.app else { return }
    if Self.isLife(app.kind) { accepted[app.reporter] = nil }
    switch app.kind {
    case .connectionAccepted:
      // A ConnectionHandler activates the XPCSession itself.
      guard app[.interface] != "XPCSession", app.isCertain, app.isExtension,
        accepted.count < Self.most
      else { return }
      accepted[app.reporter] = Place(event)
    case .connectionInterrupted, .connectionInvalidated, .extensionEnded, .line:
      guard let place = accepted[app.reporter], event.time.since(place.time) >= Self.waitLimit
      else { return }
      accepted[app.reporter] = nil
      report.found(
        place,
        observed: "the connection was accepted, but within "
          + "\(public: Names.duration(event.time.since(place.time))) neither resume() nor a message "
          + "followed",
        expected: "resume() in accept(connection:)", confidence: .likely, subject: app.reporter)
    default: break
    }
  }

  /// What an extension only does once its connection is resumed.
  private static func isLife(_ kind: AppEvent.Kind) -> Bool {
    switch kind {
    case .connectionResumed, .xpcRequest, .sessionRequested, .sessionAccepted, .sessionRejected,
      .securityMessage, .transportMessage, .dataEvent, .messageResult, .notification,
      .liveActivity, .configurationRead, .configurationUpdated, .configurationFailed:
      true
    default: false
    }
  }
}
