import HarkCrypto
import HarkSession

struct StaleGeneration: Rule {
  static let about = RuleDescription(
    id: "keys.stale-generation", title: "A message is encrypted with replaced keys",
    severity: .warning, needs: .openedMessages,
    meaning:
      "After a new key exchange or a new pairing, one side still uses the old keys. An "
      + "accessory that discards them immediately cannot decrypt the message: failures only "
      + "right after a key exchange.",
    source:
      "Apple, “Receiving iOS notifications on an accessory”: key exchange; in-flight messages "
      + "observed in the NotifBridge project",
    fix:
      "Keep the keys of the previous generation for a while, and stop encrypting with them "
      + "as soon as the new encapsulated key is confirmed.")
  static let wants: Set<Event.Family> = [.accessory]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard case .accessory(let accessory) = event.content,
      case .observation(let odd) = accessory.content,
      case .staleGeneration(let used, let newest, let since) = odd.observation
    else { return }
    report.found(
      event, session, expected: "key generation \(newest)", subject: "\(used)", frames: [since])
  }
}
