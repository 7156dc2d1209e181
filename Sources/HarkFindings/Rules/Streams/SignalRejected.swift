import HarkSession

struct SignalRejected: Rule {
  static let about = RuleDescription(
    id: "audio.signal-rejected", title: "A signal of a stream is rejected or not answered",
    severity: .warning, needs: .media,
    meaning:
      "The A2DP stream is not configured, opened or started as requested: there is no sound, or only after "
      + "another attempt, possibly with another codec.",
    source: "AVDTP 1.3, 8.20.6 (error codes), 8.19 (General Reject), 6 (states)",
    fix:
      "Name a stream end point from the last AVDTP_DISCOVER that is not in use, configure it within the "
      + "capabilities that it states, and send each signal only in a state that allows it. If a side "
      + "rejects capabilities that it stated, or does not answer, fix that side."
  )
  static let wants: Set<Event.Family> = [.audio]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    if case .audio(.signalUnanswered(let it)) = event.content {
      return report.missing(
        Place(event), observed: RuleReport.text(of: event, session), expected: "an answer",
        subject: "unanswered \(it.signal)")
    }
    // The other side's configuration remains.
    guard case .audio(.signalRejected(let it)) = event.content, !it.isCollision else { return }
    // Later versions have more signals; a device that does not know one is asked in another way.
    report.found(
      event, session,
      expected: it.error == nil
        ? "a signal that both sides know" : "a signal that the other side accepts",
      severity: it.error == nil ? .info : nil,
      subject: "\(it.signal) \(it.error.map { "\($0)" } ?? "")")
  }
}
