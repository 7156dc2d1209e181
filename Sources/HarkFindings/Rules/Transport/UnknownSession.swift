import HarkCore
import HarkSession

struct UnknownSession: Rule {
  static let about = RuleDescription(
    id: "transport.unknown-session",
    title: "The accessory answers in a session that the phone never used",
    severity: .warning, needs: .sealedMessages,
    meaning:
      "The system knows no such session, or feature, for this accessory: the reply does not reach "
      + "the app.",
    source:
      "Apple, TransportMessage.sessionID: the UUID of the session that the phone sent with its "
      + "messages",
    fix:
      "Copy the session's UUID from the message that is answered; do not make one up or keep one of "
      + "another phone.")

  private var fromPhone = RecentValues<String, PacketID>(capacity: 256)
  private var phonesSeen = RecentValues<Owner, Bool>(capacity: 256)

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard case .accessory(let accessory) = event.content,
      case .message(let message) = accessory.content, !message.sessionID.isEmpty
    else { return }
    let id = message.sessionID.uppercased()
    if accessory.direction == .hostToAccessory {
      fromPhone.set(id, event.frames.last)
      phonesSeen.set(Owner(event, session), true)
      return
    }
    guard fromPhone[id] == nil else { return }
    let observed = "a reply in session \(message.sessionID)"
    guard phonesSeen[Owner(event, session)] != nil, session.link(event)?.certainty == .seen else {
      return report.cannotTell(
        Place(event), "\(observed): the phone may have used it before the capture began",
        subject: id)
    }
    report.missing(
      Place(event), observed: "\(observed), in which the phone sent nothing",
      expected: "a session of a message from the phone", subject: id)
  }
}
