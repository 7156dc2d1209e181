import HarkCore
import HarkSession

struct SendAfterInvalidation: Rule {
  static let about = RuleDescription(
    id: "transport.send-after-invalidation",
    title: "A message was sent in a session that has ended",
    severity: .error, needs: .sessions,
    meaning:
      "A session that has ended forwards nothing: the system drops the accessory's messages, and the accessory gets "
      + "messages of a session that no longer exists.",
    source: "Apple, AccessoryTransportSession.Error.invalidated, sessionInvalidated(error:)",
    fix:
      "Forget the session when it is invalidated or cancelled, and send in the one that is accepted "
      + "next.")
  static let wants: Set<Event.Family> = [.accessory, .app]

  private var ended = RecentValues<SessionName, Place>(capacity: 256)
  private var live = RecentValues<SessionName, Bool>(capacity: 256)

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    for case (let step, let id?) in event.transportSteps {
      let id = SessionName(id, event, session)
      switch step {
      case .sessionRequest, .decision(.accept): live.set(id, true)
      case .cancel, .sessionInvalidated:
        ended.set(id, Place(event))
        live.set(id, false)
      default: break
      }
    }
    guard let message = Self.session(of: event) else { return }
    let name = SessionName(message, event, session)
    let id = live[name] == nil ? name.inLogs : name
    guard live[id] == false, let end = ended[id] else { return }
    report.found(
      event, session,
      observed: "a message in session \(message), which ended in \(end.evidence)",
      expected: "no message until the session is accepted again", subject: id.id, frames: end.frames
    )
  }

  /// Of a message on the air, or one that the app says it sends.
  private static func session(of event: Event) -> String? {
    if let app = event.app { return app.kind == .transportMessage ? app[.session] : nil }
    guard case .accessory(let accessory) = event.content,
      case .message(let message) = accessory.content
    else { return nil }
    return message.sessionID
  }
}
