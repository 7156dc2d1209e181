import HarkCore
import HarkSession

struct Unreadable: Rule {
  static let about = RuleDescription(
    id: "transport.unreadable", title: "A message does not fit its framing",
    severity: .warning, needs: .accessoryMessages,
    meaning:
      "The receiver cannot decode it. Truncated text or base64 means a lost part; two "
      + "objects in one message mean that the receiver joined indications that follow each "
      + "other closely.",
    source: "The vendor's framing; RFC 8259 (JSON); RFC 4648, 4 (base64)",
    fix:
      "Compare the sent bytes with the received ones: check lengths and checksums, start a "
      + "message only after the previous one is confirmed, and empty the buffer between "
      + "messages.")
  static let wants: Set<Event.Family> = [.accessory]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard case .accessory(let accessory) = event.content else { return }
    if case .blank(let blank) = accessory.content, blank.subject == .value {
      return report.cannotTell(Place(event), "a message of nothing but zeros, as after redaction")
    }
    guard case .unreadable(let message) = accessory.content else { return }
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
    if let gap = report.coverage.gap(since: start ?? PacketID(0))
      ?? report.coverage.streamGap(event)
    {
      return report.cannotTell(Place(event), gap, "a part of the message may be in that gap")
    }
    let isUnknown = Self.isUnknown(message.problem)
    report.found(
      event, session,
      expected: isUnknown
        ? "a message that \(public: accessory.framing) describes"
        : "a complete \(public: accessory.framing) message",
      confidence: isUnknown ? .possible : .certain,
      subject: "\(accessory.direction.rawValue) \(message.problem.words.text)")
  }

  /// Whether the message may be right, and hark only does not know its kind.
  private static func isUnknown(_ problem: FramingProblem) -> Bool {
    switch problem {
    case .unknownType, .unknownValue, .unknownObject, .unknownArray: true
    default: false
    }
  }
}
