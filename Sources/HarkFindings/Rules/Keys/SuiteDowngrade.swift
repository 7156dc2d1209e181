import HarkCore
import HarkSession

struct SuiteDowngrade: Rule {
  static let about = RuleDescription(
    id: "keys.suite-downgrade", title: "P-256 is used although X-Wing was offered",
    severity: .warning, needs: .keyExchange,
    meaning:
      "A future quantum computer can break the key exchange that protects the messages, "
      + "although both sides support one that it cannot break. The transports "
      + "localNetwork and internet are not available either.",
    source: "Apple, SecurityMessage.CipherSuite and AccessoryTransport: localNetwork and internet "
      + "require xWing",
    fix:
      "Offer only the X-Wing public key to phones that support it, and keep P-256 for "
      + "accessories without the memory for X-Wing.")
  static let wants: Set<Event.Family> = [.accessory, .app]

  private var offered = RecentValues<Owner, Place>(capacity: 256)
  /// Who logged it on the app's side.
  private var reported = RecentValues<String, Place>(capacity: 64)

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    if let app = event.app { take(app, event, session, &report) }
    guard case .accessory(let accessory) = event.content else { return }
    let owner = Owner(event, session)
    switch accessory.content {
    case .publicKey(let key) where key.step.message.cipherSuite == .xWing && key.defect == nil:
      offered.set(owner, Place(event))
    case .encapsulatedKey(let key) where key.step.message.cipherSuite == .p256:
      guard let offer = offered[owner] else { return }
      report.found(
        event, session,
        observed: "an X-Wing public key was announced, but the encapsulated key is P-256",
        expected: "an X-Wing encapsulated key", frames: offer.frames)
    default: break
    }
  }

  private mutating func take(
    _ app: AppEvent, _ event: Event, _ session: borrowing Session, _ report: inout RuleReport
  ) {
    switch (app.key?.type, app.key?.suite) {
    case (.publicKey?, .xWing?): reported.set(app.reporter, Place(event))
    case (.encapsulatedKey?, .p256?):
      guard let offer = reported[app.reporter] else { return }
      report.found(
        event, session,
        observed: "an X-Wing public key was announced (\(offer.evidence)), but the encapsulated "
          + "key is P-256",
        expected: "an X-Wing encapsulated key", confidence: app.confidence)
    default: break
    }
  }
}
