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
      "ANCS: offer an action only if the notification has its flag, and none after the notification was removed or the "
      + "connection ended: the numbers of notifications start again. "
      + "AMS: offer only commands that Remote Command last listed. Other protocols: offer only the actions that "
      + "the notification lists.")
  static let wants: Set<Event.Family> = [.accessory]

  private struct Removed: Hashable, Sendable {
    let owner: Owner
    let notification: String
  }

  /// An action and the removal of its notification may cross.
  private static let crossing = Int64.seconds(1)

  private var removed = RecentValues<Removed, Place>(capacity: 256)
  /// Where all notifications of a phone were removed, and where it last listed its commands.
  private var removedAll = RecentValues<Owner, Place>(capacity: 256)
  private var listed = RecentValues<Owner, Place>(capacity: 256)

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    for content in event.accessoryContents {
      switch content {
      case .remove(let identifier):
        let notification = Removed(
          owner: Owner(event, session), notification: identifier.notificationIdentifier)
        removed.set(notification, Place(event))
      case .removeAllNotifications: removedAll.set(Owner(event, session), Place(event))
      case .media(.supportedCommands): listed.set(Owner(event, session), Place(event))
      case .response(let response):
        guard let doubt = response.doubt else { continue }
        judge(response, doubt, event, session, &report)
      case .media(.command(let command, isOffered: false)):
        if let list = listed[Owner(event, session)],
          report.isSoon(Self.crossing, after: list, at: event.time)
        {
          continue
        }
        found(
          "a command that the phone last listed", "command \(command)", .certain, event, session,
          &report)
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
      found(
        event.isOfNotificationCenter
          ? "an action for which the notification has the flag"
          : "an action that the notification lists",
        doubt.rawValue, .certain, event, session, &report)
    case .notAnnounced:
      found(
        "an action on a notification of this connection", doubt.rawValue, .likely, event, session,
        &report)
    case .removed:
      let owner = Owner(event, session)
      let notification = Removed(
        owner: owner, notification: response.identifier.notificationIdentifier)
      let removals = [removed[notification], removedAll[owner]].compactMap(\.self)
      // With a key that comes late, a removal is reported after what answers the notification.
      if removals.isEmpty { return }
      for removal in removals where report.isSoon(Self.crossing, after: removal, at: event.time) {
        return
      }
      found(
        "an action on a notification that was not removed", doubt.rawValue, .likely, event, session,
        &report)
    }
  }

  /// What the capture lacks may have offered it.
  private func found(
    _ expected: FindingText, _ subject: String, _ confidence: Finding.Confidence, _ event: Event,
    _ session: borrowing Session, _ report: inout RuleReport
  ) {
    let start = session.link(event)?.opened ?? PacketID(0)
    if let gap = report.coverage.gap(since: start, on: event.link) {
      return report.cannotTell(
        Place(event), gap, "the offer may be in that gap", subject: subject)
    }
    report.found(event, session, expected: expected, confidence: confidence, subject: subject)
  }
}

extension Event {
  /// Whether it is a message of ANCS, whose notifications have flags for actions.
  fileprivate var isOfNotificationCenter: Bool {
    guard case .accessory(let accessory) = content else { return false }
    return accessory.framing == ANCS.name
  }
}
