import HarkCrypto
import HarkSession

struct WrongMessageForm: Rule {
  static let about = RuleDescription(
    id: "keys.wrong-form",
    title: "A message is not in the form that the other side decrypts",
    severity: .error, needs: .sealedMessages,
    meaning:
      "CryptoKit's AES.GCM.open cannot open the message, and new keys do not help. Either the key is right, which the "
      + "tag proves, but the parts of the message are wrong or in the wrong order; or the message has fewer bytes than "
      + "IV and tag.",
    source:
      "Apple, “Receiving iOS notifications on an accessory”: AES-GCM without additional data; NIST SP 800-38D, 7.1",
    fix:
      "Send 12 bytes of IV, the ciphertext and 16 bytes of tag, in this order, as AES.GCM.seal combines them, and "
      + "authenticate no additional data.")
  static let wants: Set<Event.Family> = [.accessory]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard case .accessory(let accessory) = event.content,
      case .message(let message) = accessory.content
    else { return }
    switch message.verdict {
    case .wrongForm(let form):
      report.found(
        event, session, observed: "the key is right, but \(public: form)",
        expected:
          "12 bytes of IV, ciphertext, 16 bytes of tag: AES-256-GCM without additional data",
        subject: "\(form) \(accessory.direction.rawValue)")
    case .tooShort(let bytes):
      if let gap = report.coverage.gap(near: event) {
        return report.cannotTell(
          Place(event), gap, "a part of the message may be in that gap", subject: "short")
      }
      report.found(
        event, session, observed: "a message of \(public: Verdict.tooShort(bytes: bytes))",
        expected: "12 bytes of IV, ciphertext, 16 bytes of tag: at least 28 bytes",
        subject: "short \(accessory.direction.rawValue)")
    default: break
    }
  }
}
