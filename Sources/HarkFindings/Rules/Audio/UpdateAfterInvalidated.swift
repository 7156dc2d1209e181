import HarkSession

struct UpdateAfterInvalidated: Rule {
  static let about = RuleDescription(
    id: "audio.update-after-invalidated",
    title: "A configuration is updated after it was invalidated",
    severity: .error,
    meaning: "The phone refuses every update until the accessory is registered anew.",
    source: "Apple, AudioAccessoryKit: AccessoryControlDevice.Error.invalidated",
    fix: "After invalidated, register again before the next update.")

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    for configuration in event.configurations {
      for remark in configuration.remarks {
        guard case .invalidated(let packet) = remark else { continue }
        report.found(
          event, session,
          observed: "an update; the registration was invalidated in #\(packet.number)",
          expected: "a new registration first", frames: [packet])
      }
    }
  }
}
