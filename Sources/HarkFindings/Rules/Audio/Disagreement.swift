import HarkSession

struct Disagreement: Rule {
  static let about = RuleDescription(
    id: "audio.disagreement", title: "The phone and the accessory disagree",
    severity: .warning, needs: .configuration,
    meaning:
      "The phone reports a value that the accessory has since replaced: an update was late "
      + "or lost, and the phone routes audio based on the old value.",
    source: "Apple, AudioAccessoryKit: AccessoryControlDevice.current(for:) and update(_:)",
    fix: "Report every change at once, and compare with current(for:) when the link comes "
      + "back.")
  static let wants: Set<Event.Family> = [.accessory, .app]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    for configuration in event.configurations {
      for remark in configuration.remarks {
        guard case .disagrees(let member) = remark else { continue }
        report.found(
          event, session, observed: RuleReport.text(of: event, session),
          expected: "the \(member.rawValue) that the accessory last reported", confidence: .likely,
          subject: member.rawValue)
      }
    }
  }
}
