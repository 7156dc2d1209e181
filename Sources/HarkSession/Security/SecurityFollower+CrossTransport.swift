import HarkCore
import HarkDissection

/// The keys of a pairing over BR/EDR, which are for LE. Core Specification, Vol 3, Part H, 2.4.2.5, 3.6.1
struct CrossTransportKeys: Sendable {
  /// Whether both sides derive the LTK from the link key.
  let derivesLTK: Bool
  /// The direction of the side that requested the pairing, which is the Central.
  let centralSide: Int
  /// What the Central and the Peripheral have not distributed yet.
  private(set) var awaited: [SMPMessage.KeyDistribution]

  init(
    _ request: SMPMessage.Features, _ response: SMPMessage.Features, centralSide: Int
  ) {
    self.centralSide = centralSide
    let agreed = [
      request.initiatorKeys.intersection(response.initiatorKeys),
      request.responderKeys.intersection(response.responderKeys),
    ]
    derivesLTK = agreed.allSatisfy { $0.contains(.encryptionKey) }
    awaited = agreed.map { $0.intersection([.identityKey, .signatureKey]) }
  }

  var isComplete: Bool { awaited.allSatisfy(\.isEmpty) }

  mutating func distributed(_ key: SMPMessage.KeyDistribution, by side: Int) {
    awaited[side == centralSide ? 0 : 1].remove(key)
  }
}

// Pairing over BR/EDR: its request, its response, and the keys that both sides distribute. 2.4.2.5, 3.6.1
extension SecurityFollower {
  mutating func derivationAccepted(
    _ link: LinkID, _ moment: PacketContext, _ tables: inout Tables
  ) {
    let pairing = tables.links[link].pairing
    guard let request = pairing.request, let response = pairing.response else { return }
    let keys = CrossTransportKeys(request, response, centralSide: 1 - moment.side)
    tables.links[link].pairing.crossTransport = keys
    tables.emit(
      .security(
        .pairing(
          .crossTransportAccepted(
            .init(
              derivesLTK: keys.derivesLTK, central: .init(keys.awaited[0]),
              peripheral: .init(keys.awaited[1]))))), moment)
    endDistribution(keys, link, moment, &tables)
  }

  /// A side distributed a key, of several PDUs the last.
  mutating func distributed(
    _ key: SMPMessage.KeyDistribution, _ link: LinkID, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    tables.links[link].pairing.awaited?.sent(key, by: moment.side)
    guard !tables.links[link].pairing.isComplete,
      var keys = tables.links[link].pairing.crossTransport
    else { return }
    keys.distributed(key, by: moment.side)
    tables.links[link].pairing.crossTransport = keys
    endDistribution(keys, link, moment, &tables)
  }

  private func endDistribution(
    _ keys: CrossTransportKeys, _ link: LinkID, _ moment: PacketContext, _ tables: inout Tables
  ) {
    guard keys.isComplete else { return }
    tables.links[link].pairing.isComplete = true
    tables.emit(
      .security(.pairing(.crossTransportComplete(.init(derivesLTK: keys.derivesLTK)))), moment)
  }

  /// The link ends, or another pairing begins: reports the keys that were not distributed, unless the capture may lack
  /// them.
  mutating func derivationEnds(
    _ link: LinkID, _ moment: PacketContext, _ tables: inout Tables
  ) {
    let pairing = tables.links[link].pairing
    guard let keys = pairing.crossTransport, !pairing.isComplete, !pairing.isTimedOut,
      pairing.lostBefore == tables.counts.lost
    else { return }
    tables.links[link].pairing.crossTransport = nil
    tables.emit(
      .security(
        .pairing(
          .crossTransportIncomplete(
            .init(central: .init(keys.awaited[0]), peripheral: .init(keys.awaited[1]))))),
      moment, severity: .warning)
  }
}
