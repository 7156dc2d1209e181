import HarkCrypto
import HarkReport
import HarkSession

struct CannotDecrypt: Rule {
  static let about = RuleDescription(
    id: "keys.cannot-decrypt", title: "A message opens with none of the keys",
    severity: .error, needs: .sealedMessages,
    meaning:
      "The private key is known, and no derivation of it opens the message: it is damaged, or "
      + "sealed with keys of an exchange that the capture does not hold — stale keys after a restart, "
      + "a reinstallation or a new pairing.",
    source:
      "NIST SP 800-38D, 7.2 (authenticated decryption); Apple, “Receiving iOS notifications on "
      + "an accessory”: after a failed decryption close the link and exchange keys anew",
    fix:
      "Where every message fails, exchange keys anew on both sides; where single ones fail, look for "
      + "lost or reordered chunks and for bytes that were changed on their way.")

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard case .accessory(let accessory) = event.content,
      case .message(let message) = accessory.content, let verdict = message.verdict
    else { return }
    let what = "message of \(Names.count(message.size, "byte")): \(verdict)"
    switch verdict {
    case .tagFails:
      if let gap = report.horizon.gap(since: event.frames.first) {
        return report.cannotTell(
          Place(event), "\(gap): a part of the message may be there", subject: "tag")
      }
      report.found(
        event, session, observed: what, expected: "a tag that matches",
        severity: message.followsKeyOnLink ? .error : .warning,
        confidence: message.followsKeyOnLink ? .certain : .likely,
        subject: accessory.direction.rawValue)
    case .tooShort, .unusableEncapsulatedKey:
      report.found(
        event, session, observed: what, expected: "12 bytes of IV, ciphertext, 16 bytes of tag",
        subject: "short")
    case .incomplete: break
    case .cutByCapture, .noEncapsulatedKey, .noPrivateKey, .unknownSession:
      report.cannotTell(Place(event), "a sealed message: \(verdict)", subject: "\(verdict)")
    }
  }
}
