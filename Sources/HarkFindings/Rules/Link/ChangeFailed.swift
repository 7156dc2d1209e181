import HarkDissection
import HarkSession

struct ChangeFailed: Rule {
  static let about = RuleDescription(
    id: "link.change-failed", title: "A requested change of a link failed",
    severity: .info, needs: .links,
    meaning:
      "The link stays as it was: it keeps its interval, PHY, subrate, frame space, mode, roles or encryption key, "
      + "or it is still open. That can cost range, throughput or power.",
    source:
      "Core Specification, Vol 4, Part E, 7.7.5, 7.7.18, 7.7.20, 7.7.36, 7.7.37, 7.7.39, 7.7.65.3, 7.7.65.12, 7.7.65.35 (events "
      + "that report a change, and their Status); Vol 1, Part F, 2 (error codes)",
    fix:
      "Look at the status. 0x1A: the peer does not support the change, so do not request it. 0x23, 0x2A: both "
      + "sides requested one at the same time, so request it again. 0x21, 0x24: the peer does not allow it now."
  )
  static let wants: Set<Event.Family> = [.link, .security, .linkLayer]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    let (status, what): (UInt8, FindingText)
    switch event.content {
    case .link(.change(.parametersFailed(let it))):
      (status, what) = (it.status, "the requested connection parameters")
    case .link(.change(.phyFailed(let it))): (status, what) = (it.status, "the requested PHY")
    case .link(.change(.subrateFailed(let it))):
      (status, what) = (it.status, "the requested subrate")
    case .link(.change(.rateFailed(let it))):
      (status, what) = (it.status, "the requested connection rate")
    case .link(.change(.frameSpaceFailed(let it))):
      (status, what) = (it.status, "the requested frame space")
    case .link(.change(.modeFailed(let it))):
      (status, what) = (
        it.status, it.isSubrating ? "the requested sniff subrating" : "the requested mode"
      )
    case .link(.change(.synchronousFailed(let it))):
      (status, what) = (it.status, "the requested parameters of the synchronous link")
    case .link(.change(.roleFailed(let it))): (status, what) = (it.status, "the requested role")
    case .link(.closeFailed(let it)): (status, what) = (it.status, "the end of the link")
    case .security(.encryptionNotRefreshed(let it)):
      (status, what) = (it.status, "a new encryption key")
    case .linkLayer(.rejected(let it)):
      // Both sides requested the same: one of the procedures goes on, and decides. Vol 6, Part B, 5.3
      guard let change = Self.change(it.pdu),
        HCIErrorCode(it.error) != .llProcedureCollision
      else { return }
      // LL_UNKNOWN_RSP: Unsupported Remote Feature.
      (status, what) = (it.error ?? 0x1A, change)
    default: return
    }
    // The link ends or has ended, which other rules judge.
    let error = HCIErrorCode(status)
    guard error?.isLoss != true, error != .unknownConnectionIdentifier else { return }
    report.found(event, session, expected: what, subject: "\(what.text) \(status)")
  }

  /// What a PDU of the Link Layer requests, as far as no other rule judges its refusal. Vol 6, Part B, 5.1
  private static func change(_ pdu: LLControlPDU.Opcode?) -> FindingText? {
    switch pdu {
    case .phyReq, .phyRsp, .phyUpdateInd: "the requested PHY"
    case .subrateReq, .subrateInd: "the requested subrate"
    case .frameSpaceReq: "the requested frame space"
    default: nil
    }
  }
}
