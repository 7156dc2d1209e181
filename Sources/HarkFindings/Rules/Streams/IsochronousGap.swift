import HarkSession

struct IsochronousGap: Rule {
  static let about = RuleDescription(
    id: "audio.isochronous-gap", title: "SDUs of an isochronous stream are missing, or too long",
    severity: .warning, needs: .isochronous,
    meaning:
      "The listener hears a dropout if an SDU was not sent in its interval, or not received "
      + "in time, or if its time stamp goes back. If only its number is missing from the controller's data to "
      + "the host, the recorder may have lost it. The controller discards an SDU that is longer than Max_SDU.",
    source:
      "Core Specification, Vol 4, Part E, 5.4.5 (Time_Stamp, Packet_Sequence_Number, "
      + "Packet_Status_Flag, ISO_SDU_Length); Vol 6, Part G (ISOAL)",
    fix:
      "Give the controller one SDU per SDU interval, even if empty; request more "
      + "retransmissions or a longer transport latency; check what else the controller did at "
      + "this time.")
  static let wants: Set<Event.Family> = [.isochronous]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard case .isochronous(let content) = event.content else { return }
    if let gap = report.coverage.gap(near: event), !content.isOwnMistake {
      guard let handle = Self.handle(content) else { return }
      return report.cannotTell(
        Place(event), gap, "the SDUs may be in that gap", subject: "\(handle)")
    }
    switch content {
    case .gap(let gap) where gap.isSent:
      report.found(
        event, session, expected: "consecutive sequence numbers", confidence: .likely,
        subject: "\(gap.handle) sent")
    // A controller reports what it did not receive: the SDU is lost after it.
    case .gap(let gap):
      report.found(
        event, session, expected: "an SDU, or a report that it was not received, for each number",
        severity: .info, confidence: .possible, subject: "\(gap.handle) number")
    // Before there is data, and after it, nothing is missed.
    case .lost(let lost) where lost.isBetween:
      let isDoubtful = lost.doubtful == lost.count
      report.found(
        event, session, expected: "completely received SDUs",
        subject: "\(lost.handle) \(isDoubtful ? "doubtful" : "lost")")
    case .sduLength(let length):
      report.found(
        event, session, expected: "\(public: Names.count(length.expected, "byte"))",
        confidence: .likely,
        subject: "\(length.handle) length")
    case .sduTooLong(let sdu):
      report.found(
        event, session,
        expected: "at most \(public: Names.count(Int(sdu.most), "byte")), as the stream was set up",
        confidence: .certain, subject: "\(sdu.handle) most")
    // Controllers without a clock, and redacted captures, have the same time stamp in all SDUs.
    case .timestampBack(let back) where back.microseconds > 0:
      report.found(
        event, session, expected: "a later Time_Stamp for each SDU", confidence: .likely,
        subject: "\(back.handle) time")
    default: break
    }
  }

  /// The stream of what may be no loss where the capture has gaps.
  private static func handle(_ content: IsochronousEvent) -> UInt16? {
    switch content {
    case .gap(let gap): gap.handle
    case .lost(let lost) where lost.isBetween: lost.handle
    case .sduLength(let length): length.handle
    case .timestampBack(let back) where back.microseconds > 0: back.handle
    default: nil
    }
  }
}

extension IsochronousEvent {
  /// Whether the packet alone shows it.
  fileprivate var isOwnMistake: Bool { if case .sduTooLong = self { true } else { false } }
}
