import HarkSession

struct RegisteredBeforePairing: Rule {
  static let about = RuleDescription(
    id: "audio.registered-before-pairing", title: "A configuration is registered before pairing",
    severity: .warning, needs: .configuration,
    meaning: "The system knows no such accessory yet: the registration fails with invalidRequest.",
    source:
      "Apple, AudioAccessoryKit: AccessoryControlDevice.register(_:_:) takes an accessory that "
      + "AccessorySetupKit has paired",
    fix:
      "Send the configuration once the link is encrypted, and register after the picker has ended.")

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    if let app = event.app { return take(app, event, session, &report) }
    for configuration in event.configurations {
      guard case .register = configuration.event, let link = session.link(event), !link.isEncrypted
      else { continue }
      guard link.certainty == .seen else {
        report.cannotTell(
          Place(event), "the link was open before the capture began: it may be encrypted")
        continue
      }
      if let gap = report.horizon.gap(since: link.opened) {
        report.cannotTell(Place(event), "\(gap): encryption may have begun there")
        continue
      }
      report.found(
        event, session, observed: "a registration over a link that is not encrypted",
        expected: "pairing and encryption first", confidence: .likely)
    }
  }

  /// The app says when it registers; one of the links that are open then is the accessory's.
  private func take(
    _ app: AppEvent, _ event: Event, _ session: borrowing Session, _ report: inout RuleReport
  ) {
    guard app.kind == .configurationRegistered else { return }
    var isOpen = false
    for link in session.links where link.closed == nil {
      guard !link.isEncrypted, link.certainty == .seen else { return }
      isOpen = true
    }
    guard isOpen else { return }
    report.found(
      event, session, observed: app.observed, expected: "pairing and encryption first",
      confidence: .likely)
  }
}
