import HarkCore
import HarkDissection
import HarkSession

struct StreamFailed: Rule {
  static let about = RuleDescription(
    id: "audio.stream-failed", title: "An isochronous stream was not established, or was lost",
    severity: .error, needs: .isochronous,
    meaning: "There is no audio, or it stops.",
    source:
      "Core Specification, Vol 4, Part E, 7.7.65.25 (LE CIS Established), 7.7.65.27 to 7.7.65.30 "
      + "(broadcast isochronous groups), 7.8.102 (HCI_LE_Reject_CIS_Request), 7.8.106 (Broadcast_Code)",
    fix:
      "Look at the status: for a stream that was not established, at intervals and "
      + "retransmissions that do not fit into the schedule; for a lost stream, at the link "
      + "and the distance. A MIC failure of a broadcast means that the receiver has the wrong "
      + "Broadcast_Code.")

  /// A CIS, by its handle, or a broadcast group.
  private struct Goal: Hashable {
    let controller: UInt16?
    let number: UInt16
    var isGroup = false
  }

  /// A CIS by its identifiers, which belong to one Central. Vol 6, Part B, 4.5.13
  private struct Name: Equatable {
    let owner: Owner
    let cig: UInt8?
    let cis: UInt8?
  }

  /// What a side wants to establish.
  private struct Attempt {
    /// Nil over the air.
    let goal: Goal?
    /// Nil if unknown.
    let name: Name?

    /// A Peripheral may get another handle for the same CIS, or the same handle for another.
    func isSame(as other: Attempt) -> Bool {
      guard let name, let otherName = other.name else { return goal != nil && goal == other.goal }
      return name == otherName
    }
  }

  /// A controller reports both at once. Vol 6, Part B, 4.5.2
  private static let together = Int64.seconds(1)
  /// Hosts request a stream again whose first packets were not received, or that a side could not accept at the moment.
  /// Vol 6, Part B, 5.1.15
  private static let nextAttempt = Int64.seconds(5)
  private static let most = 64

  /// Streams that ended, until it is known whether their links were lost with them.
  private var ended: [(owner: Owner, finding: HeldFinding)] = []
  /// What was not established, with the last attempt, until it is known whether another one succeeds.
  private var failed: [(attempt: Attempt, last: Place, finding: HeldFinding)] = []
  /// Where the link to each device was last lost: a CIS ends with its own ACL connection.
  private var lost = RecentValues<Owner, Place>(capacity: 256)
  /// Streams that this host has just refused.
  private var refused = RecentValues<Goal, Bool>(capacity: 256)
  /// The last CIS that the Central requested with each handle.
  private var requested = RecentValues<Goal, Name>(capacity: 256)
  /// The last CIS that the Central of each link over the air requested.
  private var requestedOnAir = RecentValues<Owner, Name>(capacity: 256)

