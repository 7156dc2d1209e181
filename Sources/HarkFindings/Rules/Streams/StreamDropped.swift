import HarkCore
import HarkSession

struct StreamDropped: Rule {
  static let about = RuleDescription(
    id: "audio.stream-dropped", title: "An audio stream ends although the devices stay connected",
    severity: .warning, needs: .media,
    meaning:
      "The sound stops: a channel of the stream was closed while media were sent, and no signal closed the stream "
      + "before.",
    source: "AVDTP 1.3, 6 (stream procedures) and 8 (AVDTP_CLOSE, AVDTP_ABORT)",
    fix:
      "Find out which side closed the channel. It should suspend or close the stream with a signal first; if an "
      + "L2CAP error closed the channel, fix that error.")

  /// A side that ends the link closes its channels before that.
  private static let together = Int64.seconds(2)
  private static let most = 64
  private var ended: [(link: LinkID?, opened: PacketID?, finding: HeldFinding)] = []

  mutating func tick(
    _ time: Timestamp, _ session: borrowing Session, _ report: inout RuleReport
  ) {
    let over = ended.take { report.isOver(Self.together, since: $0.finding.place, at: time) }
    for one in over { report.missing(one.finding, since: one.opened) }
  }

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    tick(event.captureTime(session), session, &report)
    switch event.content {
    case .audio(.ended(let it)) where event.severity > .info && it.stream.state == .streaming:
      guard ended.count < Self.most else { return }
      let finding = HeldFinding(
        event, session, expected: "AVDTP_CLOSE before the end of a channel", confidence: .likely,
        subject: "dropped")
      ended.append((event.link, session.link(event)?.opened, finding))
    case .link(.closed): ended.removeAll { $0.link == event.link }
    default: break
    }
  }

  mutating func finish(_ session: borrowing Session, _ report: inout RuleReport) {
    for one in ended {
      report.cannotTell(one.finding.place, "the capture ends here: the link may have ended, too")
    }
  }
}
