import HarkReport
import HarkSession

struct IsochronousGap: Rule {
  static let about = RuleDescription(
    id: "audio.isochronous-gap", title: "SDUs of an isochronous stream are missing",
    severity: .warning,
    meaning:
      "The listener hears a drop-out: an SDU was not sent in its interval, or was not received before "
      + "its time was over.",
    source:
      "Core Specification, Vol 4, Part E, 5.4.5 (Packet_Sequence_Number, Packet_Status_Flag, "
      + "ISO_SDU_Length); Vol 6, Part G (ISOAL)",
    fix:
      "Give the controller an SDU for every SDU interval, empty ones too; ask for more retransmissions "
      + "or a longer transport latency; look at what else the controller did at this time.")

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard case .isochronous(let content) = event.content else { return }
    let (handle, expected, confidence): (UInt16, String, Finding.Confidence)
    switch content {
    case .gap(let stream, _, _):
      (handle, expected, confidence) = (stream, "consecutive sequence numbers", .likely)
    // Before there is data, and after it, nothing is missed.
    case .lost(let stream, _, isBetween: true):
      (handle, expected, confidence) = (stream, "SDUs that are received whole", .certain)
    case .sduLength(let stream, let length, _):
      (handle, expected, confidence) = (stream, "\(length) bytes", .likely)
    default: return
    }
    if let gap = report.horizon.gap(since: event.frames.first) {
      return report.cannotTell(Place(event), "\(gap): the SDUs may be there")
    }
    report.found(
      event, session, expected: expected, confidence: confidence, subject: "\(handle)")
  }
}
