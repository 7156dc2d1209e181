import HarkSession

struct NotDeclared: Rule {
  static let about = RuleDescription(
    id: "audio.not-declared", title: "A value needs a capability that was not declared",
    severity: .error, needs: .configuration,
    meaning: "The phone refuses the update with accessoryNotCapable, or ignores the value.",
    source: "Apple, AudioAccessoryKit: devicePlacement needs Capabilities.placement, the audio "
      + "source identifiers need audioSwitching",
    fix: "Declare the capability in the registration, or leave the value nil.")
  static let wants: Set<Event.Family> = [.accessory, .app]

  /// What the app registered, and the line that shows it; nil if no log does.
  private var registered: (capabilities: Set<AccessoryControlDevice.Capability>, log: String)?

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    for configuration in event.configurations {
      if event.app != nil, !configuration.isUpdate,
        configuration.change.says(.deviceCapabilities) != nil,
        let now = configuration.configuration
      {
        registered = (now.deviceCapabilities, event.logPlace)
      }
      if let registered, event.app == nil, configuration.sender == .accessoryToHost,
        !registered.capabilities.contains(.placement),
        let placement = configuration.configuration?.devicePlacement,
        configuration.change.says(.devicePlacement) != nil
      {
        report.found(
          event, session,
          observed: "the accessory reports \(placement.rawValue), but the app registered no "
            + "placement\(registered.log)",
          expected: "the capability placement registered, as the accessory reports it",
          confidence: .likely, subject: "registered")
      }
      for remark in configuration.remarks {
        guard case .notDeclared(let member, let capability) = remark else { continue }
        report.found(
          event, session, observed: "\(member.rawValue) is set\(event.logPlace)",
          expected: "the capability \(capability.rawValue) declared first",
          confidence: event.confidence, subject: member.rawValue)
      }
    }
  }
}
