import HarkCrypto
import HarkSession

struct RepeatedMessage: Rule {
  static let about = RuleDescription(
    id: "keys.repeated-message", title: "An encrypted message was received twice",
    severity: .info, needs: .sealedMessages,
    meaning:
      "Nothing protects the order of messages, or prevents their replay: a notification may "
      + "appear twice. Soon after the first, it is usually a retry; on a later link, or much "
      + "later, it may be a replay.",
    source:
      "Apple, “Receiving iOS notifications on an accessory”: failed messages are sent "
      + "again; no sequence number over Bluetooth",
    fix:
      "Remember the IVs or digests of the last messages, and drop repetitions. Confirm "
      + "messages early enough to prevent retries.")
  static let wants: Set<Event.Family> = [.accessory]

  /// Senders try again within seconds.
  private static let retry = Int64.seconds(60)

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard case .accessory(let accessory) = event.content,
      case .observation(let odd) = accessory.content,
      case .duplicate(let packet) = odd.observation, let first = session.packets[packet]
    else { return }
    let later = report.elapsed(since: first.time, in: packet, event)
    // Without a time, nothing shows that it is more than another attempt.
    let isReplay = later ?? 0 > Self.retry || first.link != event.link
    report.found(
      event, session,
      observed: "the same bytes as in #\(public: packet.number)"
        + (later.map { ", \(public: Names.duration($0)) later" } ?? "")
        + (first.link == event.link ? "" : ", on another link"),
      expected: "each message once", severity: isReplay ? .warning : .info,
      confidence: .likely, subject: "\(accessory.direction.rawValue) \(isReplay)",
      frames: [packet])
  }
}
