import HarkSession

struct ProtocolUndeclared: Rule {
  static let about = RuleDescription(
    id: "ea.protocol-undeclared", title: "A session is opened for an undeclared protocol",
    severity: .error, needs: .externalAccessory,
    meaning: "The app and the accessory refer to different protocols: no data will pass.",
    source: "Apple, External Accessory: EASession(accessory:forProtocol:); iAP2 identification, "
      + "SupportedExternalAccessoryProtocol",
    fix: "Declare the protocol in the identification, and the same name in the app's "
      + "UISupportedExternalAccessoryProtocols.")
  static let wants: Set<Event.Family> = [.iap2, .app]

  /// The protocols of the identifications, by accessory.
  private var declared: [Owner: Set<String>] = [:]
  private static let most = 256
  private static let mostOfOne = 256

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    if case .iap2(.identification(let it)) = event.content {
      let owner = Owner(event, session)
      if declared[owner] != nil || declared.count < Self.most {
        let names = it.identification.protocols.prefix(Self.mostOfOne).map(\.name)
        declared[owner, default: []].formUnion(names)
      }
    }
    if let app = event.app, app.kind == .eaSessionOpened, let name = app[.eaProtocol] {
      // A log that does not name the accessory means one of them.
      let declared =
        event.device == nil
        ? declared.values.reduce(into: []) { $0.formUnion($1) }
        : declared[Owner(event, session)] ?? []
      // Where nothing was identified in the capture, it may have been before.
      guard !declared.isEmpty, !declared.contains(name) else { return }
      report.found(
        event, session, observed: "the app opens a session for \(name)",
        expected: declared.count == 1
          ? "\(declared.first ?? "")" : "one of \(declared.sorted().joined(separator: ", "))",
        confidence: .likely, subject: name)
    }
    guard case .iap2(.externalAccessory(.open(let it))) = event.content, it.isDeclared == false
    else { return }
    if let gap = report.coverage.gap(since: session.link(event)?.opened ?? event.frames.first) {
      return report.cannotTell(Place(event), gap, "the declaration may be in that gap")
    }
    report.found(
      event, session, expected: "a protocol from the accessory's identification",
      subject: it.eaSession.words.text)
  }
}
