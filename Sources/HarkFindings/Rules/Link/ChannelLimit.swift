import HarkCore
import HarkSession

struct ChannelLimit: Rule {
  static let about = RuleDescription(
    id: "link.channel-limit", title: "A device exceeded a limit of a channel",
    severity: .error, needs: .channels,
    meaning:
      "The receiver has to close the channel, and everything on its way is lost: an SDU, a K-frame, "
      + "the sum of credits or the number of I-frames without acknowledgement is larger than allowed, or "
      + "an SDU is longer than its first frame announces. In basic mode, it may drop the SDU instead. It "
      + "ignores a packet that gives 0 credits, and may drop I-frames while it is not ready.",
    source: "Core Specification, Vol 3, Part A, 3.4.3 (K-frames), 4.22 (MTU, MPS), 4.24 (credits), "
      + "5.1 (MTU), 8.4.1, 8.6 (I-frames); RFCOMM 1.2, 5.5.3 (maximum frame size)",
    fix:
      "Use the MTU, MPS and TxWindow that the peer requests, write the length of the whole SDU into its "
      + "first frame, and give only as many credits as frames were received: 1 to 65,535.")
  static let wants: Set<Event.Family> = [.channel, .rfcomm]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    if case .rfcomm(.frameTooLong(let it)) = event.content {
      return report.found(
        event, session, expected: "a frame with at most \(it.most) bytes", severity: .warning,
        confidence: .likely, subject: "RFCOMM \(it.byPeer)")
    }
    guard case .channel(.limitExceeded(let it)) = event.content else { return }
    // K-frames that the recorder lost used credits, and a reconfiguration may have allowed more.
    if it.limit != .noCredits, let gap = report.coverage.gap(since: it.channel.opened) {
      return report.cannotTell(
        Place(event), gap, "frames or another limit may be in that gap")
    }
    let expected: FindingText =
      switch it.limit {
      case .sduSize: "an SDU of at most \(it.most) bytes"
      case .frameSize: "a K-frame with at most \(it.most) bytes"
      case .sduLength: "an SDU with the \(it.most) bytes that its first frame announces"
      case .window: "at most \(it.most) unacknowledged I-frames"
      case .notReady: "no I-frame until the receiver is ready"
      case .credits: "at most \(it.most) credits in total"
      case .noCredits: "1 to \(it.most) credits"
      }
    report.found(
      event, session, expected: expected,
      severity: it.limit == .noCredits || it.limit == .notReady ? .warning : nil,
      confidence: .likely, subject: "\(it.limit.rawValue) \(it.byPeer)")
  }
}
