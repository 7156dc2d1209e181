import HarkCrypto
import HarkSession

struct StaleGeneration: Rule {
  static let about = RuleDescription(
    id: "keys.stale-generation", title: "A message is sealed with keys that were replaced",
    severity: .warning, needs: .openedMessages,
    meaning: "After a new key exchange or a new pairing one side goes on with the old keys. An "
      + "accessory that forgets them at once cannot open the message: failures only right after a "
      + "re-key.",
    source:
      "Apple, “Receiving iOS notifications on an accessory”: key exchange; in-flight messages "
      + "observed in the NotifBridge project",
    fix:
      "Keep the keys of the generation before for a while, and stop sealing with them as soon as "
      + "the new encapsulated key is confirmed.")
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
