import HarkCore
import HarkCrypto

// What can be computed for a pairing in which a side uses the debug key, whose private key the specification prints.
// Core Specification, Vol 2, Part H, 7.2.4, 7.2.5, 7.6.1.
extension LinkManagerFollower {
  /// Checks the value with which a side confirms what both sides sent.
  func checkValue(
    _ value: [UInt8], of side: Int, _ link: LinkID, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    guard let exchange = exchanges[link], let secret = exchange.secret, let r = exchange.r,
      let own = exchange.numbers[side], let other = exchange.numbers[1 - side],
      let capability = exchange.capabilities[side],
      let addresses = addresses(link, moment, &tables),
      let right = SimplePairingToolbox.f3(
        w: secret, n1: own, n2: other, r: r, ioCapability: capability, a1: addresses[side],
        a2: addresses[1 - side])
    else { return }
    let isRight = value == right
    emit(
      .checkValue(isRight: isRight, isPeer: side == 1), moment,
      severity: isRight ? .info : .error, &tables)
  }

  /// Checks whether a link key follows from the debug key.
  func check(linkKey: [UInt8], _ moment: PacketContext, _ tables: inout Tables) {
    guard let link = moment.link, let exchange = exchanges[link], let secret = exchange.secret,
      let role = tables.links[link].role, let addresses = addresses(link, moment, &tables)
    else { return }
    let central = role == .central ? 0 : 1
    guard let first = exchange.numbers[central], let second = exchange.numbers[1 - central],
      let right = SimplePairingToolbox.f2(
        w: secret, n1: first, n2: second, a1: addresses[central], a2: addresses[1 - central])
    else { return }
    let isDerived = linkKey == right
    emit(.linkKey(isDerived: isDerived), moment, severity: isDerived ? .info : .warning, &tables)
  }

  /// This controller's address and the peer's, most significant octet first.
  private func addresses(
    _ link: LinkID, _ moment: PacketContext, _ tables: inout Tables
  ) -> [[UInt8]]? {
    guard let own = tables.controllers[moment.controller].address,
      let peer = tables.links[link].peer
    else { return nil }
    return [own.octets, peer.octets]
  }
}

extension LinkManagerFollower.Exchange {
  /// What the check values contain instead of an exchanged value: 0, or the passkey, which is unknown if a user
  /// enters it. Nil for Out of Band data, whose random numbers LMP does not carry. 7.2.4
  fileprivate var r: [UInt8]? {
    if capabilities.contains(where: { $0?[1] != 0 }) { return nil }
    guard hasPasskey else { return [UInt8](repeating: 0, count: 16) }
    return passkey.map { passkey in
      [UInt8](repeating: 0, count: 12)
        + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: passkey >> $0) }
    }
  }
}
