import HarkCore
import HarkDissection
import HarkSession

struct InsufficientSecurity: Rule {
  static let about = RuleDescription(
    id: "link.insufficient-security",
    title: "An attribute requires more security, which was never set up",
    severity: .error, needs: .attributes,
    meaning:
      "The value stays inaccessible: a refused client must pair or encrypt. This one did "
      + "not, its key is too weak, or it lacks authorization.",
    source:
      "Core Specification, Vol 3, Part F, 3.4.1.1 (errors 0x05, 0x08, 0x0C, 0x0F), Part C, 10.3",
    fix:
      "Pair after the error; if the link is already encrypted, pair with MITM protection or LE "
      + "Secure Connections as the attribute requires. Authorization needs the consent of the "
      + "server's user or application."
  )

  private struct Pending {
    let place: Place
    let observed: String
    let opened: PacketID
    let handle: UInt16
    let isEncrypted: Bool
    let isAuthorization: Bool
    /// Of the refusal, or of the last step towards security after it.
    var time: Timestamp
  }

  private static let ofSecurity: Set<ATTErrorCode> = [
    .insufficientAuthentication, .insufficientAuthorization, .encryptionKeySizeTooShort,
    .insufficientEncryption,
  ]
  private static let waitLimit = Int64.seconds(30)
  private static let most = 1_024

  private var pending: [LinkID: Pending] = [:]

  mutating func tick(
    _ time: Timestamp, _ session: borrowing Session, _ report: inout RuleReport
  ) {
    for (link, refusal) in pending
    where report.isOver(Self.waitLimit, since: refusal.place, at: time, from: refusal.time) {
      judge(link, "30 s later", &report)
    }
  }

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    tick(event.captureTime(session), session, &report)
    guard let link = event.link else { return }
    switch event.content {
    case .attribute(.attError(let it))
    where ATTErrorCode(rawValue: it.error).map(Self.ofSecurity.contains) == true:
      refused(it, link, event, session, &report)
    case .security(.encryption(let encryption)): if encryption.isOn { secured(link) }
    case .security(.pairing(.complete)): secured(link)
    // Other rules report that pairing failed.
    case .security(.pairing(.failed)), .security(.pairing(.timedOut)),
      .security(.encryptionFailed), .security(.authenticationFailed):
      secured(link)
    // Users take their time.
    case .security(.pairing), .security(.encryptionStarted): pending[link]?.time = event.time
    case .attribute(.value(let it)): if pending[link]?.handle == it.handle { pending[link] = nil }
    case .attribute(.subscription(let it)):
      if pending[link]?.handle == it.handle { pending[link] = nil }
    case .link(.closed):
      if event.isLoss { pending[link] = nil }
      judge(link, "when the link closed", &report)
    default: break
    }
  }

  private mutating func secured(_ link: LinkID) {
    if pending[link]?.isAuthorization == false { pending[link] = nil }
  }

  private mutating func refused(
    _ it: AttributeEvent.ATTError, _ link: LinkID, _ event: Event, _ session: borrowing Session,
    _ report: inout RuleReport
  ) {
    let attribute = Names.attribute(it.uuid, it.handle)
    let observed =
      "\(Names.request(it.pdu)) of \(attribute) refused: \(Names.attError(it.error, nil))"
    let state = session.links[Int(link.index)]
    let isAuthorization = ATTErrorCode(rawValue: it.error) == .insufficientAuthorization
    if !state.isEncrypted, !isAuthorization, let unseen = state.unseenBeginning {
      return report.cannotTell(
        Place(event), "\(observed); \(unseen): it may have been encrypted",
        cause: unseen.words, subject: attribute)
    }
    guard pending[link] == nil, pending.count < Self.most else { return }
    pending[link] = Pending(
      place: Place(event), observed: observed, opened: state.opened, handle: it.handle,
      isEncrypted: state.isEncrypted, isAuthorization: isAuthorization, time: event.time)
  }

  private mutating func judge(_ link: LinkID, _ when: String, _ report: inout RuleReport) {
    guard let refusal = pending.removeValue(forKey: link) else { return }
    if refusal.isAuthorization {
      report.missing(
        refusal.place, since: refusal.opened, observed: "\(refusal.observed), also \(when)",
        expected: "the consent of the server's user or application", severity: .warning,
        confidence: .possible)
    } else if refusal.isEncrypted {
      report.missing(
        refusal.place, since: refusal.opened,
        observed: "\(refusal.observed), on an encrypted link; no new pairing \(when)",
        expected: "a sufficiently strong key", severity: .warning)
    } else {
      report.missing(
        refusal.place, since: refusal.opened,
        observed: "\(refusal.observed); the link was not encrypted \(when)",
        expected: "pairing or encryption after the refusal")
    }
  }

  mutating func finish(_ session: borrowing Session, _ report: inout RuleReport) {
    for refusal in pending.values {
      report.cannotTell(
        refusal.place, "\(refusal.observed), and the capture ends soon after",
        cause: "the capture ends soon after")
    }
  }
}
