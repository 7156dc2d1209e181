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
      "Compare the sent bytes with the received ones: check lengths, their byte order and checksums, start a "
      + "message only after the previous one is confirmed, and empty the buffer between "
      + "messages.")
  static let wants: Set<Event.Family> = [.accessory]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard case .accessory(let accessory) = event.content else { return }
    if case .blank(let blank) = accessory.content, blank.subject == .value {
      return report.cannotTell(Place(event), "a message of nothing but zeros, as after redaction")
    }
    if case .message(let message) = accessory.content,
      let problem = message.opened?.decoded.problem
    {
      return take(problem, accessory, event, session, &report)
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

  /// Takes what is wrong with a plaintext: the key fits, so that the sender wrote it like this. A profile may describe it
  /// wrongly.
  private func take(
    _ problem: PlaintextProblem, _ accessory: AccessoryEvent, _ event: Event,
    _ session: borrowing Session, _ report: inout RuleReport
  ) {
    var expected: FindingText = "a complete plaintext of \(public: accessory.framing)"
    var confidence = Finding.Confidence.likely
    switch problem {
    case .tooShort(_, _, let needed, let available):
      let isReversed = UInt16(exactly: needed).map { Int($0.byteSwapped) == available }
      if isReversed == true {
        expected =
          "a length of \(public: available), which is \(public: needed) with its two bytes reversed"
      }
    case .json(let problem) where !Self.isUnknown(problem): break
    // A later version of the vendor's plaintext may have more, or none at all.
    case .json, .trailing, .empty: confidence = .possible
    case .unknownType, .version: return
    }
    report.found(
      event, session, expected: expected, confidence: confidence,
      subject: "plaintext \(accessory.direction.rawValue)")
  }

  /// Whether the message may be right, and hark only does not know its kind.
  private static func isUnknown(_ problem: FramingProblem) -> Bool {
    switch problem {
    case .unknownType, .unknownValue, .unknownObject, .unknownArray: true
    default: false
    }
  }
}
