import HarkReport
import HarkSession

struct LostPart: Rule {
  static let about = RuleDescription(
    id: "transport.lost-part", title: "A part of a message is missing",
    severity: .warning, needs: .accessoryMessages,
    meaning: "The receiver waits for the rest, or puts two messages together: the message is lost.",
    source:
      "The vendor's framing; Core Specification, Vol 3, Part F, 3.4.5.3: an ATT_WRITE_CMD that "
      + "cannot be taken is ignored without a word",
    fix:
      "Send the next part once the one before is taken: wait for canSendWriteWithoutResponse and "
      + "for confirmations of indications, or write with response.")

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard case .accessory(let accessory) = event.content,
      case .incomplete(let gap) = accessory.content
    else { return }
    switch gap {
    case .noAnswer: return
    case .startWithoutEnd(.captureEnded), .moreWithoutLast(.captureEnded),
      .outsideMessage(.captureEnded):
      return report.cannotTell(Place(event), "a message is under way when the capture ends")
    case .endWithoutStart, .continuationWithoutFirst, .outsideMessage:
      guard session.link(event)?.certainty != .inferred else {
        return report.cannotTell(
          Place(event), "the end of a message whose beginning may be before the capture")
      }
    default: break
    }
    if let hole = report.horizon.gap(near: event) {
      return report.cannotTell(Place(event), "\(hole): the part may be there")
    }
    report.found(
      event, session, expected: "all parts in order", subject: accessory.direction.rawValue)
  }
}
