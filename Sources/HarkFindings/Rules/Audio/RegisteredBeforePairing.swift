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

  /// The app says when it registers, and perhaps of which device. Else the link that is open then is
  /// the accessory's, where there is no other.
  private func take(
    _ app: AppEvent, _ event: Event, _ session: borrowing Session, _ report: inout RuleReport
  ) {
    guard app.kind == .configurationRegistered else { return }
    var open = session.links.filter { $0.closed == nil }
    let isNamed = app[.address] != nil || app[.identifier] != nil
    if isNamed {
      // One that the capture does not know is of another place.
      guard let device = event.device.map({ session.current($0) }) else { return }
      open.removeAll { $0.device.map { session.current($0) != device } ?? true }
    }
    let plain = open.filter { !$0.isEncrypted }
    guard let link = plain.first else { return }
    // One of the links to the accessory is enough.
    guard plain.count == open.count else {
      if !isNamed {
        report.cannotTell(
          Place(event),
          "several links are open, and the registration says not which device it is of")
      }
      return
    }
    guard plain.allSatisfy({ $0.certainty == .seen }) else {
      return report.cannotTell(
        Place(event),
        "link \(link.designation) was open before the capture began: it may be encrypted")
    }
    report.found(
      event, session, observed: "\(app.observed)", expected: "pairing and encryption first",
      confidence: .likely)
  }
}
