import HarkSession

struct ConfigurationRefused: Rule {
  static let about = RuleDescription(
    id: "audio.configuration-refused", title: "The phone refuses an audio configuration",
    severity: .error, needs: .configuration,
    meaning:
      "The phone does not control the accessory: no automatic switching, no placement.",
    source: "Apple, AudioAccessoryKit: AccessoryControlDevice.Error",
    fix:
      "accessoryNotCapable: declare every updated capability. invalidRequest: register "
      + "first, with values that match the capabilities. invalidated: register again. "
      + "unknown: check the log of the phone."
  )
  static let wants: Set<Event.Family> = [.accessory, .app]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    for configuration in event.configurations where event.app == nil {
      guard case .failed(let error) = configuration.event else { continue }
      report.found(
        event, session, expected: "an accepted configuration",
        subject: error.rawValue)
    }
    // Another rule reports the consequences of an invalidated reference.
    guard let app = event.app, app.kind == .configurationFailed,
      let error = app[.error], !error.hasSuffix("invalidated")
    else { return }
    report.found(
      event, session, expected: "an accepted configuration",
      confidence: app.confidence, subject: error)
  }
}
