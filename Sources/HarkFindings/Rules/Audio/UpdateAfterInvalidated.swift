import HarkSession

struct UpdateAfterInvalidated: Rule {
  static let about = RuleDescription(
    id: "audio.update-after-invalidated",
    title: "A configuration is updated after it was invalidated",
    severity: .error, needs: .configuration,
    meaning: "The phone refuses every update until the accessory is registered again.",
    source: "Apple, AudioAccessoryKit: AccessoryControlDevice.Error.invalidated",
    fix: "Register again after an invalidation, before the next update.")
  static let wants: Set<Event.Family> = [.accessory, .app]

  private struct Key: Hashable {
    let process: String
    /// Nil if the line does not name the accessory.
    let accessory: NamedAccessory?
  }

  /// Where the log of a process says so.
  private var invalidated: [Key: String] = [:]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    if let app = event.app { return take(app, event, session, &report) }
    for configuration in event.configurations {
      for remark in configuration.remarks {
        guard case .invalidated(let packet) = remark else { continue }
        report.found(
          event, session,
          observed: "an update after the registration was invalidated in #\(packet.number)",
          expected: "a new registration first", frames: [packet])
      }
    }
  }

  private mutating func take(
    _ app: AppEvent, _ event: Event, _ session: borrowing Session, _ report: inout RuleReport
  ) {
    let process = app.process ?? ""
    let accessory = NamedAccessory(event, session)
    let key = Key(process: process, accessory: accessory)
    switch app.kind {
    case .configurationFailed:
      guard let error = app[.error], error.hasSuffix("invalidated"), invalidated.count < 64 else {
        return
      }
      invalidated[key] = "\(app.origin.file):\(app.origin.line)"
    // The app registers, and its extension updates.
    case .configurationRegistered:
      invalidated = invalidated.filter { one in
        accessory != nil && one.key.accessory != nil && one.key.accessory != accessory
      }
    case .configurationUpdated:
      guard let place = invalidated[key] else { return }
      report.found(
        event, session,
        observed:
          "\(RuleReport.text(of: event, session)); the registration was invalidated in \(place)",
        expected: "a new registration first", confidence: app.confidence, subject: process)
    default: break
    }
  }
}
