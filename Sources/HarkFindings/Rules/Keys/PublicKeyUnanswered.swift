import HarkCore
import HarkCrypto
import HarkSession

struct PublicKeyUnanswered: Rule {
  static let about = RuleDescription(
    id: "keys.public-key-unanswered", title: "The public key was never answered",
    severity: .error, needs: .keyExchange,
    meaning:
      "The key exchange stops halfway: without an encapsulated key, neither side can derive "
      + "keys, and no notification can be decrypted. Either the phone's extension did not "
      + "pass the public key to the system, or it did not forward the encapsulated key that "
      + "it received.",
    source: "Apple, AccessoryTransportExtension: SecurityMessage (keyType publicKey, "
      + "encapsulatedKey), “Receiving iOS notifications on an accessory”",
    fix:
      "In the security extension, pass the public key to sendSecurityMessage, write the "
      + "resulting encapsulated key to the accessory, and call the completion only when it "
      + "has arrived.")

  private struct Pending {
    let place: Place
    let link: LinkID?
    let key: Fingerprint
    /// Whether messages came that need keys of an exchange before the capture.
    var isInUse = false
  }

  /// Phones answer in seconds; this leaves room for a dialog.
  private static let waitLimit = Int64.seconds(30)

  private var pending: [Owner: Pending] = [:]
  private var answered = RecentValues<Fingerprint, Bool>(capacity: 256)
  private var paired: Set<LinkID> = []
  private var reported = ReportedExchange()
  private var hasPaired = false

  mutating func tick(
    _ time: Timestamp, _ session: borrowing Session, _ report: inout RuleReport
  ) {
    for (owner, waiting) in pending
    where report.isOver(Self.waitLimit, since: waiting.place, at: time) {
      judge(owner, "no encapsulated key within 30 s", &report)
    }
  }

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    tick(event.captureTime(session), session, &report)
    if let unanswered = reported.take(event, waitLimit: Self.waitLimit) {
      judge(unanswered, &report)
    }
    switch event.content {
    case .security(.pairing(.complete)), .security(.pairing(.linkKey)):
      hasPaired = true
      if let link = event.link { paired.insert(link) }
    case .link(.closed):
      if let link = event.link { close(link, isLost: event.isLoss, &report) }
    case .accessory(let accessory): take(accessory, event, session, &report)
    // A write that was refused may have been the answer.
    case .attribute(.attError(let it))
    where it.pdu == .writeRequest || it.pdu == .executeWriteRequest:
      give(up: Owner(event, session), "a write from the phone was refused", &report)
    default: break
    }
  }

  private mutating func take(
    _ accessory: AccessoryEvent, _ event: Event, _ session: borrowing Session,
    _ report: inout RuleReport
  ) {
    let owner = Owner(event, session)
    switch accessory.content {
    case .publicKey(let key):
      guard key.defect == nil, answered[key.fingerprint] == nil, pending[owner] == nil else {
        return
      }
      pending[owner] = Pending(place: Place(event), link: event.link, key: key.fingerprint)
    case .encapsulatedKey(let key):
      if let key = key.publicKey ?? pending[owner]?.key { answered.set(key, true) }
      pending[owner] = nil
    case .message: pending[owner]?.isInUse = true
    case .unreadable where accessory.direction == .hostToAccessory,
      .incomplete where accessory.direction == .hostToAccessory,
      .blank where accessory.direction == .hostToAccessory:
      give(up: owner, "a message from the phone was not decoded", &report)
    default: break
    }
  }

  private mutating func give(
    up owner: Owner, _ reason: String, _ report: inout RuleReport
  ) {
    guard let waiting = pending.removeValue(forKey: owner), !waiting.isInUse else { return }
    report.cannotTell(waiting.place, "\(reason): it may be the answer")
  }

  private mutating func close(_ link: LinkID, isLost: Bool, _ report: inout RuleReport) {
    for (owner, waiting) in pending where waiting.link == link {
      if isLost, !waiting.isInUse {
        pending[owner] = nil
        report.cannotTell(waiting.place, "the link was lost before the phone had time to answer")
        continue
      }
      judge(owner, "the link closed without an encapsulated key", &report)
    }
    paired.remove(link)
  }

  private mutating func judge(_ owner: Owner, _ what: String, _ report: inout RuleReport) {
    guard let waiting = pending.removeValue(forKey: owner), !waiting.isInUse else { return }
    guard waiting.link.map(paired.contains) ?? true else {
      return report.cannotTell(
        waiting.place,
        "the capture has no pairing: the phone may have answered this public key before it began")
    }
    report.missing(
      waiting.place, observed: "public key \(waiting.key) announced; \(what)",
      expected: "an encapsulated key from the phone")
  }

  private func judge(_ unanswered: ReportedExchange.Unanswered, _ report: inout RuleReport) {
    guard hasPaired else {
      return report.cannotTell(
        unanswered.place,
        "the capture has no pairing: the phone may have answered this public key before it began")
    }
    report.missing(
      unanswered.place,
      observed: "\(unanswered.app.process ?? "the app") has a public key, but no encapsulated key "
        + "is logged within 30 s",
      expected: "an encapsulated key from the phone")
  }

  mutating func finish(_ session: borrowing Session, _ report: inout RuleReport) {
    for waiting in pending.values where !waiting.isInUse {
      report.cannotTell(waiting.place, "the capture ends before the phone had time to answer")
    }
    for place in reported.rest {
      report.cannotTell(place, "the log ends before the phone had time to answer")
    }
  }
}
