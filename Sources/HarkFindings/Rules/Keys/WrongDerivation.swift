import HarkCrypto
import HarkSession

struct WrongDerivation: Rule {
  static let about = RuleDescription(
    id: "keys.wrong-derivation", title: "A key is not derived as Apple's phones do it",
    severity: .error, needs: .openedMessages,
    meaning:
      "The message opens only with strings that Apple's phones do not use: with a real phone on "
      + "the other side bytes arrive, and decryption fails.",
    source: "Apple, “Receiving iOS notifications on an accessory”: info "
      + "<suite>-<version>-<identifier>, context <info>-<direction>-<session UUID>; spellings as "
      + "observed with NotifBridge and PebbleOS",
    fix:
      "Correct the part that is named: suite `XWing` or `P256`, version `Version1`, the identifier of "
      + "the SecurityMessage as it came, the session's UUID in capitals, strings instead of the "
      + "description of a Data, and the public key of P-256 with its leading 04 in the KEM.")
  static let wants: Set<Event.Family> = [.accessory]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard let use = event.keyUse else { return }
    for deviation in use.deviations {
      if case .direction = deviation { continue }
      report.found(
        event, session, observed: "\(deviation.part): \(deviation.clause(use.direction))",
        expected: expected(deviation), subject: deviation.part)
    }
  }

  private func expected(_ deviation: NonstandardDerivation) -> FindingText {
    switch deviation {
    case .suite(_, let expected), .version(_, let expected), .identifier(_, let expected),
      .session(_, let expected):
      "`\(expected)`"
    case .direction(let used): "\(used.opposite.rawValue)"
    case .sampleCode: "the info string itself in the context"
    case .rawPublicKey: "65 bytes: 04‖X‖Y"
    case .otherPublicKey(_, let announced): "an exchange with public key \(announced)"
    }
  }
}
