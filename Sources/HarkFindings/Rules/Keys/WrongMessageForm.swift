import HarkCrypto
import HarkSession

struct WrongMessageForm: Rule {
  static let about = RuleDescription(
    id: "keys.wrong-form",
    title: "A message is not in the form that the other side decrypts",
    severity: .error, needs: .sealedMessages,
    meaning:
      "The key is right, which the tag proves, but CryptoKit's AES.GCM.open cannot open the message with it: every message "
      + "like it fails, and new keys do not help.",
    source:
      "Apple, “Receiving iOS notifications on an accessory”: AES-GCM without additional data; NIST SP 800-38D, 7.1",
    fix:
      "Send 12 bytes of IV, the ciphertext and 16 bytes of tag, in this order, as AES.GCM.seal combines them, and "
      + "authenticate no additional data.")
  static let wants: Set<Event.Family> = [.accessory]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard case .accessory(let accessory) = event.content,
      case .message(let message) = accessory.content,
      case .wrongForm(let form)? = message.verdict
    else { return }
    report.found(
      event, session, observed: "the key is right, but \(public: form)",
      expected: "12 bytes of IV, ciphertext, 16 bytes of tag: AES-256-GCM without additional data",
      subject: "\(form) \(accessory.direction.rawValue)")
  }
}
