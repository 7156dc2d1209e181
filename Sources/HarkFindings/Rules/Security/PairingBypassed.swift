import HarkCore
import HarkSession

struct PairingBypassed: Rule {
  static let about = RuleDescription(
    id: "link.pairing-bypassed", title: "Encryption began before the pairing was finished",
    severity: .error, needs: .pairing,
    meaning:
      "The side that accepted it used a key that the other side never proved to have, perhaps all "
      + "zeros: anyone can connect this way and pass for a paired device.",
    source:
      "Core Specification, Vol 3, Part H, 2.3.5.5 (LE legacy pairing), 2.3.5.6.5 (LE Secure Connections); "
      + "Vol 6, Part B, 5.1.3.1 (LL_ENC_REQ)",
    fix:
      "Reject the encryption (LL_REJECT_EXT_IND with PIN or Key Missing) until the confirm values, or the "
      + "DHKey Checks, of both sides have been verified. Clear the LTK when a pairing begins.")
  static let wants: Set<Event.Family> = [.security]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard case .security(.pairing(let step)) = event.content else { return }
    switch step {
    case .unfinished(let pairing):
      // A sniffer can miss packets without a trace.
      let isOnAir = session.link(event)?.air != nil
      report.found(
        event, session, observed: "encryption without \(pairing.proof) of both sides",
        expected: "encryption only after both sides sent \(pairing.proof)",
        confidence: isOnAir ? .likely : .certain)
    case .complete(let pairing) where !pairing.isCaptured:
      report.cannotTell(Place(event), "the capture may lack the end of the pairing")
    default: break
    }
  }
}
