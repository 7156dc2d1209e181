import HarkCore
import HarkCrypto
import HarkSession

struct AlertNotSent: Rule {
  static let about = RuleDescription(
    id: "notifications.alert-not-sent", title: "An alert was confirmed and nothing was sent",
    severity: .error, needs: .logs,
    meaning:
      "The phone stays silent as the accessory is said to alert, and the accessory never hears "
      + "of it: the user misses the alert.",
    source:
      "Apple, AccessoryLiveActivities: activityUpdatedForAlert(_:); AccessoryNotifications: "
      + "addNotification(_:alertingContext:): true means that the accessory alerts",
    fix:
      "Return true only where the alert is sent to the accessory, and false while it is not "
      + "connected.")

  private static let patience = Int64.seconds(5)
  /// What the app's clock may be behind.
  private static let margin = Int64.seconds(1)
  private static let most = 64

  private var confirmed: [(place: Place, what: String, isCertain: Bool)] = []
  /// The last message to the accessory on the air, and whether there were any.
  private var lastSent: Timestamp?
  private var isCarried = false

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    judge(event.time, &report)
    if let app = event.app {
      guard app[.result] == "true", confirmed.count < Self.most else { return }
      switch app.kind {
      case .liveActivity: confirmed.append((Place(event), "activityUpdatedForAlert", app.isCertain))
      case .notification: confirmed.append((Place(event), "addNotification", app.isCertain))
      default: return
      }
      if let last = lastSent, event.time.since(last) <= Self.margin { confirmed.removeLast() }
    } else if case .accessory(let accessory) = event.content {
      isCarried = true
      guard accessory.direction == .hostToAccessory else { return }
      switch accessory.content {
      case .message, .plain: (lastSent, confirmed) = (event.time, [])
      default: break
      }
    }
  }

  private mutating func judge(_ now: Timestamp, _ report: inout RuleReport) {
    guard !confirmed.isEmpty else { return }
    for one in confirmed where now.since(one.place.time) >= Self.patience {
      // Where no framing is known, what goes out cannot be told from other traffic.
      guard isCarried else { continue }
      guard report.horizon.locked.isEmpty else {
        report.cannotTell(one.place, "a link is encrypted and not readable: it may be there")
        continue
      }
      report.missing(
        one.place, observed: "\(one.what) returned true, and no message to the accessory followed",
        expected: "a message to the accessory",
        confidence: one.isCertain ? .likely : .possible)
    }
    confirmed.removeAll { now.since($0.place.time) >= Self.patience }
  }
}
