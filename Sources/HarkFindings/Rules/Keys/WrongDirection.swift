import HarkCrypto
import HarkSession

struct WrongDirection: Rule {
  static let about = RuleDescription(
    id: "keys.wrong-direction",
    title: "A message is encrypted with the key for the other direction",
    severity: .error, needs: .openedMessages,
    meaning: "The other side cannot open it: replies never reach the phone's app, or notifications "
      + "never show.",
    source: "Apple, “Receiving iOS notifications on an accessory”: export context "
      + "<suite>-<version>-<identifier>-<direction>-<session UUID>",
    fix:
      "Export one key with HostToAccessory for messages from the phone and another with "
      + "AccessoryToHost for messages from the accessory.")
  static let wants: Set<Event.Family> = [.accessory]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard let use = event.keyUse else { return }
    for case .direction(let used) in use.deviations {
      report.found(
        event, session, observed: "the message decrypts with the key for \(public: used.rawValue)",
        expected: "the key for \(public: use.direction.rawValue)", subject: use.direction.rawValue)
    }
  }
}
