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
  static let wants: Set<Event.Family> = [.attribute]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard case .attribute(.unframedKey(let key)) = event.content else { return }
    report.found(
      event, session,
      observed: "attribute \(Names.hex(key.handle)) carries a public key of "
        + "\(key.shape.suite.name) (\(Names.count(key.shape.size, "byte")))",
      expected: "a profile for the attribute", subject: "\(key.handle)")
  }
}
