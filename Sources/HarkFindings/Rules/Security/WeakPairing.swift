import HarkCore
import HarkDissection
import HarkSession

struct WeakPairing: Rule {
  static let about = RuleDescription(
    id: "link.weak-pairing", title: "A pairing provides less security than requested",
    severity: .warning, needs: .pairing,
    meaning:
      "Without MITM protection, an attacker nearby during pairing can place a device between the two. "
      + "Services that need the requested security still refuse access.",
    source:
      "Core Specification, Vol 3, Part H, 2.3.5.1 (selecting the key generation method); Part C, "
      + "5.2.2.6 and 10.2 (security modes)",
    fix:
      "Give both sides the input and output that the method needs and declare them (IO "
      + "capability), or exchange data out of band. If the device can do neither, do not request "
      + "MITM protection.")
  static let wants: Set<Event.Family> = [.security]

  /// What a pairing that is under way lacks.
  private struct Choice {
    var lack: FindingText?
    var isInfo = true
  }

  /// What the Peripheral's Security Request asked for. 3.6.7
  private var securityRequests = RecentValues<LinkID, PairingEvent.Requirements>(capacity: 256)
  private var choices = RecentValues<LinkID, Choice>(capacity: 256)
  /// On BR/EDR: what the sides offer, by whether it is the peer.
  private var offers = RecentValues<LinkID, [Bool: SimplePairing.Capability]>(capacity: 256)

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard let link = event.link, case .security(.pairing(let step)) = event.content else { return }
    switch step {
    case .securityRequested(let request): securityRequests.set(link, request.requirements)
    case .method(let method): choices.set(link, choice(method, securityRequests[link]))
    case .complete:
      let choice = choices.set(link, Choice()) ?? Choice()
      guard let lack = choice.lack else { return }
      report.found(
        event, session, observed: lack, expected: "MITM protection, as requested",
        severity: choice.isInfo ? .info : .warning)
    case .simple(.capability(let capability, let isPeer)):
      var known = offers[link] ?? [:]
      // A second message of the same side belongs to another pairing.
      if known[isPeer] != nil { known = [:] }
      known[isPeer] = capability
      offers.set(link, known)
    case .simple(.ended(let status)): if status != 0 { offers.set(link, [:]) }
    case .linkKey(let key) where HCIKeyType(rawValue: key.type)?.isUnauthenticated == true:
      let known = offers[link] ?? [:]
      offers.set(link, [:])
      let byPeer = known[true]?.mitm == true
      let byHost = known[false]?.mitm == true
      guard byPeer || byHost else { return }
      let who: FindingText = byPeer ? (byHost ? "both sides" : "the peer") : "this host"
      let cause = Self.cause(
        known[false]?.ioCapability, "this host", known[true]?.ioCapability, "the peer")
      report.found(
        event, session,
        observed:
          "no MITM protection, which \(who) requested: the link key is not authenticated\(cause)",
        expected: "MITM protection, as requested", severity: byPeer ? .warning : .info)
    default: break
    }
  }

  private func choice(
    _ method: PairingEvent.Method, _ request: PairingEvent.Requirements?
  ) -> Choice {
    let wanted = method.wanted
    let byPeripheral = wanted.mitmByPeripheral || request?.mitm ?? false
    guard method.method == .justWorks, wanted.mitmByCentral || byPeripheral else { return Choice() }
    let who: FindingText =
      wanted.mitmByCentral && byPeripheral
      ? "both sides" : byPeripheral ? "the Peripheral" : "the Central"
    let cause = Self.cause(
      wanted.ioCapabilityOfCentral, "the Central", wanted.ioCapabilityOfPeripheral,
      "the Peripheral")
    return Choice(
      lack: "no MITM protection, which \(who) requested: the pairing was Just Works\(cause)",
      // Phones ask for it always.
      isInfo: !byPeripheral)
  }

  /// Why the IO capabilities allow no MITM protection. 2.3.5.1, table 2.8; Part C, 5.2.2.6
  private static func cause(
    _ a: UInt8?, _ nameOfA: FindingText, _ b: UInt8?, _ nameOfB: FindingText
  ) -> FindingText {
    let sides = [a, b].map { $0.flatMap { SMPMessage.IOCapability(rawValue: $0) } }
    switch (sides[0], sides[1]) {
    case (.noInputNoOutput, .noInputNoOutput): return "; neither side has input or output"
    case (.noInputNoOutput, _): return "; \(nameOfA) has NoInputNoOutput"
    case (_, .noInputNoOutput): return "; \(nameOfB) has NoInputNoOutput"
    case (let a?, let b?) where !a.hasKeyboard && !b.hasKeyboard:
      return "; neither side has a keyboard"
    default: return ""
    }
  }
}
