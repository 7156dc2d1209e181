import HarkCore
import HarkCrypto
import HarkSession

struct AlertNotSent: Rule {
  static let about = RuleDescription(
    id: "notifications.alert-not-sent", title: "An alert was confirmed, but nothing was sent",
    severity: .error, needs: .logs,
    meaning:
      "The phone stays silent because the accessory supposedly alerts, but the accessory never "
      + "receives the alert: the user misses it.",
    source:
      "Apple, AccessoryLiveActivities: activityUpdatedForAlert(_:); AccessoryNotifications: "
      + "addNotification(_:alertingContext:): true means that the accessory alerts",
    fix:
      "Return true only if the alert is sent to the accessory, and false while it is not "
      + "connected.")

  private static let waitLimit = Int64.seconds(5)
  /// How far the app's clock may be behind.
  private static let margin = Int64.seconds(1)
  private static let most = 64

  /// What the phone can ask the accessory to alert for.
  private enum Alert { case liveActivity, notification }

  private var confirmed: [(alert: Alert, finding: HeldFinding)] = []
  /// The last messages to the accessory on the air that may carry such an alert.
  private var lastSent: [Alert: Place] = [:]
  /// Whether there are messages at all.
  private var isCarried = false
  /// Whether the framing says which updates of a Live Activity alert.
  private var namesAlerts = false

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    tick(event.captureTime(session), session, &report)
    if let app = event.app {
      let alert: Alert
      switch app.kind {
      case .liveActivity: alert = .liveActivity
      case .notification: alert = .notification
      default: return
      }
      guard app[.result] == "true", confirmed.count < Self.most else { return }
      if let last = lastSent[alert], report.isSoon(Self.margin, after: last, at: event.time) {
        return
      }
      let finding = HeldFinding(
        event, session,
        observed: "\(Self.call(alert)) returned true, but no message with the alert followed",
        expected: "a message with the alert to the accessory",
        confidence: app.isCertain ? .likely : .possible)
      confirmed.append((alert, finding))
    } else if case .accessory(let accessory) = event.content {
      isCarried = true
      guard accessory.direction == .hostToAccessory else { return }
      switch accessory.content {
      case .message, .plain:
        let carried = alerts(in: event.accessoryContents)
        for alert in carried { lastSent[alert] = Place(event) }
        confirmed.removeAll { carried.contains($0.alert) }
      default: break
      }
    }
  }

  /// What a message may alert for; of one that cannot be read, or means nothing to hark, anything.
  private mutating func alerts(in contents: [AccessoryContent]) -> [Alert] {
    guard !contents.isEmpty else { return [.liveActivity, .notification] }
    return contents.compactMap { content in
      switch content {
      case .liveActivity(_, .alert):
        namesAlerts = true
        return .liveActivity
      case .liveActivity(_, .start), .liveActivity(_, .update):
        return namesAlerts ? nil : .liveActivity
      case .add, .update, .present: return .notification
      default: return nil
      }
    }
  }

  private static func call(_ alert: Alert) -> FindingText {
    alert == .liveActivity ? "activityUpdatedForAlert" : "addNotification"
  }

  mutating func tick(
    _ time: Timestamp, _ session: borrowing Session, _ report: inout RuleReport
  ) {
    let over = confirmed.take { report.isOver(Self.waitLimit, since: $0.finding.place, at: time) }
    // Where no framing is known, what goes out cannot be distinguished from other traffic.
    guard isCarried else { return }
    let first = session.counts.firstTime ?? time
    for (alert, finding) in over {
      if finding.place.time < first {
        report.cannotTell(
          finding.place, "\(Self.call(alert)) returned true before the capture began")
      } else if !report.coverage.locked.isEmpty {
        report.cannotTell(
          finding.place, "an encrypted link was not decrypted: the message may be on it")
      } else {
        report.missing(finding)
      }
    }
  }

  mutating func finish(_ session: borrowing Session, _ report: inout RuleReport) {
    guard isCarried else { return }
    for (alert, finding) in confirmed {
      report.cannotTell(
        finding.place,
        "\(Self.call(alert)) returned true, but the capture ends before the alert had to be sent"
      )
    }
  }
}
