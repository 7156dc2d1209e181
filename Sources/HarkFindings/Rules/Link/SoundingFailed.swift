import HarkDissection
import HarkSession

struct SoundingFailed: Rule {
  static let about = RuleDescription(
    id: "link.sounding-failed", title: "Channel Sounding failed or was aborted",
    severity: .warning, needs: .links,
    meaning: "The devices cannot measure their distance, or only occasionally.",
    source:
      "Core Specification, Vol 4, Part E, 7.7.65.39 to 7.7.65.46 (events of Channel Sounding, "
      + "Procedure_Abort_Reason and Subevent_Abort_Reason); Vol 1, Part F, 2 (error codes)",
    fix:
      "Look at the status or the reason. Encrypt the link and enable Channel Sounding security before procedures. "
      + "0x1A: use only features that the peer's capabilities list. “No CS_SYNC received”: the devices are out of "
      + "range, or their schedules differ. Scheduling conflicts: use longer intervals or fewer other links."
  )
  static let wants: Set<Event.Family> = [.link, .linkLayer]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    // That two procedures collided is no refusal. Vol 6, Part B, 5.3
    if case .linkLayer(.rejected(let rejected)) = event.content, Self.isOfSounding(rejected.pdu),
      HCIErrorCode(rejected.error)?.isCollision != true
    {
      report.found(
        event, session, expected: "Channel Sounding that both controllers support and accept",
        subject: "\(rejected.opcode ?? 0) \(rejected.error ?? 0)")
    }
    guard case .link(.sounding(let sounding)) = event.content else { return }
    switch sounding {
    case .failed(let it):
      // The end of a link, which other rules judge.
      guard HCIErrorCode(it.status)?.isLoss != true else { return }
      report.found(
        event, session, expected: "Channel Sounding that both controllers support and accept",
        subject: "\(it.step.rawValue) \(it.status)")
    // A side ends procedures that work.
    case .aborted(let it) where it.isRequested: return
    case .aborted(let it):
      report.found(
        event, session, expected: "completed procedures and subevents",
        subject: "\(it.isProcedure) \(it.procedureReason) \(it.subeventReason)")
    case .security, .configuration, .procedures, .ended: return
    }
  }

  /// Vol 6, Part B, 5.1.23 to 5.1.28
  private static func isOfSounding(_ pdu: LLControlPDU.Opcode?) -> Bool {
    switch pdu {
    case .csCapabilitiesReq, .csConfigReq, .csReq, .csRsp, .csFAEReq, .csSecReq, .csTerminateReq:
      true
    default: false
    }
  }
}
