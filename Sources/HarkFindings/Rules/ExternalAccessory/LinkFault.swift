import HarkSession

struct LinkFault: Rule {
  static let about = RuleDescription(
    id: "ea.link-fault", title: "The iAP2 link protocol was violated",
    severity: .warning, needs: .externalAccessory,
    meaning: "Packets are dropped or the link is reset: apps see streams that stall or end.",
    source: "iAP2 link layer: window, packet length, checksums, sessions of the SYN packet, reset",
    fix:
      "Number the packets one by one. Send no more packets and no longer packets than the other side allows, and use only "
      + "the negotiated checksums and sessions. Send only your side's messages. Acknowledge only what arrived, and check the "
      + "lengths of messages and parameters: they are sent most significant byte first."
  )
  static let wants: Set<Event.Family> = [.iap2]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard case .iap2(let content) = event.content else { return }
    let (expected, subject): (FindingText, String)
    switch content {
    case .windowExceeded(let it):
      (expected, subject) = (
        "at most \(public: Names.count(it.allowed, "packet")) outstanding", "window"
      )
    case .wrongChecksum: (expected, subject) = ("a payload that sums to 0", "checksum")
    case .undeclaredSession: (expected, subject) = ("a session of the SYN packet", "session")
    case .externalAccessory(.stray(let it)):
      let reversed = Int(it.sessionIdentifier.byteSwapped)
      (expected, subject) =
        it.isReversed
        ? ("session \(public: reversed), most significant byte first", "byte order")
        : ("data only for an open External Accessory session", "not open")
    case .retransmitted(let it):
      guard it.hasOtherPayload else { return }
      (expected, subject) = ("a new sequence number for each packet", "number")
    case .missing: (expected, subject) = ("every packet, in order", "missing")
    case .wanted: (expected, subject) = ("no gap at the receiver", "wanted")
    case .incompleteMessage(let it):
      (expected, subject) = (
        it.hasStart ? "the whole message" : "a message, which begins with 40 40", "message"
      )
    case .garbage(let it):
      if it.isBlank {
        return report.cannotTell(
          Place(event), RuleReport.text(of: event, session), subject: "garbage")
      }
      (expected, subject) = ("consecutive frames", "garbage")
    case .frameIncomplete(let it):
      (expected, subject) = ("a whole frame", it.isFollowed ? "frame" : "last frame")
    case .unacknowledged: (expected, subject) = ("every packet acknowledged", "acknowledged")
    case .packetTooLong(let it):
      (expected, subject) = (
        "packets of at most \(public: Names.count(it.allowed, "byte"))", "length"
      )
    case .acknowledgedUnsent:
      (expected, subject) = ("acknowledgements of packets that were sent", "unsent")
    case .wrongSender(let it):
      guard event.severity > .info else { return }
      (expected, subject) = (
        "messages of the \(it.isFromAccessory ? "accessory" : "Apple device")", "sender"
      )
    case .malformedMessage(let it):
      if case .reversedLength(_, let length) = it.problem {
        (expected, subject) = (
          "a length of \(public: length), most significant byte first", "length order"
        )
        break
      }
      (expected, subject) = ("a message with complete parameters", "malformed")
    case .externalAccessory(.dataTooShort):
      (expected, subject) = ("data after the session identifier", "too short")
    case .externalAccessory(.unknown(let it)):
      // Both sides may end a session at the same time.
      guard !it.wasOpen else { return }
      (expected, subject) = ("an open External Accessory session", "unknown")
    case .reset: (expected, subject) = ("a link that lasts", "reset")
    default: return
    }
    if let unseen = session.link(event)?.unseenBeginning,
      ["session", "message", "garbage", "missing", "frame"].contains(subject)
    {
      return report.cannotTell(Place(event), unseen, subject: subject)
    }
    let observed = RuleReport.text(of: event, session)
    if ["message", "garbage", "acknowledged", "last frame"].contains(subject) {
      report.missingAtEnd(
        event, session, observed: observed, expected: expected, subject: subject)
    } else {
      // Some faults are in the packet; of the others a part may be where something is lost.
      let isInPacket = [
        "checksum", "reset", "length", "length order", "malformed", "too short", "sender",
      ].contains(subject)
      report.missing(
        Place(event), since: isInPacket ? nil : session.link(event)?.opened, observed: observed,
        expected: expected, subject: subject)
    }
  }
}
