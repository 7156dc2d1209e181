import HarkSession

struct NotDeclared: Rule {
  static let about = RuleDescription(
    id: "audio.not-declared", title: "A value is given whose capability was not declared",
    severity: .error, needs: .configuration,
    meaning: "The phone refuses the update with accessoryNotCapable, or ignores the value.",
    source: "Apple, AudioAccessoryKit: devicePlacement needs Capabilities.placement, the audio "
      + "source identifiers need audioSwitching",
    fix: "Declare the capability in the registration, or leave the value nil.")

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    for configuration in event.configurations {
      for remark in configuration.remarks {
        guard case .notDeclared(let member, let capability) = remark else { continue }
        report.found(
          event, session, observed: "\(member.rawValue) is given\(event.logPlace)",
          expected: "the capability \(capability.rawValue) declared first",
          confidence: event.confidence, subject: member.rawValue)
      }
    }
  }
}
