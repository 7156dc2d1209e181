import HarkCore
import HarkDissection

// Keys of bonds that the controller requests, and that the host does not have. Core Specification, Vol 4, Part E, 7.7.23,
// 7.7.65.5.
extension SecurityFollower {
  /// The host answers that it has no LTK: there never was one, the bond was lost, or the peer requests another key than
  /// it was given. Vol 4, Part E, 7.8.26
  mutating func longTermKeyMissing(_ moment: PacketContext, _ tables: inout Tables) {
    var event = SecurityEvent.KeyMissing(keyKind: .longTermKey)
    if let link = moment.link, let requested = requestedKeys[link],
      let device = tables.links[link].device, let given = givenKeys[tables.devices.current(device)],
      given != requested
    {
      event.names = .init(requested: requested, given: given)
    }
    tables.emit(.security(.keyMissing(event)), moment, severity: .warning)
  }

  /// The Central requests encryption with the LTK that EDIV and Rand identify. Vol 3, Part H, 2.4.4
  mutating func longTermKeyRequested(
    _ name: SecurityEvent.KeyMissing.Name, _ moment: PacketContext
  ) {
    if let link = moment.link { requestedKeys[link] = name }
  }

  /// This host gives the peer an LTK by this name: it keeps the last one. 2.4.2.3
  mutating func gave(
    _ name: SecurityEvent.KeyMissing.Name, _ link: LinkID, _ moment: PacketContext,
    _ tables: borrowing Tables
  ) {
    guard moment.isSenderKnown, !moment.isFromPeer, tables.links[link].air == nil,
      let device = tables.links[link].device
    else { return }
    givenKeys.set(tables.devices.current(device), name)
  }

  /// As above, for the link key. Vol 4, Part E, 7.1.11
  mutating func linkKeyMissing(
    _ peer: BluetoothAddress?, _ moment: PacketContext, _ tables: inout Tables
  ) {
    let (moment, device) = tables.atPeer(peer, moment)
    tables.emit(.security(.keyMissing(.init(keyKind: .linkKey))), moment, device: device)
  }
}
