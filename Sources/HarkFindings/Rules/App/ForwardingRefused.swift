import HarkSession

struct ForwardingRefused: Rule {
  static let about = RuleDescription(
    id: "app.forwarding-refused", title: "Notifications are not forwarded, or not all",
    severity: .warning, needs: .logs,
    meaning:
      "The phone decided not to forward notifications to the accessory, or only some of them, or it "
      + "cannot forward them: they do not arrive, although the link may work.",
    source:
      "Apple, AccessoryNotifications: ForwardingDecision (allow, limited, deny, undetermined), "
      + "AccessoryError (unsupportedAccessory, unsupportedPlatform, …)",
    fix:
      "`deny`: the user can allow it in Settings. `unsupportedPlatform`: not available in "
      + "the phone's region or on its system. Also check whether an Apple Watch is the "
      + "active target.")
  static let wants: Set<Event.Family> = [.app]

  /// A decision not to forward all notifications that no later one has taken back.
  private struct Refusal {
    let event: Event
    let decision: String
    let log: String
  }

  private var refusals: [Refusal] = []
  private static let most = 256

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard let app = event.app else { return }
    switch app.kind {
    case .forwardingDecision:
      guard let decision = app[.decision]?.lowercased() else { return }
      if decision == "allow" {
        allow(event, app.origin.path, session, &report)
      } else if refusals.count < Self.most {
        refusals.append(Refusal(event: event, decision: decision, log: app.origin.path))
      } else {
        refuse(Refusal(event: event, decision: decision, log: app.origin.path), session, &report)
      }
    case .notification:
      guard let error = app[.error] else { return }
      report.found(
        event, session, expected: "an accepted notification",
        confidence: app.confidence, subject: error)
    default: break
    }
  }

  /// The same log allows later what it refused.
  private mutating func allow(
    _ event: Event, _ log: String, _ session: borrowing Session, _ report: inout RuleReport
  ) {
    let allowed = refusals.take { $0.log == log && Self.isSame($0.event, event) }
    for refusal in allowed {
      let later = session.elapsed(
        from: refusal.event.time, in: refusal.event.frames.last, to: event.time,
        in: event.frames.last)
      report.found(
        refusal.event, session,
        observed: RuleReport.text(of: refusal.event, session)
          + "; allowed \(public: later.map { "\(Names.duration($0)) later" } ?? "later")",
        expected: "ForwardingDecision allow", severity: .info,
        confidence: refusal.event.app?.confidence ?? .likely,
        subject: "\(refusal.decision), allowed")
    }
  }

  /// Whether two decisions are about one accessory, as far as the log names it.
  private static func isSame(_ one: Event, _ other: Event) -> Bool {
    if let device = one.device, let last = other.device, device != last { return false }
    guard let one = one.app?[.identifier], let other = other.app?[.identifier] else { return true }
    return one == other
  }

  private func refuse(
    _ refusal: Refusal, _ session: borrowing Session, _ report: inout RuleReport
  ) {
    report.found(
      refusal.event, session, expected: "ForwardingDecision allow",
      severity: refusal.decision == "deny" ? .warning : .info,
      confidence: refusal.event.app?.confidence ?? .likely, subject: refusal.decision)
  }

  mutating func finish(_ session: borrowing Session, _ report: inout RuleReport) {
    for refusal in refusals { refuse(refusal, session, &report) }
    refusals = []
  }
}
