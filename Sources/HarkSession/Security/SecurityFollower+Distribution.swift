import HarkCore
import HarkDissection

/// The keys of a pairing over LE that both sides have agreed to send once the link is encrypted, and that have not been
/// sent. Core Specification, Vol 3, Part H, 2.4.3, 3.6.1
struct AwaitedKeys: Sendable {
  private let centralSide: Int
  /// Those of the Central and of the Peripheral.
  private(set) var keys: [SMPMessage.KeyDistribution]

  /// - Parameters:
  ///   - isSecure: With LE Secure Connections, both sides have the LTK already. 3.6.1
  ///   - centralSide: The direction of the side that requested the pairing.
  init(
    _ request: SMPMessage.Features, _ response: SMPMessage.Features, isSecure: Bool,
    centralSide: Int
  ) {
    self.centralSide = centralSide
    let sent: SMPMessage.KeyDistribution =
      isSecure ? [.identityKey, .signatureKey] : [.encryptionKey, .identityKey, .signatureKey]
    keys = [
      request.initiatorKeys.intersection(response.initiatorKeys).intersection(sent),
      request.responderKeys.intersection(response.responderKeys).intersection(sent),
    ]
  }

  var isEmpty: Bool { keys.allSatisfy(\.isEmpty) }

  /// A side has sent a key, of several PDUs the last.
  mutating func sent(_ key: SMPMessage.KeyDistribution, by side: Int) {
    keys[side == centralSide ? 0 : 1].remove(key)
  }
}

extension SecurityFollower {
  /// Both sides agree on the keys of a bond. Sniffers miss PDUs.
  func awaitKeys(_ link: LinkID, _ moment: PacketContext, _ tables: inout Tables) {
    let pairing = tables.links[link].pairing
    guard let request = pairing.request, let response = pairing.response,
      pairing.isBonding == true, moment.isSenderKnown, tables.links[link].air == nil
    else { return }
    tables.links[link].pairing.awaited = AwaitedKeys(
      request, response, isSecure: pairing.secureConnections, centralSide: 1 - moment.side)
  }

  /// The link ends, or another pairing begins: reports the keys that were not sent, unless the capture may lack them.
  func distributionEnds(_ link: LinkID, _ moment: PacketContext, _ tables: inout Tables) {
    let pairing = tables.links[link].pairing
    guard let awaited = pairing.awaited, !awaited.isEmpty, pairing.isComplete, !pairing.isTimedOut,
      pairing.lostBefore == tables.counts.lost, tables.links[link].controllerEnd == nil
    else { return }
    tables.links[link].pairing.awaited = nil
    tables.emit(
      .security(
        .pairing(
          .keysMissing(
            .init(central: .init(awaited.keys[0]), peripheral: .init(awaited.keys[1]))))),
      moment, severity: .warning)
  }
}
