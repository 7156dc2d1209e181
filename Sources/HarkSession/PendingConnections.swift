import HarkCore

/// The roles this host has on BR/EDR links that are being set up: HCI_Connection_Complete does not
/// tell them.
struct PendingConnections {
  private var entries: [(controller: UInt16, peer: BluetoothAddress, role: Link.Role)] = []

  /// Controllers page few devices at a time; more in waiting means their events are missing.
  static let most = 32

  mutating func expect(_ role: Link.Role, with peer: BluetoothAddress, controller: UInt16) {
    _ = take(peer, controller: controller)
    if entries.count == Self.most { entries.removeFirst() }
    entries.append((controller, peer, role))
  }

  mutating func take(_ peer: BluetoothAddress, controller: UInt16) -> Link.Role? {
    let index = entries.firstIndex { $0.peer == peer && $0.controller == controller }
    return index.map { entries.remove(at: $0).role }
  }
}