  mutating func tick(
    _ time: Timestamp, _ session: borrowing Session, _ report: inout RuleReport
  ) {
    let due = ended.take { !report.isSoon(Self.together, after: $0.finding.place, at: time) }
    for one in due { report.found(one.finding) }
    let over = failed.take { !report.isSoon(Self.nextAttempt, after: $0.last, at: time) }
    for one in over { report.found(one.finding) }
  }

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    tick(event.captureTime(session), session, &report)
    if event.isLoss {
      let owner = Owner(event, session)
      lost.set(owner, Place(event))
      ended.removeAll { $0.owner == owner }
    }
    if case .linkLayer(.isochronousStreamEnded(let ended)) = event.content, !ended.isWithACL,
      Self.isLoss(HCIErrorCode(ended.error))
    {
      report.found(
        event, session, expected: "a stream that one side ends", severity: .warning,
        subject: "lost \(ended.group ?? 0) \(ended.stream ?? 0)")
    }
    if case .linkLayer(let content) = event.content { take(content, event, session, &report) }
    guard case .isochronous(let content) = event.content else { return }
    switch content {
    case .requested(let it):
      let goal = Goal(controller: event.controller, number: it.handle)
      requested.set(
        goal, Name(owner: Owner(event, session), cig: it.name.cig, cis: it.name.cis))
      refused.set(goal, false)
    case .failed(let failed) where HCIErrorCode(failed.status) != .operationCancelledByHost:
      // The consequence of what was found.
      let stream = Goal(controller: event.controller, number: failed.handle)
      let wasRefused = refused[stream] == true
      refused.set(stream, false)
      if wasRefused { return }
      fail(
        Attempt(goal: stream, name: name(of: stream, event, session)), event, session,
        expected: "an established stream",
        isRetried: HCIErrorCode(failed.status) == .connectionFailedToBeEstablished,
        "\(failed.handle)", &report)
    case .groupFailed(let failed) where HCIErrorCode(failed.status) != .operationCancelledByHost:
      guard HCIErrorCode(failed.status) == .connectionFailedToBeEstablished else {
        return report.found(
          event, session, expected: "a working broadcast group", subject: "group \(failed.big)")
      }
      fail(
        Attempt(
          goal: Goal(
            controller: event.controller, number: UInt16(failed.big), isGroup: true), name: nil),
        event, session, expected: "a working broadcast group", isRetried: true,
        "group \(failed.big)", &report)
    case .established(let it):
      let name = it.name.map { Name(owner: Owner(event, session), cig: $0.cig, cis: $0.cis) }
      succeed(
        Attempt(goal: Goal(controller: event.controller, number: it.handle), name: name))
    case .group(let it):
      let goal = Goal(controller: event.controller, number: UInt16(it.big), isGroup: true)
      succeed(Attempt(goal: goal, name: nil))
    // The other side reads the reason as the status of its own stream.
    case .refused(let refused):
      let goal = Goal(controller: event.controller, number: refused.handle)
      self.refused.set(goal, true)
      fail(
        Attempt(goal: goal, name: name(of: goal, event, session)), event, session,
        expected: "a host that accepts the stream", severity: .warning,
        "refused \(refused.reason)", &report)
    case .ended(let ended) where Self.isLoss(HCIErrorCode(ended.reason)):
      let owner = Owner(event, session)
      if let loss = lost[owner], report.isSoon(Self.together, after: loss, at: event.time) {
        return
      }
      guard self.ended.count < Self.most else { return }
      let finding = HeldFinding(
        event, session, expected: "a stream that one side ends", severity: .warning,
        subject: "lost \(ended.handle)")
      self.ended.append((owner, finding))
    case .groupEnded(let group) where Self.isLoss(HCIErrorCode(group.reason)):
      // 0x3D: the data cannot be decrypted.
      let isLocked = HCIErrorCode(group.reason) == .connectionTerminatedDueToMICFailure
      report.found(
        event, session,
        expected: isLocked
          ? "the Broadcast_Code of the source" : "a broadcast that its source ends",
        severity: isLocked ? .error : .warning, subject: "group \(group.big) \(isLocked)")
    default: break
    }
  }

  /// LL_CIS_REQ, and what becomes of it over the air.
  private mutating func take(
    _ content: LinkLayerEvent, _ event: Event, _ session: borrowing Session,
    _ report: inout RuleReport
  ) {
    let owner = Owner(event, session)
    switch content {
    case .isochronousStream(let it):
      requestedOnAir.set(owner, Name(owner: owner, cig: it.group, cis: it.stream))
    case .isochronousStreamAddress(let it) where it.group != nil:
      succeed(Attempt(goal: nil, name: Name(owner: owner, cig: it.group, cis: it.stream)))
    // LL_REJECT_EXT_IND or LL_UNKNOWN_RSP. That two procedures collided is no refusal. Vol 6, Part B, 5.1.15, 5.3
    case .rejected(let rejected)
    where (rejected.pdu == .cisReq || rejected.pdu == .cisRsp)
      && HCIErrorCode(rejected.error)?.isCollision != true:
      fail(
        Attempt(goal: nil, name: requestedOnAir[owner]), event, session,
        expected: "a side that accepts the stream", severity: .warning,
        "rejected \(rejected.error ?? 0)", &report)
    default: break
    }
  }

  private static func isLoss(_ reason: HCIErrorCode?) -> Bool { reason?.isLoss == true }

  /// What the Central of a link requested with a handle, unless another link had the handle then.
  private func name(of goal: Goal, _ event: Event, _ session: borrowing Session) -> Name? {
    requested[goal].flatMap { $0.owner == Owner(event, session) ? $0 : nil }
  }

  /// - Parameter isRetried: Whether hosts try it again and again: then the last attempt counts.
  private mutating func fail(
    _ attempt: Attempt, _ event: Event, _ session: borrowing Session, expected: FindingText,
    severity: Finding.Severity? = nil, isRetried: Bool = false, _ subject: String,
    _ report: inout RuleReport
  ) {
    let finding = HeldFinding(
      event, session, expected: expected, severity: severity, subject: subject)
    guard failed.count < Self.most else { return report.found(finding) }
    if isRetried {
      for index in failed.indices where failed[index].attempt.isSame(as: attempt) {
        failed[index].last = finding.place
      }
    }
    failed.append((attempt, finding.place, finding))
  }

  private mutating func succeed(_ attempt: Attempt) {
    failed.removeAll { $0.attempt.isSame(as: attempt) }
  }

  mutating func finish(_ session: borrowing Session, _ report: inout RuleReport) {
    for one in ended { report.found(one.finding) }
    for one in failed { report.found(one.finding) }
  }
}
