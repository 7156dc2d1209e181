import HarkSession

struct KeySize: Rule {
  static let about = RuleDescription(
    id: "keys.wrong-size", title: "A key is not valid for its cipher suite",
    severity: .error, needs: .keyExchange,
    meaning:
      "The phone rejects such a key, or the accessory derives a different secret: nothing "
      + "encrypted with it can be decrypted.",
    source: "RFC 9180, 7.1 (P-256: encapsulated key 65 bytes); Apple, SecurityMessage.key; "
      + "draft-connolly-cfrg-xwing-kem (public key 1216, encapsulated key 1120 bytes)",
    fix:
      "Send the public key as CryptoKit's rawRepresentation (P-256: 64 bytes X‖Y, X-Wing: "
      + "1216 bytes) and the encapsulated key unchanged (P-256: 65 bytes with the leading 04, "
      + "X-Wing: 1120 bytes). A shorter key usually lost a chunk in transit.")
  static let wants: Set<Event.Family> = [.accessory, .app]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    if let app = event.app, let key = app.key, let size = key.size, let right = key.expectedSize {
      report.found(
        event, session, observed: "\(key.type.rawValue) of \(size) bytes, as the app reports it",
        expected: "\(right)", confidence: app.confidence, subject: key.type.rawValue)
    }
    guard case .accessory(let accessory) = event.content else { return }
    let (observed, expected): (FindingText, FindingText)
    let type: SecurityMessage.KeyType
    switch accessory.content {
    case .publicKey(let key):
      guard let defect = key.defect else { return checkPoint(key, event, session, &report) }
      type = .publicKey
      observed = "the public key is not valid: \(public: defect)"
      expected = Self.expected(key.step.message, key.step.message.cipherSuite.publicKeySize)
    case .encapsulatedKey(let key):
      guard let defect = key.defect else { return }
      type = .encapsulatedKey
      observed = "the encapsulated key is not valid: \(public: defect)"
      expected = Self.expected(key.step.message, key.step.message.cipherSuite.encapsulatedKeySize)
    case .unreadable(let message):
      guard case .keySize(let found, let size) = message.problem else { return }
      type = found
      observed = "\(public: type.rawValue) of \(public: size) bytes"
      expected =
        type == .publicKey
        ? "1216 bytes (X-Wing) or 64 (P-256)" : "1120 bytes (X-Wing) or 65 (P-256)"
    default: return
    }
    if let gap = report.coverage.gap(near: event) {
      return report.cannotTell(
        Place(event), gap, "a part of the key may be in that gap", subject: type.rawValue)
    }
    report.found(
      event, session, observed: observed, expected: expected, subject: type.rawValue)
  }

  private static func expected(_ message: SecurityMessage, _ size: Int) -> FindingText {
    message.key.count == size ? "a point on the curve" : "\(public: size) bytes"
  }

  /// What the app hands on must lack the octet that begins an uncompressed point: it may take it away.
  private func checkPoint(
    _ key: PublicKeyEvent, _ event: Event, _ session: borrowing Session, _ report: inout RuleReport
  ) {
    let message = key.step.message
    guard message.cipherSuite == .p256, message.key.count == 65 else { return }
    report.found(
      event, session, observed: "a P-256 public key of 65 bytes, with its leading 04",
      expected: "64 bytes, X and Y only; or an app that removes the 04", severity: .warning,
      confidence: .possible, subject: "leading")
  }
}
