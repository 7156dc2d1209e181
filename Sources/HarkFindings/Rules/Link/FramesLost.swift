import HarkCore
import HarkSession

struct FramesLost: Rule {
  static let about = RuleDescription(
    id: "link.frames-lost", title: "Frames of a channel are missing or damaged",
    severity: .info, needs: .links,
    meaning:
      "An SDU never completed, or the receiver discards a frame with a wrong FCS or with more bytes than its PDU "
      + "Length states: its message is lost, unless it is retransmitted.",
    source:
      "Core Specification, Vol 3, Part A, 3.1 (PDU Length), 3.3.5 (FCS), 3.4 (K-frames), 8.6 (retransmission); TS 27.010, 5.2.1.6 "
      + "(FCS of RFCOMM)",
    fix:
      "Compare with a capture of the other side: the frame was lost by the recorder, the controller or "
      + "the stack.")
  static let wants: Set<Event.Family> = [.channel, .capture, .rfcomm]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    switch event.content {
    case .rfcomm(.wrongFCS(let it)):
      report.found(
        event, session, expected: "a frame with the right FCS", severity: .warning,
        subject: "FCS \(it.byPeer)")
    case .channel(.frameDamaged(let it)):
      report.found(
        event, session, expected: "a frame with the right FCS", severity: .warning,
        subject: "L2CAP FCS \(it.byPeer)")
    case .channel(.excess(let it)):
      report.found(
        event, session, expected: "as many bytes as the PDU Length states", severity: .warning,
        confidence: .likely, subject: "excess \(it.cid) \(it.byPeer == true)")
    // The rest was never sent.
    case .capture(.incompletePDU(let pdu)) where pdu.isAtEnd: return
    case .channel(.framesMissing), .capture(.incompletePDU):
      if let gap = report.coverage.gap(near: event) {
        return report.cannotTell(Place(event), gap, "the frames may be in that gap")
      }
      if let unseen = session.link(event)?.unseenBeginning {
        return report.cannotTell(Place(event), "\(unseen): the frames may precede it")
      }
      report.found(
        event, session, expected: "every frame, in order", confidence: .possible)
      report.deferLast(event, session)
    default: break
    }
  }
}
