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

  private var pending: [String: (place: Place, isCertain: Bool)] = [:]

  mutating func tick(
    _ time: Timestamp, _ session: borrowing Session, _ report: inout RuleReport
  ) {
    for (id, (place, isCertain)) in pending
    where report.isOver(Self.waitLimit, since: place, at: time) {
      pending[id] = nil
      guard isCertain else {
        report.cannotTell(place, "the log may not contain the decision")
        continue
      }
      report.missing(
        place, observed: "session\(id.isEmpty ? "" : " \(id)") requested, no decision within 30 s",
        expected: "a decision: accepted or rejected")
    }
  }

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    tick(event.time, session, &report)
    let isCertain = event.app?.isCertain ?? true
    for (step, id) in event.transportSteps {
      switch step {
      case .sessionRequest:
        if pending.count < Self.most { pending[id ?? ""] = (Place(event), isCertain) }
      case .decision, .cancel, .sessionInvalidated, .completed: settle(id)
      // Nothing is forwarded in a session that was not accepted.
      case .messageReceived, .dataEvent, .sendMessageToDataProvider: settle(id)
      }
    }
    if event.app?.kind == .securityMessage { pending[""] = nil }
  }

  /// What has no session may be of any.
  private mutating func settle(_ id: String?) {
    guard let id, !id.isEmpty else {
      pending = [:]
      return
    }
    pending[id] = nil
    pending[""] = nil
  }

  mutating func finish(_ session: borrowing Session, _ report: inout RuleReport) {
    for one in pending.values {
      report.cannotTell(one.place, "the capture ends before the decision was due")
    }
  }
}
