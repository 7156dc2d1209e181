import HarkCore
import HarkSession

struct SessionUndecided: Rule {
  static let about = RuleDescription(
    id: "transport.session-undecided", title: "A session was requested, but never accepted",
    severity: .error, needs: .sessions,
    meaning: "The system waits for the extension's decision, and forwards nothing.",
    source: "Apple, AccessoryTransportAppExtension: session request and Decision",
    fix:
      "Answer every request with accept or reject; check whether the extension was launched "
      + "at all.")

  private static let waitLimit = Int64.seconds(30)
  private static let most = 64

  private struct Pending {
    let finding: HeldFinding
    let isCertain: Bool
    /// The path of the log that shows it; nil if packets do.
    let log: String?
  }

  private var pending: [SessionName: Pending] = [:]

  mutating func tick(
    _ time: Timestamp, _ session: borrowing Session, _ report: inout RuleReport
  ) {
    for (id, one) in pending {
      let end = one.log.map { report.coverage.logTime(of: [$0], at: time) ?? time } ?? time
      guard report.isOver(Self.waitLimit, since: one.finding.place, at: end) else { continue }
      pending[id] = nil
      guard one.isCertain else {
        report.cannotTell(one.finding.place, "the log may not contain the decision")
        continue
      }
      report.missing(one.finding)
    }
  }

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    tick(event.captureTime(session), session, &report)
    let isCertain = event.app?.isCertain ?? true
    for (step, id) in event.transportSteps {
      switch step {
      case .sessionRequest:
        guard pending.count < Self.most else { continue }
        let name = id ?? ""
        let finding = HeldFinding(
          event, session,
          observed: "session\(name.isEmpty ? "" : " \(name)") requested, no decision within 30 s",
          expected: "a decision: accepted or rejected", confidence: .likely)
        pending[SessionName(name, event, session)] = Pending(
          finding: finding, isCertain: isCertain, log: event.app?.origin.path)
      case .decision, .cancel, .sessionInvalidated, .completed: settle(id, event, session)
      // Nothing is forwarded in a session that was not accepted.
      case .messageReceived, .dataEvent, .sendMessageToDataProvider:
        settle(id, event, session)
      }
    }
    if event.app?.kind == .securityMessage {
      for name in pending.keys where name.id.isEmpty { pending[name] = nil }
    }
  }

  /// What has no session may be of any.
  private mutating func settle(_ id: String?, _ event: Event, _ session: borrowing Session) {
    guard !pending.isEmpty else { return }
    let unnamed = SessionName("", event, session)
    let name = SessionName(id ?? "", event, session)
    for known in pending.keys {
      let isOfSame = known.owner == nil || unnamed.owner == nil || known.owner == unnamed.owner
      if id?.isEmpty ?? true ? isOfSame : name.matches(known) || unnamed.matches(known) {
        pending[known] = nil
      }
    }
  }

  mutating func finish(_ session: borrowing Session, _ report: inout RuleReport) {
    for one in pending.values {
      report.cannotTell(
        one.finding.place,
        one.log == nil
          ? "the capture ends before the decision was due"
          : "the log ends before the decision was due")
    }
  }
}
