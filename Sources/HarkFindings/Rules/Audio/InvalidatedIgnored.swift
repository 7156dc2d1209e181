import HarkCore
import HarkSession

struct InvalidatedIgnored: Rule {
  static let about = RuleDescription(
    id: "audio.invalidated-ignored", title: "The app does not register again after an invalidation",
    severity: .warning, needs: .configuration,
    meaning:
      "The registration is gone: the phone no longer accepts placement or audio sources from the "
      + "accessory, and automatic switching has ended.",
    source: "Apple, AudioAccessoryKit: AccessoryControlDevice.Error.invalidated",
    fix:
      "Catch AccessoryControlDevice.Error.invalidated in the extension, and have the container "
      + "app call register(_:_:) again.")
  static let wants: Set<Event.Family> = [.app]

  private static let waitLimit = Int64.seconds(30)

  /// By the accessory that the line names, if it names one.
  private var invalidated: [NamedAccessory?: HeldFinding] = [:]
  /// The logs with lines from the container app, which registers.
  private var logs: Set<String> = []
  private static let mostLogs = 64

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard let app = event.app else { return }
    if app.isContainerApp || app.kind == .configurationRegistered, logs.count < Self.mostLogs {
      logs.insert(app.origin.path)
    }
    if app.kind != .clock {
      for (accessory, it) in inOrder where event.time.since(it.place.time) >= Self.waitLimit {
        judge(it, of: accessory, event.time, &report)
      }
    }
    let accessory = NamedAccessory(event, session)
    switch app.kind {
    case .configurationFailed:
      guard app[.error]?.hasSuffix("invalidated") == true, invalidated[accessory] == nil,
        invalidated.count < 64
      else { return }
      invalidated[accessory] = HeldFinding(
        event, session, expected: "a new registration by the container app", confidence: .likely)
    // An update without a registration is a mistake of its own.
    case .configurationRegistered, .configurationUpdated:
      invalidated = invalidated.filter { one in
        accessory != nil && one.key != nil && one.key != accessory
      }
    default: break
    }
  }

  private var inOrder: [(key: NamedAccessory?, value: HeldFinding)] {
    invalidated.sorted { $0.value.place.time < $1.value.place.time }
  }

  private mutating func judge(
    _ it: HeldFinding, of accessory: NamedAccessory?, _ time: Timestamp,
    _ report: inout RuleReport
  ) {
    guard let end = report.coverage.logTime(of: logs, at: time) else {
      invalidated[accessory] = nil
      return report.cannotTell(
        it.place, "the logs have no line from the container app, which registers")
    }
    let waited = end.since(it.place.time)
    guard waited >= Self.waitLimit else { return }
    invalidated[accessory] = nil
    report.found(it, and: "; no registration within \(public: Names.duration(waited))")
  }

  mutating func finish(_ session: borrowing Session, _ report: inout RuleReport) {
    for (_, it) in inOrder {
      report.cannotTell(it.place, "the log ends too soon after the invalidation")
    }
  }
}
