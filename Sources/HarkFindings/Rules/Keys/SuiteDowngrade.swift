import HarkCore
import HarkCrypto
import HarkSession

struct SuiteDowngrade: Rule {
  static let about = RuleDescription(
    id: "keys.suite-downgrade", title: "P-256 is used although X-Wing was offered",
    severity: .warning, needs: .keyExchange,
    meaning:
      "A future quantum computer can break the key exchange that protects the messages, "
      + "although the accessory offered one that it cannot break. The transports "
      + "localNetwork and internet are not available either.",
    source: "Apple, SecurityMessage.CipherSuite and AccessoryTransport: localNetwork and internet "
      + "require xWing",
    fix:
      "Offer only the X-Wing public key to phones that support it, and keep P-256 for "
      + "accessories without the memory for X-Wing.")
  static let wants: Set<Event.Family> = [.accessory, .app]

  /// Public keys that no encapsulated key has answered so far.
  private struct Offer: Sendable {
    let xWing: Place
    /// That of P-256 which followed.
    var p256: Place?
  }

  private var offered = RecentValues<Owner, Offer?>(capacity: 256)
  /// Who logged it on the app's side.
  private var reported = RecentValues<String, Offer?>(capacity: 64)

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    if let app = event.app { take(app, event, session, &report) }
    guard case .accessory(let accessory) = event.content else { return }
    let owner = Owner(event, session)
    switch accessory.content {
    case .publicKey(let key) where key.defect == nil:
      Self.note(key.step.message.cipherSuite, Place(event), of: owner, in: &offered)
    case .encapsulatedKey(let key):
      guard let offer = Self.answered(owner, &offered), key.step.message.cipherSuite == .p256 else {
        return
      }
      report.found(
        event, session,
        observed: offer.p256 == nil
          ? "an X-Wing public key was announced, but the encapsulated key is P-256"
          : "an X-Wing public key was announced and then one of P-256, and the encapsulated key is P-256",
        expected: "an X-Wing encapsulated key",
        // That both sides support X-Wing is not shown, and an answer to the last key is a correct one.
        confidence: offer.p256 == nil ? .certain : .possible,
        frames: offer.xWing.frames + (offer.p256?.frames ?? []))
    default: break
    }
  }

  private mutating func take(
    _ app: AppEvent, _ event: Event, _ session: borrowing Session, _ report: inout RuleReport
  ) {
    switch app.key?.type {
    case .publicKey?: Self.note(app.key?.suite, Place(event), of: app.reporter, in: &reported)
    case .encapsulatedKey?:
      guard let offer = Self.answered(app.reporter, &reported), app.key?.suite == .p256 else {
        return
      }
      let expected: FindingText = "an X-Wing encapsulated key"
      if let p256 = offer.p256 {
        report.found(
          event, session,
          observed:
            "an X-Wing public key was announced (\(offer.xWing.evidence)) and then one of P-256 "
            + "(\(p256.evidence)), and the encapsulated key is P-256",
          expected: expected, confidence: .possible)
      } else {
        report.found(
          event, session,
          observed:
            "an X-Wing public key was announced (\(offer.xWing.evidence)), but the encapsulated "
            + "key is P-256",
          expected: expected, confidence: app.confidence)
      }
    default: break
    }
  }

  private static func note<Key: Hashable & Sendable>(
    _ suite: CipherSuite?, _ place: Place, of key: Key, in offers: inout RecentValues<Key, Offer?>
  ) {
    switch suite {
    case .xWing?: offers.set(key, Offer(xWing: place))
    case .p256?:
      guard var offer = offers[key] ?? nil else { return }
      offer.p256 = place
      offers.set(key, offer)
    case nil: break
    }
  }

  /// The offer that an encapsulated key of any suite answers: with it, the exchange is complete.
  private static func answered<Key: Hashable & Sendable>(
    _ key: Key, _ offers: inout RecentValues<Key, Offer?>
  ) -> Offer? {
    guard let offer = offers[key] ?? nil else { return nil }
    offers.set(key, nil)
    return offer
  }
}
