import HarkCore
import HarkDissection
import Synchronization

/// Which key made each resolvable private address in a packet: trees are read again and again, and a key is tried
/// once.
final class ResolvedIdentities: Sendable {
  private struct Known {
    /// Where such addresses are; made when a tree is read while there are keys.
    var addresses: PrivateAddresses?
    /// The place of the key; -1 if none of them made it.
    var keys: [BluetoothAddress: Int] = [:]
    var trials = 0
  }

  private let known = Mutex(Known())

  func addresses(_ catalog: Catalog) -> PrivateAddresses {
    known.withLock { known in
      let addresses = known.addresses ?? PrivateAddresses(catalog)
      known.addresses = addresses
      return addresses
    }
  }

  /// Keys have come or gone.
  func forget() { known.withLock { $0.keys.removeAll(keepingCapacity: true) } }

  /// The place of the key that made an address, or nil.
  /// - Parameters:
  ///   - count: How many keys there are.
  ///   - search: Tries the given number of keys, from the last one back.
  func key(
    of address: BluetoothAddress, count: Int, _ search: (_ most: Int) -> Int?
  ) -> Int? {
    known.withLock { known in
      if let place = known.keys[address] { return place < 0 ? nil : place }
      let most = known.trials < Devices.mostTrials ? count : min(count, Devices.mostKeys)
      known.trials += most
      let place = search(most)
      if known.keys.count >= Devices.mostHeard { known.keys.removeAll(keepingCapacity: true) }
      known.keys[address] = place ?? -1
      return place
    }
  }
}

extension Devices {
  /// Adds identities to the resolvable private addresses in a tree. Costs nothing as long as no identity is known.
  func resolveAddresses(in tree: inout Tree, _ catalog: Catalog) {
    guard hasIdentities else { return }
    identities.addresses(catalog).resolve(in: &tree) { identity(of: $0) }
  }

  /// The identity address of the device that made a resolvable private address, as far as it is known.
  func identity(of address: BluetoothAddress) -> BluetoothAddress? {
    if let id = find(address) { return identity(of: id) }
    let key = identities.key(of: address, count: keyCount) { place(ofKeyFor: address, most: $0) }
    switch key.map({ owner($0) }) {
    case .device(let id): return identity(of: current(id))
    case .identity(let identity): return identity
    case .unknown, nil: return nil
    }
  }

  /// Nil as long as the device only used resolvable private addresses.
  private func identity(of id: DeviceID) -> BluetoothAddress? {
    let address = self[id].address
    return address.isResolvablePrivate ? nil : address
  }
}
