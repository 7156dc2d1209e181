import HarkSession

struct BondIncomplete: Rule {
  static let about = RuleDescription(
    id: "link.bond-incomplete", title: "Keys of a bond were not sent",
    severity: .warning, needs: .pairing,
    meaning:
      "The sides are paired, but one lacks a key of the other: without the LTK of LE legacy pairing, the next link cannot be "
      + "encrypted with this bond; without the IRK, a device with private addresses is not recognized; without the CSRK, "
      + "signed data is not accepted.",
    source:
      "Core Specification, Vol 3, Part H, 2.4.3 (distribution of keys), 3.6.1 (Key Distribution, and its order)",
    fix:
      "Keep the link until both sides have sent all keys. They follow the encryption: the Peripheral sends its keys first, "
      + "then the Central. Announce only keys that the device does send. If the link was lost meanwhile, pair again."
  )
  static let wants: Set<Event.Family> = [.security]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard case .security(.pairing(.keysMissing)) = event.content else { return }
    report.missing(
      Place(event), since: session.link(event)?.opened,
      observed: RuleReport.text(of: event, session),
      expected: "every key that both sides agreed to send", subject: "keys")
  }
}
