import HarkCrypto
import HarkSession

struct KeyNotDescribed: Rule {
  static let about = RuleDescription(
    id: "keys.not-described", title: "No profile describes a key exchange",
    severity: .info, needs: .attributes,
    meaning:
      "A value holds a public key of the size and form that Apple's key exchange uses. Without a profile, hark does not "
      + "follow the exchange and decrypts nothing.",
    source: "Apple, AccessoryTransportSecurity: SecurityMessage; docs/profiles.md",
    fix:
      "Run hark dissectors guess --keys with the accessory's private key: it searches for what the keys decrypt and writes a "
      + "profile.")
  static let wants: Set<Event.Family> = [.attribute, .channel]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    switch event.content {
    case .attribute(.unframedKey(let key)):
      let place = "attribute \(Names.hex(key.handle))"
      found(key.shape, at: place, "the attribute", "\(key.handle)", event, session, &report)
    case .channel(.unframedKey(let key)):
      let place = key.place.name(in: session)
      found(key.shape, at: place, "the channel", place, event, session, &report)
    default: break
    }
  }

  private func found(
    _ key: KeyShape, at place: String, _ what: String, _ subject: String, _ event: Event,
    _ session: borrowing Session, _ report: inout RuleReport
  ) {
    report.found(
      event, session, observed: "\(place) carries a public key of \(key.words)",
      expected: "a profile for \(what)", confidence: key.isCertain ? .certain : .likely,
      subject: subject)
  }
}
