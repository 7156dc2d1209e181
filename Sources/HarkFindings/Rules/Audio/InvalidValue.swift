import HarkSession

struct InvalidValue: Rule {
  static let about = RuleDescription(
    id: "audio.invalid-value", title: "A configuration has a value that Apple does not define",
    severity: .error, needs: .configuration,
    meaning:
      "The app cannot map the value: the update is lost or refused with invalidRequest.",
    source: "Apple, AudioAccessoryKit: Placement (inEar, onHead, overTheEar, offHead), "
      + "Capabilities (audioSwitching, placement, audioSpatialization, headTracking); "
      + "addresses have 6 octets",
    fix: "Send the names that Apple documents, and addresses of 6 octets.")
  static let wants: Set<Event.Family> = [.accessory, .app]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    for configuration in event.configurations {
      for remark in configuration.remarks {
        switch remark {
        case .unknownPlacement(let name):
          report.found(
            event, session, observed: "placement “\(name)”\(event.logPlace)",
            expected: "inEar, onHead, overTheEar or offHead", confidence: event.confidence,
            subject: "placement \(name)")
        case .unknownCapability(let name):
          report.found(
            event, session, observed: "capability “\(name)”\(event.logPlace)",
            expected: "audioSwitching, placement, audioSpatialization or headTracking",
            confidence: event.confidence, subject: "capability \(name)")
        case .addressSize(let member, let count):
          report.found(
            event, session,
            observed:
              "\(member.rawValue) of \(public: Names.count(count, "byte"))\(event.logPlace)",
            expected: "6 bytes", confidence: event.confidence, subject: member.rawValue)
        default: break
        }
      }
    }
  }
}
