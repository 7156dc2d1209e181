import HarkCore
import HarkSession

struct NeverShown: Rule {
  static let about = RuleDescription(
    id: "notifications.never-shown", title: "The accessory never confirmed showing a notification",
    severity: .info, needs: .notifications,
    meaning:
      "The phone alerts instead, or there is no alert at all: the extension cannot tell the system "
      + "whether the accessory alerted.",
    source:
      "Apple, AccessoryNotifications: addNotification(_:alertingContext:) returns whether the "
      + "accessory alerted",
    fix:
      "Confirm every notification that should alert, even if the accessory suppresses it.")

  private static let waitLimit = Int64.seconds(10)
  private static let most = 128

  private var pending: [OwnedNotification: HeldFinding] = [:]
  /// Accessories that report what they show.
  private var reporting = RecentValues<Owner, Bool>(capacity: 256)

  mutating func tick(
    _ time: Timestamp, _ session: borrowing Session, _ report: inout RuleReport
  ) {
    for (id, notification) in pending
    where report.isOver(Self.waitLimit, since: notification.place, at: time) {
      pending[id] = nil
      if reporting[id.owner] != nil { report.missing(notification) }
    }
  }

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    tick(event.captureTime(session), session, &report)
    for content in event.accessoryContents {
      switch content {
      case .add(let notification):
        guard let id = notification.identifier, notification.alerting.shouldAlert == true,
          notification.alerting.isSuppressedByFocus != true, pending.count < Self.most
        else { continue }
        let owned = OwnedNotification(id, event, session)
        pending[owned] = HeldFinding(
          event, session,
          observed: "no confirmation of \(owned.name) from the accessory within 10 s",
          expected: "a confirmation that the notification is shown, and whether it alerted",
          confidence: .possible)
      case .displayed(let id, _):
        reporting.set(Owner(event, session), true)
        pending[OwnedNotification(id, event, session)] = nil
      case .remove(let id), .clear(let id):
        pending[OwnedNotification(id, event, session)] = nil
      case .response(let response):
        pending[OwnedNotification(response.identifier, event, session)] = nil
      default: break
      }
    }
  }

  mutating func finish(_ session: borrowing Session, _ report: inout RuleReport) {
    for (id, notification) in pending where reporting[id.owner] != nil {
      report.cannotTell(
        notification.place, "the capture ends before the accessory had time to show it")
    }
  }
}
