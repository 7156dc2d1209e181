import HarkCore
import HarkSession

struct CompletionMissing: Rule {
  static let about = RuleDescription(
    id: "keys.completion-missing", title: "A completion was never called",
    severity: .warning, needs: [.keyExchange, .sessions],
    meaning:
      "The system treats the message as delivered, even if it did not reach the accessory: "
      + "it does not retry.",
    source: "Apple, AccessorySecuritySession.EventHandler: messageReceived(_:completion:)",
    fix:
      "On every path, call completion(.success) once the accessory has the key, and "
      + "completion(.failure(…)) if it could not be sent.")
  static let wants: Set<Event.Family> = [.app]

  private static let waitLimit = Int64.seconds(30)
  private static let most = 64

  /// Encapsulated keys that were handed to an extension.
  private var waiting: [String: (place: Place, isCertain: Bool)] = [:]
  /// Those whose logs have completions.
  private var reporters: Set<String> = []

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard let app = event.app else { return }
    // A late result is not a missing one.
    if app.kind != .messageResult, let one = waiting[app.reporter],
      event.time.since(one.place.time) >= Self.waitLimit
    {
      waiting[app.reporter] = nil
      judge(one, app.reporter, &report)
    }
    switch app.kind {
    case .completionMissing:
      waiting[app.reporter] = nil
      report.found(
        event, session, expected: "completion called",
        confidence: app.confidence, subject: app.reporter)
    case .messageResult:
      waiting[app.reporter] = nil
      if reporters.count < Self.most { reporters.insert(app.reporter) }
    case .securityMessage:
      guard app.key?.type == .encapsulatedKey, waiting[app.reporter] == nil,
        waiting.count < Self.most
      else { return }
      waiting[app.reporter] = (Place(event), app.isCertain)
    case .sessionCancelled, .sessionInvalidated:
      guard let one = waiting.removeValue(forKey: app.reporter) else { return }
      judge(one, app.reporter, &report)
    default: break
    }
  }

  private func judge(
    _ one: (place: Place, isCertain: Bool), _ reporter: String, _ report: inout RuleReport
  ) {
    // A log without any completions may leave out this one, too.
    guard one.isCertain || reporters.contains(reporter) else { return }
    report.found(
      one.place, observed: "the extension received the encapsulated key, but no result followed",
      expected: "completion called with success or failure",
      confidence: reporters.contains(reporter) ? .likely : .possible, subject: reporter)
  }
}
