import HarkCore
import HarkDissection
import HarkSession

struct EncryptionFailed: Rule {
  static let about = RuleDescription(
    id: "link.encryption-failed", title: "The link could not be encrypted",
    severity: .error, needs: .pairing,
    meaning: "Everything that needs an encrypted link is refused: keys, notifications, ANCS, Wi-Fi "
      + "sharing.",
    source: "Core Specification, Vol 4, Part E, 7.7.8 (HCI_Encryption_Change), 7.7.6 "
      + "(HCI_Authentication_Complete)",
    fix:
      "Look at the status; if the link closed meanwhile, find out why. A MIC failure (0x3D) means that the "
      + "sides have different keys: after a pairing, compare how each computes the LTK.")

  private struct Failed {
    let finding: HeldFinding
    let status: UInt8
    /// Whether a MIC failure followed a pairing on the link: the sides have computed different keys.
    let isOfPairing: Bool
  }

  /// So soon a controller shows that a link has ended, or of a pairing why it failed.
  private static let waitLimit = Int64.seconds(2)
  private static let most = 256

  private var failed: [LinkID: Failed] = [:]
  /// Pairings that failed: another rule reports that.
  private var unpaired = RecentValues<LinkID, Place>(capacity: 256)
  /// Links on which both sides agreed on a pairing.
  private var paired = RecentValues<LinkID, Bool>(capacity: 256)
  private var pins = PINPairings()

  mutating func tick(
    _ time: Timestamp, _ session: borrowing Session, _ report: inout RuleReport
  ) {
    for (link, one) in failed
    where !report.isSoon(Self.waitLimit, after: one.finding.place, at: time) {
      failed[link] = nil
      report.found(one.finding)
    }
  }

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    tick(event.captureTime(session), session, &report)
    pins.take(event)
    switch event.content {
    case .security(.authenticationFailed) where pins.request(failedBy: event) != nil: break
    // A key that is missing has a rule of its own.
    case .security(.encryptionFailed(let failed))
    where HCIErrorCode(failed.status) != .pinOrKeyMissing:
      note(failed.status, "encryption on", event, session, &report)
    case .security(.authenticationFailed(let failed))
    where HCIErrorCode(failed.status) != .pinOrKeyMissing:
      note(failed.status, "authentication", event, session, &report)
    // On the air: LL_REJECT_IND or LL_REJECT_EXT_IND for LL_ENC_REQ. Vol 6, Part B, 5.1.3.1.
    case .linkLayer(.rejected(let rejected)) where rejected.pdu == .encReq:
      if let error = rejected.error, HCIErrorCode(error) != .pinOrKeyMissing {
        note(error, "encryption on", event, session, &report)
      }
    // It was encrypted after all: what failed before was tried again, or with another key.
    case .security(.encryption(let encryption)) where encryption.isOn:
      if let link = event.link { failed[link] = nil }
    case .security(.encryptionRefreshed):
      if let link = event.link { failed[link] = nil }
    case .security(.pairing(.method)): if let link = event.link { paired.set(link, true) }
    case .security(.pairing(.failed)), .security(.pairing(.timedOut)):
      if let link = event.link { unpaired.set(link, Place(event)) }
    case .security(.pairing(.simple(.ended(let status)))) where status != 0:
      if let link = event.link { unpaired.set(link, Place(event)) }
    case .link(.closed(let closed)):
      guard let link = event.link, let one = failed.removeValue(forKey: link) else { return }
      // The reason, or what a lost bond looks like, is reported with the link.
      let reason = HCIErrorCode(closed.reason)
      let isReported =
        closed.reason == one.status || reason?.isLoss == true || reason == .authenticationFailure
        || reason == .pinOrKeyMissing
      if one.isOfPairing || !isReported { report.found(one.finding) }
    default: break
    }
  }

  private mutating func note(
    _ status: UInt8, _ expected: FindingText, _ event: Event, _ session: borrowing Session,
    _ report: inout RuleReport
  ) {
    if let link = event.link, let place = unpaired[link],
      report.isSoon(Self.waitLimit, after: place, at: event.time)
    {
      return
    }
    let finding = HeldFinding(event, session, expected: expected, subject: "\(status)")
    guard let link = event.link, failed.count < Self.most else { return report.found(finding) }
    // Of several in a row the first is reported.
    guard failed[link] == nil else { return }
    failed[link] = Failed(
      finding: finding, status: status,
      isOfPairing: HCIErrorCode(status) == .connectionTerminatedDueToMICFailure
        && paired[link] == true)
  }

  mutating func finish(_ session: borrowing Session, _ report: inout RuleReport) {
    for one in failed.values {
      // The link ended, and the capture with it: other rules report that.
      let status = HCIErrorCode(one.status)
      let isReported = status?.isLoss == true || status?.isOrdinaryEnd == true
      if one.isOfPairing || !isReported { report.found(one.finding) }
    }
  }
}
