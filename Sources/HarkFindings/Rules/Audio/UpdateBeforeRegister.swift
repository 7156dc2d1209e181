import HarkCore
import HarkSession

struct UpdateBeforeRegister: Rule {
  static let about = RuleDescription(
    id: "audio.update-before-register", title: "A configuration is updated before it is registered",
    severity: .error, needs: .configuration,
    meaning: "The update is refused with invalidRequest: what the accessory reports until the "
      + "registration is lost.",
    source:
      "Apple, AudioAccessoryKit: AccessoryControlDevice.register(_:_:) after pairing, update(_:) "
      + "from the extension afterwards",
    fix:
      "Register in the container app once AccessorySetupKit has paired the accessory, and report "
      + "changes only then.")

  private var early: [Owner: Place] = [:]
  private var registered = RecentValues<Owner, Bool>(capacity: 256)

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    for configuration in event.configurations {
      let owner = Owner(event, session)
      switch configuration.event {
      case .register:
        if registered[owner] == nil, let place = early.removeValue(forKey: owner) {
          report.found(
            place.and(event),
            observed: "an update, and the registration only in #\(event.frames.last.number)",
            expected: "the registration first")
        }
        registered.set(owner, true)
      case .update:
        guard registered[owner] == nil, early[owner] == nil, early.count < 256 else { continue }
        early[owner] = Place(event)
      case .failed: break
      }
    }
  }

  mutating func finish(_ session: borrowing Session, _ report: inout RuleReport) {
    for place in early.values {
      report.cannotTell(
        place,
        "updates without a registration: it may be made by the app alone, or before the capture")
    }
  }
}
