import HarkSession

struct Disagreement: Rule {
  static let about = RuleDescription(
    id: "audio.disagreement", title: "The phone and the accessory disagree",
    severity: .warning, needs: [.configuration, .accessoryProtocol],
    meaning:
      "The phone reports a value that the accessory has since replaced: an update was late "
      + "or lost, and the phone routes audio based on the old value. Or the accessory answers a setting of the "
      + "phone with another value: the phone shows that one, not what the user chose.",
    source:
      "Apple, AudioAccessoryKit: AccessoryControlDevice.current(for:) and update(_:); Apple Accessory "
      + "Protocol, as observed by the librepods project: control commands",
    fix: "Report every change immediately, and compare with current(for:) when the link comes "
      + "back. Offer only settings that the accessory can take in its state, such as with both buds worn."
  )
  static let wants: Set<Event.Family> = [.accessory, .app, .accessoryProtocol]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    if case .accessoryProtocol(.setting(let it)) = event.content, case .overruled = it.step {
      report.found(
        event, session, expected: "the value that the phone set", severity: .info,
        subject: "setting \(it.identifier)")
    }
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
