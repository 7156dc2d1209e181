import HarkCore
import HarkCrypto
import HarkSession

struct SentAgain: Rule {
  static let about = RuleDescription(
    id: "transport.sent-again", title: "Messages or their receipt identifiers are repeated",
    severity: .info, needs: [.sealedMessages, .sessions],
    meaning:
      "The first attempt failed, or its receipt was late: transfers take longer, and an "
      + "accessory that accepted the first attempt has the message twice. If several messages share a "
      + "receipt identifier, a receipt does not show which of them was accepted.",
    source:
      "Apple, AccessoryMessage.Error.transportFailed (the system tries again); the vendor's framing "
      + "(receipts)",
    fix:
      "Look at the first attempt: a missing or late receipt, a lost part, a refused write. "
      + "Confirm early, and let the receiver drop repetitions. Use a receipt identifier again only after "
      + "its receipt has arrived.")
  static let wants: Set<Event.Family> = [.accessory, .app]

  /// A message, or what failed.
  private struct Attempt {
    let frame: PacketID
    let time: Timestamp
    private var size: Int?
    /// Of what it says; nil if no key decrypts it.
    private var plaintext: Int?

    init(frame: PacketID, time: Timestamp) { (self.frame, self.time) = (frame, time) }

    init(_ event: Event, _ message: TransportedMessage) {
      (frame, time, size) = (event.frames.last, event.time, message.size)
      plaintext = message.opened.flatMap { $0.plaintext.isEmpty ? nil : $0.plaintext.hashValue }
    }

    /// Whether it is certainly not the same message: encrypted again, that has other bytes of the same number.
    func isOther(than earlier: Attempt) -> Bool {
      if let plaintext, let before = earlier.plaintext { return plaintext != before }
      guard let size, let before = earlier.size else { return false }
      return size != before
    }
  }

  /// Senders try again within seconds.
  private static let retry = Int64.seconds(60)
  /// So many are no accident.
  private static let many = 3

  private var receipts = RecentValues<ReceiptID, Attempt>(capacity: 256)
  /// Sessions whose last message failed.
  private var failed = RecentValues<SessionName, Attempt?>(capacity: 64)
  private var counts = RecentValues<Owner, Int>(capacity: 256)

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    for (step, id) in event.transportSteps {
      switch step {
      case .completed(.failure(.transportFailed)):
        failed.set(
          SessionName(id ?? "", event, session), Attempt(frame: event.frames.last, time: event.time)
        )
      case .completed, .sessionRequest: failed.set(SessionName(id ?? "", event, session), nil)
      case .messageReceived(let message) where event.app != nil:
        afterFailure(message.sessionID, event, session, &report)
      default: break
      }
    }
    guard case .accessory(let accessory) = event.content else { return }
    switch accessory.content {
    case .encapsulatedKey(let key):
      // An earlier key that replaces a later one is no retry.
      guard let packet = key.repeats, key.replaces == nil else { return }
      found(
        "the encapsulated key of #\(packet.number)", .certain, "key", packet, event, session,
        &report)
    case .message(let message):
      // The same bytes again have a rule of their own.
      guard !message.observations.contains(where: Self.isDuplicate) else { return }
      if accessory.direction == .hostToAccessory {
        afterFailure(message.sessionID, event, session, &report)
      }
      guard let receipt = message.receiptID else { return }
      let attempt = Attempt(event, message)
      let key = ReceiptID(receipt, expectedBy: accessory.direction, event)
      guard let earlier = receipts.set(key, attempt),
        let waited = report.elapsed(since: earlier.time, in: earlier.frame, event),
        waited <= Self.retry
      else { return }
      if attempt.isOther(than: earlier) {
        return report.found(
          event, session,
          observed:
            "receipt identifier “\(receipt)” of #\(earlier.frame.number) used for another message",
          expected: "a different receipt identifier for each message", severity: .warning,
          subject: "reused", frames: [earlier.frame])
      }
      found(
        "the message of #\(earlier.frame.number) with receipt “\(receipt)”", .certain, "receipt",
        earlier.frame, event, session, &report)
    case .accepted(let acceptance):
      // Identifiers of completed messages may be used again.
      let key = ReceiptID(
        acceptance.receiptID, expectedBy: accessory.direction.opposite, event)
      receipts.set(key, Attempt(frame: event.frames.last, time: Timestamp(nanoseconds: 0)))
    default: break
    }
  }

  private static func isDuplicate(_ observation: Observation) -> Bool {
    if case .duplicate = observation { true } else { false }
  }

  private mutating func afterFailure(
    _ id: String, _ event: Event, _ session: borrowing Session, _ report: inout RuleReport
  ) {
    let name = SessionName(id, event, session)
    for name in [name, name.inLogs] {
      guard let attempt = failed[name] ?? nil else { continue }
      failed.set(name, nil)
      guard let waited = report.elapsed(since: attempt.time, in: attempt.frame, event),
        waited <= Self.retry
      else { continue }
      return found(
        "a message of session \(id) after transportFailed", .likely, "failed", attempt.frame, event,
        session, &report)
    }
  }

  private mutating func found(
    _ what: FindingText, _ confidence: Finding.Confidence, _ subject: String, _ packet: PacketID,
    _ event: Event, _ session: borrowing Session, _ report: inout RuleReport
  ) {
    let owner = Owner(event, session)
    let count = (counts[owner] ?? 0) + 1
    counts.set(owner, count)
    let time = session.packets[packet]?.time
    report.found(
      event, session,
      observed: what + " again"
        + (time.flatMap { report.elapsed(since: $0, in: packet, event) }
          .map { ", \(public: Names.duration($0)) later" } ?? ""),
      expected: "each message once", severity: count >= Self.many ? .warning : .info,
      confidence: event.app == nil ? confidence : .likely, subject: subject,
      frames: packet.number > 0 ? [packet] : [])
  }
}
