import HarkCore
import HarkSession

struct RequestNotOffered: Rule {
  static let about = RuleDescription(
    id: "ancs.not-offered", title: "The accessory requests what the phone does not offer",
    severity: .warning, needs: [.notificationCenter, .accessoryMessages],
    meaning: "The action or the media command has no effect: the user presses a button in vain.",
    source:
      "Apple Notification Center Service, Perform Notification Action, EventFlags; Apple Media Service, Remote "
      + "Command",
    fix:
      "ANCS: offer an action only if the notification has its flag, and none after the notification was removed. "
      + "AMS: offer only commands that Remote Command last listed.")
  static let wants: Set<Event.Family> = [.accessory]

  private struct Removed: Hashable, Sendable {
    let owner: Owner
    let notification: String
  }

  /// An action and the removal of its notification may cross.
  private static let crossing = Int64.seconds(1)

  private var removed = RecentValues<Removed, Timestamp>(capacity: 256)

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    for content in event.accessoryContents {
      switch content {
      case .remove(let identifier):
        let notification = Removed(
          owner: Owner(event, session), notification: identifier.notificationIdentifier)
        removed.set(notification, event.time)
      case .response(let response):
        guard let doubt = response.doubt else { continue }
        judge(response, doubt, event, session, &report)
      case .media(.command(let command, isOffered: false)):
        report.found(
          event, session, expected: "a command that the phone last listed",
          subject: "command \(command)")
      default: break
      }
    }
  }

  private func judge(
    _ response: NotificationResponse, _ doubt: NotificationResponse.Doubt, _ event: Event,
    _ session: borrowing Session, _ report: inout RuleReport
  ) {
    switch doubt {
    case .notOffered:
      report.found(
        event, session, expected: "an action for which the notification has the flag",
        subject: doubt.rawValue)
    case .removed:
      let notification = Removed(
        owner: Owner(event, session),
        notification: response.identifier.notificationIdentifier)
      if let time = removed[notification], event.time.since(time) < Self.crossing { return }
      report.found(
        event, session, expected: "an action on a notification that was not removed",
        confidence: .likely, subject: doubt.rawValue)
    }
  }
}
