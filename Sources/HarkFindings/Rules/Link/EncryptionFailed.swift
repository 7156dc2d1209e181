import HarkSession

struct EncryptionFailed: Rule {
  static let about = RuleDescription(
    id: "link.encryption-failed", title: "The link could not be encrypted",
    severity: .error,
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
    default: break
    }
  }
}
