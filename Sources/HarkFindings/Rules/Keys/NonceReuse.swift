import HarkCrypto
import HarkSession

struct NonceReuse: Rule {
  static let about = RuleDescription(
    id: "keys.nonce-reuse", title: "An IV is used twice under one key",
    severity: .error, needs: .sealedMessages,
    meaning:
      "AES-GCM then protects neither message: an attacker who records both can compute the "
      + "difference of the plaintexts and forge messages under this key.",
    source: "NIST SP 800-38D, 8 (uniqueness requirement on IVs and keys); RFC 5116, 5.1.1",
    fix:
      "Generate 12 random bytes for every message, as CryptoKit's AES.GCM.seal does; a "
      + "counter must survive restarts.")
  static let wants: Set<Event.Family> = [.accessory]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard case .accessory(let accessory) = event.content,
      case .observation(let odd) = accessory.content,
      case .nonceReuse(let packet, let isCertain) = odd.observation
    else { return }
    report.found(
      event, session, expected: "a different IV in each message",
      severity: isCertain ? .error : .warning, confidence: isCertain ? .certain : .likely,
      subject: "\(accessory.direction.rawValue) \(isCertain)", frames: [packet])
  }
}
