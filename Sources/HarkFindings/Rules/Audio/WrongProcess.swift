import HarkSession

struct WrongProcess: Rule {
  static let about = RuleDescription(
    id: "audio.wrong-process", title: "AccessoryControlDevice is called in the wrong process",
    severity: .error, needs: .configuration,
    meaning:
      "The call fails: only the container app can register, and only its app extension can "
      + "update.",
    source:
      "Apple, AudioAccessoryKit: AccessoryControlDevice.register(_:_:) belongs to the "
      + "container app; current(for:) and update(_:) are marked as app-extension-only",
    fix:
      "Call register(_:_:) in the container app after pairing the accessory, and "
      + "current(for:) and update(_:) in the app extension.")
  static let wants: Set<Event.Family> = [.app]

  private static let most = 64

  /// Processes that do what only extensions do.
  private var extensions: Set<String> = []

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard let app = event.app else { return }
    let process = app.process ?? ""
    switch app.kind {
    case .extensionLaunched, .sessionRequested, .sessionAccepted, .securityMessage,
      .transportMessage, .dataEvent:
      if app.isCertain, extensions.count < Self.most { extensions.insert(process) }
    case .configurationRegistered:
      guard app.isExtension else { return }
      report.found(
        event, session, observed: "\(app.caller) calls register(_:_:)\(event.logPlace)",
        expected: "register(_:_:) in the container app", confidence: app.confidence,
        subject: "register \(process)")
    case .configurationRead, .configurationUpdated:
      guard app.isContainerApp, !extensions.contains(process) else { return }
      let call = app.kind == .configurationRead ? "current(for:)" : "update(_:)"
      report.found(
        event, session, observed: "\(app.caller) calls \(call)\(event.logPlace)",
        expected: "\(call) in the app extension", confidence: .likely,
        subject: "\(call) \(process)")
    default: break
    }
  }
}

extension AppEvent {
  fileprivate var caller: String {
    let kind = isExtension ? "an app extension" : "the container app"
    return process.map { "\($0), \(kind)," } ?? kind
  }
}
