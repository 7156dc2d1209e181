import HarkCore
import HarkCrypto
import HarkSession

struct CannotDecrypt: Rule {
  static let about = RuleDescription(
    id: "keys.cannot-decrypt", title: "No key decrypts a message",
    severity: .error, needs: .sealedMessages,
    meaning:
      "No key of the exchange decrypts the message: it is damaged, its encapsulated key is not valid, its sender "
      + "derives the key in a way that hark does not know, or it is encrypted with keys of an exchange that is not "
      + "in the capture — stale keys after a restart, a reinstallation or a new pairing. Or it was never encrypted, "
      + "which is right only for an AccessoryWorker.",
    source:
      "NIST SP 800-38D, 7.2 (authenticated decryption); Apple, “Receiving iOS notifications "
      + "on an accessory”: after a failed decryption, close the link and exchange keys again",
    fix:
      "If every message fails, exchange keys again on both sides; if only those of one direction fail, compare how "
      + "both sides derive its key; if single messages fail, look for lost, repeated, interleaved or reordered chunks "
      + "and for bytes changed in transit. If a message can be read without a key, encrypt it before it is sent."
  )
  static let wants: Set<Event.Family> = [.accessory]

  /// The packet up to which the keys of an accessory are known to be those of the capture: that of an
  /// encapsulated key, or of a message that opens.
  private var known = RecentValues<Owner, PacketID>(capacity: 256)

  /// Accessories whose messages session keys of the key file opened.
  private var opened = RecentValues<Owner, Bool>(capacity: 256)

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard case .accessory(let accessory) = event.content else { return }
    if case .encapsulatedKey(let key) = accessory.content, key.defect == nil {
      known.set(Owner(event, session), event.frames.last)
    }
    guard case .message(let message) = accessory.content else { return }
    guard let verdict = message.verdict else {
      if message.opened?.keyUse.exchange == nil { opened.set(Owner(event, session), true) }
      // Soon after a hole it may be one that was encrypted before the keys changed.
      if report.coverage.gap(near: event) == nil {
        known.set(Owner(event, session), event.frames.last)
      }
      return
    }
    let what: FindingText =
      "message of \(public: Names.count(message.size, "byte")): \(public: verdict)"
    switch verdict {
    case .tagFails, .sessionKeysFail, .unusableEncapsulatedKey:
      let start = known[Owner(event, session)] ?? PacketID(0)
      if let gap = report.coverage.gap(since: min(start, event.frames.first)) {
        return report.cannotTell(
          Place(event), gap, "a part of the message, or new keys, may be in that gap",
          subject: "tag")
      }
    default: break
    }
    switch verdict {
    case .tagFails:
      report.found(
        event, session, observed: what, expected: "a message that a key of the exchange decrypts",
        severity: message.followsKeyOnLink ? .error : .warning,
        confidence: message.followsKeyOnLink ? .certain : .likely,
        subject: accessory.direction.rawValue)
    // Without a message that they open, the key file may be wrong.
    case .sessionKeysFail(_, nil) where opened[Owner(event, session)] == true:
      report.found(
        event, session, observed: what, expected: "a message that the session key decrypts",
        severity: .warning, confidence: .likely, subject: accessory.direction.rawValue)
    case .notEncrypted:
      report.found(
        event, session, observed: what, expected: "an encrypted message", severity: .warning,
        confidence: .likely, subject: verdict.reason)
    case .keysOfOther:
      report.found(
        event, session, observed: what,
        expected: "a message encrypted with the keys of this device's exchange",
        confidence: .likely, subject: verdict.reason)
    case .keysRefused:
      report.found(
        event, session, observed: what,
        expected: "a message encrypted with the keys that this accessory accepted",
        confidence: .likely, subject: verdict.reason)
    case .partRefused:
      report.found(
        event, session, observed: what, expected: "a refused part is sent again",
        subject: verdict.reason)
    case .partRepeated(let repetition):
      report.found(
        event, session, observed: what, expected: "each part once", subject: verdict.reason,
        frames: [repetition.packet, repetition.original])
    case .partsInterleaved(let first):
      report.found(
        event, session, observed: what, expected: "all parts of a message before another begins",
        subject: verdict.reason, frames: [first])
    case .unusableEncapsulatedKey:
      report.found(
        event, session, observed: what, expected: "a valid encapsulated key", subject: "short")
    // Of their own rules.
    case .incomplete, .tooShort, .wrongForm: break
    case .cutByCapture, .noEncapsulatedKey, .noPrivateKey, .sessionKeysFail, .unknownSession:
      report.cannotTell(Place(event), "\(verdict)", cause: "\(verdict)")
    }
  }
}
