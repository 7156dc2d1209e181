import HarkCore
import HarkSession

struct UpdateBeforeRegister: Rule {
  static let about = RuleDescription(
    id: "audio.update-before-register", title: "A configuration is updated before it is registered",
    severity: .error, needs: .configuration,
    meaning:
      "The update is refused with invalidRequest: everything that the accessory reports "
      + "before the registration is lost.",
    source:
      "Apple, AudioAccessoryKit: AccessoryControlDevice.register(_:_:) after pairing, update(_:) "
      + "from the extension afterwards",
    fix:
      "Register in the container app once AccessorySetupKit has paired the accessory, and report "
      + "changes only then.")
  static let wants: Set<Event.Family> = [.accessory, .app]

  /// The source: an accessory, or the app.
  private enum Speaker: Hashable {
    case accessory(Owner)
    /// With the accessory, if the line names it.
    case app(NamedAccessory?)

    init(_ event: Event, _ session: borrowing Session) {
      self =
        event.app == nil
        ? .accessory(Owner(event, session)) : .app(NamedAccessory(event, session))
    }

    var isApp: Bool { if case .app = self { true } else { false } }

    /// The same app, where its log names no accessory.
    var unnamed: Speaker? { isApp && self != .app(nil) ? .app(nil) : nil }
  }

  private struct Early {
    let place: Place
    /// Where a log shows it.
    let what: String
  }

  /// The first update without a registration on its link.
  private var early: [Speaker: Early] = [:]
  private var registered = RecentValues<Speaker, Bool>(capacity: 256)
  private var isAppRegistered = false

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    for configuration in event.configurations {
      let speaker = Speaker(event, session)
      switch configuration.event {
      case .register:
        let first =
          early.removeValue(forKey: speaker)
          ?? speaker.unnamed.flatMap { early.removeValue(forKey: $0) }
        if registered[speaker] == nil, let first { judge(first, event, session, &report) }
        registered.set(speaker, true)
        if speaker.isApp { isAppRegistered = true }
      case .update:
        // A line that names no accessory may be about any that was registered.
        let isKnown =
          registered[speaker] != nil || speaker.unnamed.map { registered[$0] != nil } ?? false
          || speaker == .app(nil) && isAppRegistered
        guard !isKnown, early[speaker] == nil, early.count < 256 else { continue }
        early[speaker] = Early(place: Place(event), what: event.logPlace)
      case .failed(let error):
        // What is invalidated was registered before the log began.
        if event.app != nil, error == .invalidated { early[speaker] = nil }
      }
    }
  }

  /// A registration followed the update.
  private func judge(
    _ first: Early, _ event: Event, _ session: borrowing Session, _ report: inout RuleReport
  ) {
    if event.app == nil {
      guard first.place.link == event.link, let link = session.link(event) else {
        return report.cannotTell(
          first.place,
          "the registration in #\(event.frames.last.number) is on another link: the app may have "
            + "registered earlier")
      }
      if let unseen = link.unseenBeginning {
        return report.cannotTell(
          first.place, "\(unseen): the accessory may have been registered earlier")
      }
      if let gap = report.coverage.gap(since: link.opened, on: link.id) {
        return report.cannotTell(first.place, gap, "an earlier registration may be in that gap")
      }
    }
    let place = event.app == nil ? " in #\(event.frames.last.number)" : ""
    report.found(
      first.place.and(event),
      observed: "an update\(first.what) before the registration\(place)\(event.logPlace)",
      expected: "the registration first", confidence: event.confidence)
  }

  mutating func finish(_ session: borrowing Session, _ report: inout RuleReport) {
    // An app's log rarely goes back to its registration.
    for (speaker, first) in early where !speaker.isApp {
      report.cannotTell(
        first.place,
        "updates without a registration: the app may have registered earlier, or without the accessory"
      )
    }
  }
}
