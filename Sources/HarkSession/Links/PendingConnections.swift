import HarkCore

/// What HCI_Connection_Complete does not contain: this host's roles on BR/EDR links that are being established, and
/// which of the peers' requests this host refuses.
struct PendingConnections {
  /// A peer's request, and whether this host refused it. Core Specification, Vol 4, Part E, 7.7.4
  private struct Request {
    let controller: UInt16
    let peer: BluetoothAddress
    let isSynchronous: Bool
    var isRefused = false
  }

  private var requests: [Request] = []
  private var entries: [(controller: UInt16, peer: BluetoothAddress, role: Link.Role)] = []

  /// The device of the LE connection that each controller is establishing, one at a time; none if the Filter Accept List
  /// names it. 7.8.12
  private var attempts: [UInt16: BluetoothAddress] = [:]

  /// Controllers page few devices at a time: if more are pending, their events are missing.
  static let most = 32

  mutating func attempt(_ peer: BluetoothAddress?, controller: UInt16) {
    attempts[controller] = peer
  }

  mutating func endAttempt(controller: UInt16) -> BluetoothAddress? {
    attempts.removeValue(forKey: controller)
  }

  mutating func expect(_ role: Link.Role, with peer: BluetoothAddress, controller: UInt16) {
    _ = take(peer, controller: controller)
    // It accepts the peer's request, or sends one itself.
    _ = endRequest(of: peer, isSynchronous: false, controller: controller)
    if role == .peripheral {
      _ = endRequest(of: peer, isSynchronous: true, controller: controller)
    }
    if entries.count == Self.most { entries.removeFirst() }
    entries.append((controller, peer, role))
  }

  mutating func take(_ peer: BluetoothAddress, controller: UInt16) -> Link.Role? {
    let index = entries.firstIndex { $0.peer == peer && $0.controller == controller }
    return index.map { entries.remove(at: $0).role }
  }

  mutating func requested(by peer: BluetoothAddress, isSynchronous: Bool, controller: UInt16) {
    _ = endRequest(of: peer, isSynchronous: isSynchronous, controller: controller)
    if requests.count == Self.most { requests.removeFirst() }
    requests.append(
      Request(controller: controller, peer: peer, isSynchronous: isSynchronous))
  }

  /// The controller has accepted this host's refusal. Old hosts refuse synchronous connections with the command for
  /// all others. 7.1.9, 7.1.28
  mutating func refused(_ peer: BluetoothAddress, isSynchronous: Bool, controller: UInt16) {
    let own = requests.indices.filter {
      requests[$0].peer == peer && requests[$0].controller == controller
    }
    let index =
      own.first { requests[$0].isSynchronous == isSynchronous } ?? (isSynchronous ? nil : own.first)
    if let index {
      requests[index].isRefused = true
    } else {
      requested(by: peer, isSynchronous: isSynchronous, controller: controller)
      requests[requests.count - 1].isRefused = true
    }
  }

  /// Whether this host refused the peer's request for a connection that failed; nil if no peer requested it.
  mutating func endRequest(
    of peer: BluetoothAddress, isSynchronous: Bool, controller: UInt16
  ) -> Bool? {
    let index = requests.firstIndex {
      $0.peer == peer && $0.isSynchronous == isSynchronous && $0.controller == controller
    }
    return index.map { requests.remove(at: $0).isRefused }
  }

  mutating func forget(controller: UInt16) {
    entries.removeAll { $0.controller == controller }
    requests.removeAll { $0.controller == controller }
    attempts[controller] = nil
  }
}
