import HarkSession

struct BondLost: Rule {
  static let about = RuleDescription(
    id: "link.bond-lost", title: "One side has lost the bond, or has another key",
    severity: .error, needs: .links,
    meaning:
      "The devices connect and part again, until the user forgets the accessory on the phone: iOS "
      + "says that the peer removed pairing information.",
    source: "Core Specification, Vol 1, Part F, 2 (0x05 Authentication Failure, 0x06 PIN or Key "
      + "Missing, 0x3D Connection Terminated due to MIC Failure)",
    fix: "Store bonds so that they outlive restarts and updates, and do not drop the oldest of few "
      + "unasked. Where the key is gone, the user has to forget the device on the other side.")

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    switch event.content {
    case .encryptionFailed(0x06), .authenticationFailed(0x06), .linkClosed(0x06?):
      report.found(
        event, session, expected: "a key for this device on both sides", subject: "missing")
    case .linkLayer(.rejected(_, let opcode, error: 0x06)) where (opcode ?? 0x03) == 0x03:
      report.found(
        event, session, expected: "a key for this device on both sides", subject: "missing")
    case .linkClosed(0x05?):
      report.found(
        event, session, expected: "the same key on both sides", confidence: .likely,
        subject: "authentication")
    case .linkClosed(0x3D?):
      report.found(
        event, session, expected: "the same key on both sides", confidence: .likely, subject: "mic")
    default: break
    }
  }
}
