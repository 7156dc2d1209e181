import HarkSession

struct ProtocolNotInApp: Rule {
  static let about = RuleDescription(
    id: "app.ea-protocol-missing",
    title: "The app does not declare the accessory's protocol",
    severity: .error, needs: [.declaration, .externalAccessory],
    meaning:
      "The app does not see the accessory, and no session is ever opened for the protocol.",
    source: "Apple, External Accessory: UISupportedExternalAccessoryProtocols",
    fix:
      "Add the protocol to the app's Info.plist, spelled exactly as in the accessory's "
      + "identification.")
  static let wants: Set<Event.Family> = [.iap2, .app]

  private var declared: Set<String>?
  /// Whether the app uses External Accessory at all: others are not meant to see such accessories.
  private var isUser = false
  /// What precedes the capture, until an accessory shows which protocol is missing.
  private var unjudged: Event?

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    if let declaration = event.declaration {
      unjudged = event
      declared = Set(declaration.bundles.flatMap(\.protocols))
      isUser = declaration.bundles.contains {
        !$0.protocols.isEmpty || $0.backgroundModes.contains("external-accessory")
      }
    }
    if let app = event.app { opens(app, event, session, &report) }
    guard let declared, isUser, case .iap2(.identification(let it)) = event.content else { return }
    let names = it.identification.protocols.map(\.name)
    guard !names.isEmpty, declared.isDisjoint(with: names) else { return }
    unjudged = nil
    report.found(
      event, session,
      observed:
        "the app declares \(declared.isEmpty ? "no protocol" : declared.sorted().joined(separator: ", "))",
      expected: names.count == 1 ? "\(names[0])" : "one of \(names.joined(separator: ", "))",
      subject: names.joined(separator: ","))
  }

  mutating func finish(_ session: borrowing Session, _ report: inout RuleReport) {
    guard let event = unjudged else { return }
    for bundle in event.declaration?.bundles ?? [] where !bundle.isExtension {
      // A value of another type is a finding of app.info-key-missing.
      let isMistyped = bundle.mistyped.contains { $0.hasPrefix(Self.key) }
      guard bundle.protocols.isEmpty, !isMistyped else { continue }
      let key: FindingText =
        bundle.declaresProtocols ? "\(Self.key) is empty" : "it has no \(Self.key)"
      // An app with the mode wants to be woken by an accessory; a library may link unused code.
      if bundle.backgroundModes.contains("external-accessory") {
        report.found(
          event, session,
          observed: "\(bundle.label) has the background mode external-accessory, but \(key)",
          expected: "the accessory's protocols in \(Self.key)", subject: bundle.label)
      } else if bundle.frameworks?.contains("ExternalAccessory") == true {
        report.found(
          event, session, observed: "\(bundle.label) links ExternalAccessory, but \(key)",
          expected: "the accessory's protocols in \(Self.key)", severity: .warning,
          confidence: .possible, subject: bundle.label)
      }
    }
  }

  /// A session of the app's, which needs the protocol declared.
  private func opens(
    _ app: AppEvent, _ event: Event, _ session: borrowing Session, _ report: inout RuleReport
  ) {
    switch app.kind {
    case .eaSessionOpened, .eaSessionFailed, .eaStreamError: break
    default: return
    }
    let stated = app[.error] ?? app.text
    if Self.refusals.contains(where: { (stated + " " + app.text).contains($0) }) {
      report.found(
        event, session,
        expected: "the protocol in UISupportedExternalAccessoryProtocols",
        confidence: app.confidence, subject: app[.eaProtocol] ?? stated)
    } else if let declared, let name = app[.eaProtocol], !declared.contains(name) {
      report.found(
        event, session,
        observed: "the app opens a session for \(name), but declares "
          + "\(declared.isEmpty ? "no protocol" : declared.sorted().joined(separator: ", "))",
        expected: "\(name) in UISupportedExternalAccessoryProtocols", confidence: app.confidence,
        subject: name)
    }
  }

  private static let key = "UISupportedExternalAccessoryProtocols"

  /// What ExternalAccessory writes of such a session.
  private static let refusals = ["not declared in Info.plist", key]
}
