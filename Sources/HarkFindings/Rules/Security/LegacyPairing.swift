import HarkCore
import HarkDissection
import HarkSession

struct LegacyPairing: Rule {
  static let about = RuleDescription(
    id: "link.legacy-pairing", title: "Devices used legacy pairing",
    severity: .warning, needs: .pairing,
    meaning:
      "Anyone who recorded the pairing can compute its keys and read the link: its only secret is a six-digit "
      + "passkey or a PIN, if it has one at all. hark does not report LE legacy pairing with "
      + "Out of Band data, which can keep a longer secret.",
    source:
      "Core Specification, Vol 3, Part H, 2.3.5.1 and 2.3.5.5 (LE legacy pairing); Vol 2, Part H, "
      + "3.2 (keys made from a PIN); Vol 4, Part E, 7.7.24 (HCI_Link_Key_Notification: Key_Type)",
    fix:
      "Support LE Secure Connections on both sides, and request them (SC in AuthReq). On BR/EDR, enable "
      + "Secure Simple Pairing in both hosts (HCI_Write_Simple_Pairing_Mode). Pair again after that."
  )
  static let wants: Set<Event.Family> = [.security]

  private var methods = RecentValues<LinkID, PairingEvent.Method?>(capacity: 256)

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard case .security(.pairing(let step)) = event.content else { return }
    switch step {
    case .method(let method): if let link = event.link { methods.set(link, method) }
    case .complete(let it):
      guard let link = event.link else { return }
      let method = (methods.set(link, nil) ?? nil)
      guard !it.secureConnections, method?.method != .outOfBand else { return }
      report.found(
        event, session, observed: Self.observed(method), expected: "LE Secure Connections")
    case .linkKey(let key) where HCIKeyType(rawValue: key.type)?.isLegacy == true:
      report.found(
        event, session, observed: "BR/EDR legacy pairing: a PIN made the link key",
        expected: "Secure Simple Pairing")
    default: break
    }
  }

  private static func observed(_ method: PairingEvent.Method?) -> FindingText {
    guard let method else { return "LE legacy pairing" }
    let name: FindingText = "LE legacy pairing, \(method.method.rawValue)"
    let wanted = method.wanted
    switch (wanted.secureConnectionsByCentral, wanted.secureConnectionsByPeripheral) {
    case (true, false):
      return
        "\(name): the Central requested LE Secure Connections, but the Peripheral did not"
    case (false, true):
      return
        "\(name): the Peripheral requested LE Secure Connections, but the Central did not"
    default: return "\(name): neither side requested LE Secure Connections"
    }
  }
}
