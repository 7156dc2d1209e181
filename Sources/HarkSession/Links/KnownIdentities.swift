import HarkCore
import HarkCrypto
import Synchronization

/// What IRKs show about a resolvable private address.
public enum AddressIdentity: Sendable, Hashable {
  /// The identity address of the device that made it.
  case address(BluetoothAddress)
  /// The IRK that made it, if its device is unknown.
  case key(Fingerprint)
}

/// The IRK that made each address: the same few private addresses are received again and again, and each is tried
/// with each IRK once.
final class KnownIdentities: Sendable {
  private struct Known {
    /// The index of the key; nil if no key made the address.
    var keys: [BluetoothAddress: Int?] = [:]
    var trials = 0
  }
  private let known = Mutex(Known())

  private static let most = 1 << 16
  /// The total number of attempts with given IRKs; after that, only the IRKs of the capture are tried.
  private static let mostTrials = 1 << 23

  /// - Parameters:
  ///   - count: How many keys there are.
  ///   - find: Tries this many keys, starting with the last one.
  func key(of address: BluetoothAddress, of count: Int, _ find: (Int) -> Int?) -> Int? {
    known.withLock { known in
      if let key = known.keys[address] { return key }
      if known.keys.count >= Self.most { known.keys.removeAll() }
      let most = known.trials < Self.mostTrials ? count : min(count, Devices.mostKeys)
      known.trials += most
      let key = find(most)
      known.keys[address] = .some(key)
      return key
    }
  }

  /// The keys have changed.
  func forget() { known.withLock { $0.keys.removeAll() } }
}
