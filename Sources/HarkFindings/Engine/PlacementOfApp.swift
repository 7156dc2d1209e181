import HarkCore
import HarkSession

/// What the app's side makes of the placement that it registered, judged by what the accessory says.
struct PlacementOfApp: Sendable {
  private struct State {
    var registered: (place: Place, log: String)?
    /// What the accessory changed since, and the app has not updated.
    var change: (place: Place, value: String)?

    mutating func take(_ stated: AccessoryControlDevice.Report, _ event: Event) {
      let saysPlacement = stated.change.says(.devicePlacement) != nil
      if event.app == nil {
        guard registered != nil, change == nil, stated.sender == .accessoryToHost, saysPlacement,
          let now = stated.configuration?.devicePlacement, let before = stated.before,
          now != before.devicePlacement
        else { return }
        change = (Place(event), now.rawValue)
      } else if stated.isUpdate, saysPlacement {
        registered = nil
      } else if let capabilities = stated.configuration?.deviceCapabilities,
        stated.change.says(.deviceCapabilities) != nil
      {
        change = nil
        registered =
          capabilities.contains(.placement)
          ? (Place(event), event.logPlace) : nil
      }
    }
  }

  private var states = AccessoryStates(State())
  /// The logs with lines from the extension, which is who updates.
  private var logs: Set<String> = []
  private static let mostLogs = 64

  /// Shorter than this an update may still be on its way.
  private static let waitLimit = Int64.seconds(5)

  mutating func take(_ event: Event, _ session: borrowing Session) {
    if let app = event.app, app.isExtension || app.kind == .configurationUpdated {
      if logs.count < Self.mostLogs { logs.insert(app.origin.path) }
    }
    for stated in event.configurations {
      for place in states.places(of: stated, event, session) { states[place].take(stated, event) }
    }
  }

  /// - Parameter end: Of the capture.
  func judge(_ end: Timestamp, _ report: inout RuleReport) {
    for place in states.indices { judge(states[place], end, &report) }
  }

  private func judge(_ state: State, _ end: Timestamp, _ report: inout RuleReport) {
    guard let registered = state.registered, let change = state.change else { return }
    guard !logs.isEmpty else {
      return report.cannotTell(
        registered.place, "the logs have no line from the extension, which calls update")
    }
    let waited: Int64
    switch report.coverage.wait(since: change.place, until: end, logs, Self.waitLimit) {
    case .enough(let time): waited = time
    case .short(let text):
      return report.cannotTell(change.place, "\(text) the placement changed")
    }
    report.found(
      change.place,
      observed:
        "the app registered the capability placement\(registered.log); the accessory reported "
        + "\(change.value), but the app called no update for it within \(Names.duration(waited))",
      expected: "an update when the accessory is put on or off",
      confidence: .likely)
  }
}
