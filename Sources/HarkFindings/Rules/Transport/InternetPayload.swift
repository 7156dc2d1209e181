import HarkCrypto
import HarkSession

struct InternetPayload: Rule {
  static let about = RuleDescription(
    id: "transport.internet-payload", title: "The phone cannot use a message over the internet",
    severity: .error, needs: .internetMessages,
    meaning:
      "The server posts the payload to APNs, but the phone cannot decrypt it or assign it to a session: the app does not "
      + "get the message.",
    source:
      "Apple, “Forwarding notifications to your accessory using the internet transport type”: members of aps, a root key "
      + "for each direction, a ratchet whose keys are deleted after use; NIST SP 800-38D, 7.2",
    fix:
      "Encrypt with the ratchet of AccessoryToHost, which starts with the root key of the newest key exchange. Increase "
      + "messageIndex for each message, even after a restart of the server, and copy sessionIdentifier from the phone's "
      + "message.")
  static let wants: Set<Event.Family> = [.app]

  /// An IV and a tag. NIST SP 800-38D, 5.2.1.1, as Apple uses it.
  private static let shortest = 12 + 16

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard let message = event.app?.internet else { return }
    let what: FindingText = "message \(message.index) over the internet"
    if message.session == nil {
      report.found(
        event, session, observed: "\(what) without sessionIdentifier",
        expected: "aps has encryptedData, sessionIdentifier, keyID and messageIndex",
        severity: .warning, subject: "session")
    }
    guard message.size >= Self.shortest else {
      return report.found(
        event, session, observed: "\(what) of \(public: Names.count(message.size, "byte"))",
        expected: "12 bytes of IV, ciphertext, 16 bytes of tag", subject: "short")
    }
    switch message.outcome {
    case .opened(_, _, .accessoryToHost): break
    case .opened(_, _, let direction):
      report.found(
        event, session,
        observed: "\(what), encrypted with the key of \(direction.rawValue)",
        expected: "the key of \(MessageDirection.accessoryToHost.rawValue)", subject: "direction")
    case .locked(let problem, let reason):
      take(problem, reason, what, Place(event), &report)
    }
  }

  private func take(
    _ problem: InternetRatchets.Problem, _ reason: String, _ what: FindingText, _ place: Place,
    _ report: inout RuleReport
  ) {
    switch problem {
    case .sentAgain:
      report.found(
        place, observed: "\(what), sent again", expected: "each message once", severity: .info,
        subject: "again")
    case .refused(.passed, let isNamed):
      report.found(
        place, observed: "another \(what), whose index was already used",
        expected: "each index once: its key is deleted after use",
        confidence: isNamed ? .likely : .possible, subject: "index")
    case .refused(.tagFails, let isNamed):
      report.found(
        place, observed: "\(what), which no key with its key ID decrypts",
        expected: "the key of AccessoryToHost and of this index",
        confidence: isNamed ? .likely : .possible, subject: "tag")
    case .noKey, .several, .refused(.beforeStart, _), .refused(.tooFar, _), .refused(.tooShort, _):
      report.cannotTell(place, "\(what): \(reason)", cause: "keys of the internet transport")
    }
  }
}
