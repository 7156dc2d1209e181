import HarkCore
import HarkSession

struct SendAfterInvalidation: Rule {
  static let about = RuleDescription(
    id: "transport.send-after-invalidation",
    title: "A message was sent in a session that had ended",
    severity: .error,
    meaning: "The system drops it: what the accessory says never reaches the app.",
    source: "Apple, AccessoryTransportSession.Error.invalidated, sessionInvalidated(error:)",
    fix:
      "Forget the session when it is invalidated or cancelled, and send in the one that is accepted "
      + "next.")

  private var ended = RecentValues<String, Place>(capacity: 256)
  private var live = RecentValues<String, Bool>(capacity: 256)

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    for case .transport(let step, let id?) in event.accessoryContents {
      let id = id.uppercased()
      switch step {
      case .sessionRequest, .decision(.accept): live.set(id, true)
      case .cancel, .sessionInvalidated:
        ended.set(id, Place(event))
        live.set(id, false)
      default: break
      }
    }
    guard case .accessory(let accessory) = event.content,
      case .message(let message) = accessory.content
    else { return }
    let id = message.sessionID.uppercased()
    guard live[id] == false, let end = ended[id] else { return }
    report.found(
      event, session,
      observed: "a message in session \(message.sessionID), which ended in "
        + "#\(end.lastFrame.number)",
      expected: "no message until the session is accepted again", subject: id, frames: end.frames)
  }
}
