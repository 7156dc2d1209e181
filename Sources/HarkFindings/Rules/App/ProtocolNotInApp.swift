import HarkSession

struct ProtocolNotInApp: Rule {
  static let about = RuleDescription(
    id: "app.ea-protocol-missing",
    title: "The app does not declare the accessory's protocol",
    severity: .error, needs: [.declaration, .externalAccessory],
    meaning: "The app does not see the accessory, and a session for the protocol is never opened.",
    source: "Apple, External Accessory: UISupportedExternalAccessoryProtocols",
    fix: "Add the protocol to the app's Info.plist, spelt as the accessory identifies it.")

  private var declared: Set<String>?
  /// Whether the app uses External Accessory at all: others are not meant to see such accessories.
  private var isUser = false

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    if let declaration = event.declaration {
      declared = Set(declaration.bundles.flatMap(\.protocols))
      isUser = declaration.bundles.contains {
        !$0.protocols.isEmpty || $0.backgroundModes.contains("external-accessory")
      }
    }
    if let app = event.app { opens(app, event, session, &report) }
    guard let declared, isUser, case .iap2(.identification(let it)) = event.content else { return }
    let names = it.identification.protocols.map(\.name)
    guard !names.isEmpty, declared.isDisjoint(with: names) else { return }
    report.found(
      event, session,
      observed:
        "the app declares \(declared.isEmpty ? "no protocol" : declared.sorted().joined(separator: ", "))",
      expected: names.count == 1 ? "\(names[0])" : "one of \(names.joined(separator: ", "))",
      subject: names.joined(separator: ","))
  }

  /// A session of the app's, which needs the protocol declared.
  private func opens(
    _ app: AppEvent, _ event: Event, _ session: borrowing Session, _ report: inout RuleReport
  ) {
    switch app.kind {
    case .eaSessionOpened, .eaSessionFailed, .eaStreamError: break
    default: return
    }
    let said = app[.error] ?? app.text
    if Self.refusals.contains(where: { (said + " " + app.text).contains($0) }) {
      report.found(
        event, session, observed: "\(app.observed)",
        expected: "the protocol in UISupportedExternalAccessoryProtocols",
        confidence: app.confidence, subject: app[.eaProtocol] ?? said)
    } else if let declared, let name = app[.eaProtocol], !declared.contains(name) {
      report.found(
        event, session,
        observed: "the app opens a session for \(name), and declares "
          + "\(declared.isEmpty ? "no protocol" : declared.sorted().joined(separator: ", "))",
        expected: "\(name) in UISupportedExternalAccessoryProtocols", confidence: app.confidence,
        subject: name)
    }
  }

  /// What ExternalAccessory writes of such a session.
  private static let refusals = [
    "not declared in Info.plist", "UISupportedExternalAccessoryProtocols",
  ]
}
