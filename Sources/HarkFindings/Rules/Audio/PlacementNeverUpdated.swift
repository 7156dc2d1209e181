import HarkCore
import HarkSession

struct PlacementNeverUpdated: Rule {
  static let about = RuleDescription(
    id: "audio.placement-never-updated", title: "Placement is declared but never updated",
    severity: .warning, needs: .configuration,
    meaning:
      "The phone expects the accessory to report whether it is worn, but routes audio based on a "
      + "value that never changes: automatic switching does not work.",
    source: "Apple, AudioAccessoryKit: Capabilities.placement, Configuration.devicePlacement",
    fix: "Report every placement change, or do not declare the capability.")
  static let wants: Set<Event.Family> = [.accessory, .app]

  private struct Declared {
    let place: Place
    let link: LinkID?
    /// Whether an update followed. The same declaration again does not ask for another one.
    var isUpdated = false
  }

  /// The wearer of an accessory puts it on or takes it off at some time; a shorter time shows nothing.
  private static let waitLimit = Int64.seconds(30)

  private var declared: [Owner: Declared] = [:]
  private var app = PlacementOfApp()

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    app.take(event, session)
    if event.app != nil { return }
    if case .link(.closed) = event.content {
      for (owner, it) in declared where it.link == event.link {
        declared[owner] = nil
        judge(it, event.time, "its link closed", &report)
      }
      return
    }
    for configuration in event.configurations {
      let owner = Owner(event, session)
      let saysPlacement = configuration.change.says(.devicePlacement) != nil
      if case .update = configuration.event, saysPlacement { declared[owner]?.isUpdated = true }
      guard configuration.change.says(.deviceCapabilities) != nil,
        let now = configuration.configuration
      else { continue }
      if !now.deviceCapabilities.contains(.placement) {
        declared[owner] = nil
      } else if declared[owner] == nil, declared.count < 256,
        !(saysPlacement && configuration.isUpdate)
      {
        declared[owner] = Declared(place: Place(event), link: event.link)
      }
    }
  }

  private func judge(
    _ it: Declared, _ time: Timestamp, _ end: String, _ report: inout RuleReport
  ) {
    if it.isUpdated { return }
    // If the clock was set, `missing` reports only that.
    let waited = time.since(it.place.time)
    guard report.isOver(Self.waitLimit, since: it.place, at: time) else {
      return report.cannotTell(
        it.place,
        "\(end) \(public: Names.duration(waited)) after placement was declared, too soon to judge")
    }
    report.missing(
      it.place,
      observed: "placement declared, but not updated within \(public: Names.duration(waited))",
      expected: "an update when the accessory is put on or off")
  }

  mutating func finish(_ session: borrowing Session, _ report: inout RuleReport) {
    guard let last = session.counts.lastTime else { return }
    for it in declared.values { judge(it, last, "the capture ended", &report) }
    app.judge(last, &report)
  }
}

extension AccessoryControlDevice.Report {
  var isUpdate: Bool { if case .update = event { true } else { false } }
}
