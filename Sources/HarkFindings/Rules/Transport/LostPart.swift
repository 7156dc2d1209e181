import HarkCrypto
import HarkSession

struct LostPart: Rule {
  static let about = RuleDescription(
    id: "transport.lost-part", title: "Parts of a message are missing or out of order",
    severity: .warning, needs: .accessoryMessages,
    meaning: "The receiver waits for the rest, or joins two messages: the message is lost.",
    source:
      "The vendor's framing; Core Specification, Vol 3, Part F, 3.4.5.3: a server silently "
      + "ignores an ATT_WRITE_CMD that it cannot handle; RFC 9293, 3.4: TCP delivers all bytes in order",
    fix:
      "Over GATT, send the next part once the previous one is handled: wait for "
      + "canSendWriteWithoutResponse and for confirmations of indications, or write with response. "
      + "Over L2CAP, RFCOMM and TCP, write all bytes of a message, even if a call accepts only some of "
      + "them, before another message begins.")
  static let wants: Set<Event.Family> = [.accessory]

  /// The sender of the parts.
  private struct Sender: Hashable {
    let link: LinkID?
    let device: DeviceID?
    let direction: MessageDirection
  }

  /// Last parts whose first may come after them.
  private var strays: [Sender: Event] = [:]
  private static let most = 64
  /// Parts that change places do so at once, in nanoseconds.
  private static let longest: Int64 = 2_000_000_000

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard case .accessory(let accessory) = event.content else { return }
    let sender = Sender(link: event.link, device: event.device, direction: accessory.direction)
    let stray = strays.removeValue(forKey: sender)
    guard case .incomplete(let gap) = accessory.content else {
      if let stray { lost(stray, session, &report) }
      return
    }
    if let stray {
      if Self.isFirst(event, gap, after: stray, session) {
        return report.found(
          stray, session,
          observed:
            "parts in the wrong order: the last one (#\(stray.frames.last.number)) arrived before "
            + "the first one (#\(event.frames.first.number))",
          expected: "all parts in order", confidence: .likely, subject: accessory.direction.rawValue
        )
      }
      lost(stray, session, &report)
    }
    switch gap {
    case .noAnswer, .repeated, .begunAgain, .rest: return
    case .startWithoutEnd(.captureEnded), .moreWithoutLast(.captureEnded),
      .outsideMessage(.captureEnded):
      return report.cannotTell(Place(event), "a message is incomplete when the capture ends")
    case .startWithoutEnd(.dataMissing), .moreWithoutLast(.dataMissing),
      .outsideMessage(.dataMissing):
      return report.cannotTell(Place(event), "packets with the rest may be missing")
    case .endWithoutStart, .continuationWithoutFirst, .outsideMessage:
      guard session.link(event)?.certainty != .inferred else {
        return report.cannotTell(
          Place(event), "the end of a message that may start before the capture")
      }
    default: break
    }
    if let hole = report.coverage.gap(near: event) {
      return report.cannotTell(Place(event), hole, "the part may be in that gap")
    }
    switch gap {
    case .endWithoutStart where strays.count < Self.most,
      .continuationWithoutFirst where strays.count < Self.most:
      strays[sender] = event
    default: lost(event, session, &report)
    }
  }

  /// Whether a message that never ended begins right after a last part.
  private static func isFirst(
    _ event: Event, _ gap: Gap, after stray: Event, _ session: borrowing Session
  ) -> Bool {
    switch gap {
    case .startWithoutEnd, .moreWithoutLast:
      guard event.frames.first > stray.frames.last else { return false }
      let elapsed = session.elapsed(
        from: stray.time, in: stray.frames.last, to: event.time.adding(-event.lag),
        in: event.frames.first)
      return elapsed.map { $0 < longest } ?? false
    default: return false
    }
  }

  private func lost(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard case .accessory(let accessory) = event.content else { return }
    report.found(
      event, session, expected: "all parts in order", subject: accessory.direction.rawValue)
  }

  mutating func finish(_ session: borrowing Session, _ report: inout RuleReport) {
    for stray in strays.values.sorted(by: { $0.frames.first < $1.frames.first }) {
      lost(stray, session, &report)
    }
    strays = [:]
  }
}
