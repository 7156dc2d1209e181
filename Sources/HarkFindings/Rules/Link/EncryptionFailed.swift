import HarkSession

struct EncryptionFailed: Rule {
  static let about = RuleDescription(
    id: "link.encryption-failed", title: "The link could not be encrypted",
    severity: .error, needs: .pairing,
    meaning: "Everything that needs an encrypted link is refused: keys, notifications, ANCS, Wi-Fi "
      + "sharing.",
    source: "Core Specification, Vol 4, Part E, 7.7.8 (HCI_Encryption_Change), 7.7.6 "
      + "(HCI_Authentication_Complete)",
    fix: "Look at the status; where the link closed meanwhile, look for why.")

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    switch event.content {
    // A key that is missing has a rule of its own.
    case .encryptionFailed(let status) where status != 0x06:
      report.found(event, session, expected: "encryption on", subject: "\(status)")
    case .authenticationFailed(let status) where status != 0x06:
      report.found(event, session, expected: "authentication", subject: "\(status)")
    // On the air: LL_REJECT_IND, or LL_REJECT_EXT_IND for LL_ENC_REQ. Vol 6, Part B, 5.1.3.1.
    case .linkLayer(.rejected(_, let opcode, let error))
    where (opcode ?? 0x03) == 0x03 && error != 0x06:
      report.found(event, session, expected: "encryption on", subject: "\(error)")
    default: break
    }
  }
}
