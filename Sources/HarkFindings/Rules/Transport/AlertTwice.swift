import HarkCore
import HarkSession

struct AlertTwice: Rule {
  static let about = RuleDescription(
    id: "notifications.alert-twice",
    title: "The accessory alerted more than once for a notification",
    severity: .warning, needs: .notifications,
    meaning:
      "The user is disturbed twice: by an update, which must not alert, or by a message that was "
      + "sent again.",
    source:
      "Apple, AccessoryNotifications: updateNotification must not alert again; addNotification "
      + "returns whether the accessory alerted",
    fix: "Alert only for addNotification, and drop repeated messages.")
  static let wants: Set<Event.Family> = [.accessory]

  private struct Shown {
    var isUpdated = false
    var alert: PacketID?
  }

  private var notifications = RecentValues<OwnedNotification, Shown>(capacity: 1024)

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    for content in event.accessoryContents {
      switch content {
      case .add(let notification):
        if let id = notification.identifier {
          notifications.set(OwnedNotification(id, event, session), Shown())
        }
      case .update(let notification):
        guard let name = notification.identifier else { continue }
        let id = OwnedNotification(name, event, session)
        guard var shown = notifications[id] else { continue }
        shown.isUpdated = true
        notifications.set(id, shown)
      case .displayed(let name, didAlert: true):
        let id = OwnedNotification(name, event, session)
        guard var shown = notifications[id] else { continue }
        if let alert = shown.alert {
          report.found(
            event, session,
            observed: "the accessory alerted again for \(id.name)"
              + (shown.isUpdated ? ", which had been updated" : ""),
            expected: "one alert, when the notification is added", frames: [alert])
        }
        shown.alert = event.frames.last
        notifications.set(id, shown)
      default: break
      }
    }
  }
}
