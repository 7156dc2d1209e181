import HarkCrypto
import HarkSession

struct WrongDerivation: Rule {
  static let about = RuleDescription(
    id: "keys.wrong-derivation", title: "A key is not derived as on Apple's phones",
    severity: .error, needs: .openedMessages,
    meaning:
      "The message decrypts only with strings or a key that Apple's phones do not use: with a real "
      + "phone on the other side, bytes arrive, but decryption fails.",
    source: "Apple, “Receiving iOS notifications on an accessory”: info "
      + "<suite>-<version>-<identifier>, context <info>-<direction>-<session UUID>; spellings as "
      + "observed with NotifBridge and PebbleOS",
    fix:
      "Correct the named part: suite `XWing` or `P256`, version `Version1`, the unchanged "
      + "identifier of the SecurityMessage, the session's UUID in capitals, UUIDs as text, strings instead "
      + "of the description of a Data and without a terminating NUL (in C, the length from strlen, "
      + "not sizeof), the P-256 public key with its leading 04 in the KEM, and as the key the 32 bytes "
      + "that HPKE exports, in their order.")
  static let wants: Set<Event.Family> = [.accessory]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard let use = event.keyUse else { return }
    for deviation in use.deviations {
      switch deviation {
      case .direction: continue
      case .listedFor:
        report.cannotTell(
          Place(event), "\(deviation.clause(use.direction))", cause: deviation.part)
        continue
      default: break
      }
      report.found(
        event, session, observed: "\(deviation.part): \(deviation.clause(use.direction))",
        expected: expected(deviation), subject: deviation.part)
    }
  }

  private func expected(_ deviation: NonstandardDerivation) -> FindingText {
    switch deviation {
    case .suite(_, let expected), .version(_, let expected), .identifier(_, let expected),
      .session(_, let expected), .identifierBytes(_, let expected), .sessionBytes(_, let expected):
      "`\(expected)`"
    case .direction(let used): "\(used.opposite.rawValue)"
    case .sampleCode: "the info string itself in the context"
    case .rawPublicKey: "65 bytes: 04‖X‖Y"
    case .terminator: "the bytes of the string without its NUL"
    case .emptyInfo: "the info <suite>-<version>-<identifier>"
    case .directionSpelling(_, let expected): "`\(expected)`"
    case .keySource: "the key that HPKE exports for the context, unchanged"
    case .otherPublicKey(_, let announced): "an exchange with public key \(announced)"
    case .listedFor: "the session and direction of the message"
    }
  }
}
