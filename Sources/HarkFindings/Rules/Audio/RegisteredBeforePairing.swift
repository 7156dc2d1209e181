import HarkCore
import HarkSession

struct RegisteredBeforePairing: Rule {
  static let about = RuleDescription(
    id: "audio.registered-before-pairing", title: "A configuration is registered before pairing",
    severity: .warning, needs: .configuration,
    meaning:
      "The system does not know the accessory yet: the registration fails with "
      + "invalidRequest.",
    source:
      "Apple, AudioAccessoryKit: AccessoryControlDevice.register(_:_:) takes an accessory that "
      + "AccessorySetupKit has paired",
    fix:
      "Send the configuration once the link is encrypted, and register after the picker has "
      + "finished.")
  static let wants: Set<Event.Family> = [.security, .accessory, .app]

  /// A registration when no link was open, by which line.
  private var early: (place: Place, observed: FindingText, accessory: NamedAccessory?)?
  /// Whether AccessorySetupKit added an accessory before.
  private var isAdded = false

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    if let app = event.app { return take(app, event, session, &report) }
    if case .security(.pairing(.complete)) = event.content {
      paired(event, session, "pairing", &report)
    }
    for configuration in event.configurations {
      guard case .register = configuration.event, let link = session.link(event), !link.isEncrypted
      else { continue }
      if let unseen = link.unseenBeginning {
        report.cannotTell(Place(event), "\(unseen): it may be encrypted")
        continue
      }
      if let gap = report.coverage.gap(since: link.opened) {
        report.cannotTell(Place(event), gap, "encryption may have started in that gap")
        continue
      }
      report.found(
        event, session, observed: "a registration over a link that is not encrypted",
        expected: "pairing and encryption first", confidence: .likely)
    }
  }

  /// The app says when it registers, and perhaps of which device. Otherwise the link that is open then is
  /// the accessory's, where there is no other.
  private mutating func take(
    _ app: AppEvent, _ event: Event, _ session: borrowing Session, _ report: inout RuleReport
  ) {
    if app.kind == .accessorySetup, app[.state] == "accessoryAdded" {
      paired(event, session, "accessoryAdded", &report)
      isAdded = true
    }
    guard app.kind == .configurationRegistered, !isAdded else { return }
    // Whether an accessory that is not connected was paired on another day, only what follows shows.
    if session.links.allSatisfy({ $0.closed != nil }), early == nil, app[.error] == nil {
      early = (
        Place(event), RuleReport.text(of: event, session), NamedAccessory(event, session)
      )
    }
    var open = session.links.filter { $0.closed == nil }
    let isNamed = app[.address] != nil || app[.identifier] != nil
    if isNamed {
      // One that the capture does not know is of another place.
      guard let device = event.device.map({ session.current($0) }) else { return }
      open.removeAll { $0.device.map { session.current($0) != device } ?? true }
    }
    let plain = open.filter { !$0.isEncrypted }
    if plain.isEmpty { return }
    // One of the links to the accessory is enough.
    guard plain.count == open.count else {
      if !isNamed {
        report.cannotTell(
          Place(event),
          "several links are open, and the registration does not name its device")
      }
      return
    }
    for link in plain {
      guard let unseen = link.unseenBeginning else { continue }
      return report.cannotTell(
        Place(event), "\(unseen) (\(link.designation)): it may be encrypted")
    }
    report.found(
      event, session, expected: "pairing and encryption first",
      confidence: .likely)
  }

  private mutating func paired(
    _ event: Event, _ session: borrowing Session, _ what: String, _ report: inout RuleReport
  ) {
    guard let early else { return }
    // Another accessory.
    if case .device? = early.accessory, case .device(let device)? = NamedAccessory(event, session),
      early.accessory != .device(device)
    {
      return
    }
    self.early = nil
    let elapsed = report.elapsed(since: early.place.time, in: early.place.lastFrame, event)
    report.found(
      early.place.and(event),
      observed: "\(early.observed), with no link open; \(what) followed"
        + (elapsed.map { " \(public: Names.duration(max(0, $0))) later" } ?? ""),
      expected: "the registration afterwards", confidence: .likely)
  }
}
