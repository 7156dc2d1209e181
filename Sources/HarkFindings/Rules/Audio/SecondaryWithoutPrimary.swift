import HarkSession

struct SecondaryWithoutPrimary: Rule {
  static let about = RuleDescription(
    id: "audio.secondary-without-primary",
    title: "A secondary audio source is set without a primary one",
    severity: .error, needs: .configuration,
    meaning:
      "A single source must be the primary: after the first phone disconnects, audio from the "
      + "other one is not routed.",
    source: "Apple, AudioAccessoryKit: with a single audio source "
      + "primaryAudioSourceDeviceIdentifier is set",
    fix: "When the primary source disconnects, move the secondary to primary and clear the "
      + "secondary.")
  static let wants: Set<Event.Family> = [.accessory, .app]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    for configuration in event.configurations {
      for remark in configuration.remarks {
        guard case .secondaryWithoutPrimary = remark else { continue }
        report.found(
          event, session,
          observed: "secondaryAudioSourceDeviceIdentifier is set, but the primary is nil"
            + "\(event.logPlace)",
          expected: "the only source as the primary", confidence: event.confidence)
      }
    }
  }
}
