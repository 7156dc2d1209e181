import HarkSession

struct PrivateKeyExposed: Rule {
  static let about = RuleDescription(
    id: "keys.private-key-exposed", title: "A private key is sent unencrypted",
    severity: .error, needs: .accessoryMessages,
    meaning:
      "Anyone who has this capture, or the phone's log, can read every message of the accessory, "
      + "past and future.",
    source: "RFC 9180, 9 (security considerations); Apple, SecurityMessage: only the public key "
      + "is sent",
    fix: "Create the key pair on the accessory, and send only its public key.")
  static let wants: Set<Event.Family> = [.accessory]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard case .accessory(let accessory) = event.content,
      case .exposedKey(let key) = accessory.content
    else { return }
    report.found(
      event, session,
      observed: "the private key of public key \(key.fingerprint) (\(key.suite.name)) was sent",
      expected: "no private key in any transmission", subject: "\(key.fingerprint)")
  }
}
