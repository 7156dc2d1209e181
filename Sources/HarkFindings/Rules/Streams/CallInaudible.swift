import HarkCore
import HarkDissection
import HarkSession

struct CallInaudible: Rule {
  static let about = RuleDescription(
    id: "audio.call-inaudible", title: "A call's audio cannot be heard",
    severity: .error, needs: .calls,
    meaning:
      "The user hears noise or nothing: the synchronous link was not established, or it cannot carry "
      + "the codec on which both sides agreed.",
    source: "Hands-Free Profile 1.9 (synchronous connections for CVSD, mSBC and LC3-SWB); Core "
      + "Specification, Vol 4, Part E, 7.7.35",
    fix:
      "Open the synchronous link with transparent data for mSBC and LC3-SWB, and with CVSD air coding "
      + "for CVSD, after the codec is confirmed. If the other side rejects the parameters, try "
      + "the next set of the profile.")

  /// Hosts try several sets of parameters, one after the other.
  private static let nextAttempt = Int64.seconds(5)
  private static let most = 16
  /// Synchronous links that were not established.
  private var failed: [(controller: UInt16?, peer: BluetoothAddress?, finding: HeldFinding)] = []

  mutating func tick(
    _ time: Timestamp, _ session: borrowing Session, _ report: inout RuleReport
  ) {
    func isOver(_ it: HeldFinding) -> Bool {
      report.isOver(Self.nextAttempt, since: it.place, at: time)
    }
    guard let first = failed.first, isOver(first.finding) else { return }
    for one in failed.take(where: { isOver($0.finding) }) { report.missing(one.finding) }
  }

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    tick(event.captureTime(session), session, &report)
    switch event.content {
    case .handsFree(.audio(let audio)) where audio.isOn && !audio.fits:
      report.found(
        event, session, expected: "a synchronous link that fits the codec", subject: "codec")
    case .handsFree(.codecConfirmed(let it)) where it.proposed != nil:
      report.found(
        event, session, expected: "the codec that the Audio Gateway proposed, or AT+BAC",
        severity: .warning, subject: "confirmed")
    case .link(.failed(let it)) where it.isSynchronous && !it.isOurs:
      guard Self.isFailure(HCIErrorCode(it.status)), failed.count < Self.most else { return }
      let finding = HeldFinding(
        event, session, expected: "a synchronous link, at the latest with other parameters",
        confidence: .likely, subject: "link")
      failed.append((event.controller, it.peer, finding))
    case .link(.opened):
      guard let link = session.link(event), [.sco, .esco].contains(link.transport) else { return }
      failed.removeAll { $0.controller == event.controller && $0.peer == link.peer }
    default: break
    }
  }

  private static func isFailure(_ status: HCIErrorCode?) -> Bool {
    status != .connectionAlreadyExists && status != .unknownConnectionIdentifier
  }

  mutating func finish(_ session: borrowing Session, _ report: inout RuleReport) {
    for one in failed {
      report.cannotTell(
        one.finding.place, "the capture ends here: another attempt may have followed")
    }
  }
}
