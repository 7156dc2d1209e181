import HarkCore
import HarkDissection
import HarkSession

struct WeakPairing: Rule {
  static let about = RuleDescription(
    id: "link.weak-pairing", title: "A pairing provides less security than requested",
    severity: .warning, needs: .pairing,
    meaning:
      "Just Works does not protect against an attacker nearby during pairing; anyone who "
      + "recorded an LE legacy pairing can compute its keys. Services that need the requested "
      + "security still refuse access.",
    source:
      "Core Specification, Vol 3, Part H, 2.3.5.1 (selecting the key generation method), 2.3.5.5; "
      + "Part C, "
      + "5.2.2.6 and 10.2 (security modes)",
    fix:
      "Give both sides the input and output that the method needs and declare them (IO "
      + "capability), or exchange data out of band; support LE Secure Connections on both. If the "
      + "device can do neither, do not request MITM protection.")
  static let wants: Set<Event.Family> = [.security]

  /// What a pairing that is under way was asked to give, and gives.
  private struct Choice {
    var lacks: [String] = []
    var isInfo = true
  }

  /// What the Peripheral's Security Request asked for. 3.6.7
  private var securityRequests = RecentValues<LinkID, PairingEvent.Requirements>(capacity: 256)
  private var choices = RecentValues<LinkID, Choice>(capacity: 256)
  /// On BR/EDR: the sides that want MITM protection, by whether it is the peer.
  private var wishes = RecentValues<LinkID, [Bool: Bool]>(capacity: 256)

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard let link = event.link, case .security(.pairing(let step)) = event.content else { return }
    switch step {
    case .securityRequested(let request): securityRequests.set(link, request.requirements)
    case .method(let method): choices.set(link, choice(method, securityRequests[link]))
    case .complete:
      let choice = choices.set(link, Choice()) ?? Choice()
      guard !choice.lacks.isEmpty else { return }
      report.found(
        event, session, observed: "\(choice.lacks.joined(separator: "; "))",
        expected: "the requested security", severity: choice.isInfo ? .info : .warning)
    case .simple(.capability(let capability, let isPeer)):
      var known = wishes[link] ?? [:]
      // A second message of the same side belongs to another pairing.
      if known[isPeer] != nil { known = [:] }
      known[isPeer] = capability.mitm
      wishes.set(link, known)
    case .simple(.ended(let status)): if status != 0 { wishes.set(link, [:]) }
    case .linkKey(let key) where HCIKeyType(rawValue: key.type)?.isUnauthenticated == true:
      let known = wishes[link] ?? [:]
      wishes.set(link, [:])
      guard known.values.contains(true) else { return }
      let byPeer = known[true] == true
      let who = byPeer ? (known[false] == true ? "both sides" : "the peer") : "this host"
      report.found(
        event, session,
        observed: "\(who) requested MITM protection, but the link key is not authenticated",
        expected: "the requested security", severity: byPeer ? .warning : .info)
    default: break
    }
  }

  private func choice(
    _ method: PairingEvent.Method, _ request: PairingEvent.Requirements?
  ) -> Choice {
    var choice = Choice()
    let wanted = method.wanted
    let peripheralsMITM = wanted.mitmByPeripheral || request?.mitm ?? false
    let peripherals = wanted.secureConnectionsByPeripheral || request?.secureConnections ?? false
    if method.method == .justWorks, wanted.mitmByCentral || peripheralsMITM {
      let who = Self.who(wanted.mitmByCentral, peripheralsMITM)
      choice.lacks.append("\(who) requested MITM protection, but the pairing was Just Works")
      // Phones ask for it always.
      if peripheralsMITM { choice.isInfo = false }
    }
    if !method.secureConnections, wanted.secureConnectionsByCentral || peripherals {
      let who = Self.who(wanted.secureConnectionsByCentral, peripherals)
      choice.lacks.append(
        "\(who) requested LE Secure Connections, but the pairing was LE legacy pairing")
      choice.isInfo = false
    }
    return choice
  }

  private static func who(_ central: Bool, _ peripheral: Bool) -> String {
    central && peripheral ? "both sides" : central ? "the Central" : "the Peripheral"
  }
}
