import HarkCore
import HarkSession

struct Unreadable: Rule {
  static let about = RuleDescription(
    id: "transport.unreadable", title: "A message is not one of its framing",
    severity: .warning, needs: .accessoryMessages,
    meaning:
      "The receiver cannot read it. Texts that break off or base64 that ends inside of a quantum "
      + "have lost a part; two objects in one message come from indications that follow each other "
      + "too fast.",
    source: "The vendor's framing; RFC 8259 (JSON); RFC 4648, 4 (base64)",
    fix:
      "Compare what was sent with what arrived: check lengths and checksums, begin a message only "
      + "once the one before was confirmed, and empty the buffer between messages.")
  static let wants: Set<Event.Family> = [.accessory]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard case .accessory(let accessory) = event.content,
      case .unreadable(let message) = accessory.content
    else { return }
    switch message.problem {
    // Of its own rule, and of none: the recorder's fault.
    case .keySize: return
    case .cutByCapture:
      return report.cannotTell(Place(event), FindingText(message.problem.words))
    default: break
    }
    // What is lost before a message of a stream shifts where the next one begins.
    let link = session.link(event)
    let start = link?.certainty == .seen ? link?.opened : nil
    if let gap = report.horizon.gap(since: start ?? PacketID(0)) {
      return report.cannotTell(Place(event), "\(gap): a part of the message may be there")
    }
    report.found(
      event, session, expected: "a whole message of \(accessory.framing)",
      subject: "\(accessory.direction.rawValue) \(message.problem.words.text)")
  }
}
