import HarkSession

struct FrameworkMissing: Rule {
  static let about = RuleDescription(
    id: "app.framework-missing", title: "AudioAccessoryKit is linked without AccessorySetupKit",
    severity: .warning, needs: .declaration,
    meaning:
      "AudioAccessoryKit registers an ASAccessory, which only AccessorySetupKit's picker "
      + "provides: no accessory can be registered.",
    source: "Apple, AudioAccessoryKit: AccessoryControlDevice.register(_:_:) takes an ASAccessory",
    fix:
      "Pair the accessory with AccessorySetupKit in the container app, and import both frameworks.")
  static let wants: Set<Event.Family> = [.app]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    let bundles = event.declaration?.bundles ?? []
    let linked = bundles.compactMap(\.frameworks)
    // If a part of the app was not read, hark cannot know what the app lacks.
    guard linked.count == bundles.count, linked.allSatisfy(\.isWhole),
      !linked.contains(where: { $0.contains("AccessorySetupKit") })
    else { return }
    for bundle in bundles where bundle.frameworks?.contains("AudioAccessoryKit") == true {
      report.found(
        event, session,
        observed: "\(bundle.label) links AudioAccessoryKit, but no part of the app links "
          + "AccessorySetupKit",
        expected: "AccessorySetupKit, which provides the ASAccessory", confidence: .likely,
        subject: bundle.label)
    }
  }
}
