import HarkCore

/// Identity addresses that were looked for: the same few private addresses are received again and again, and each
/// is tried with each IRK once.
public struct KnownIdentities: Sendable {
  private var found: [UInt64: BluetoothAddress?] = [:]
  /// Of what was known when they were looked for.
  private var version = 0

  private static let most = 1 << 16

  public init() {}

  mutating func identity(
    of address: BluetoothAddress, _ version: Int, _ find: () -> BluetoothAddress?
  ) -> BluetoothAddress? {
    if version != self.version || found.count >= Self.most {
      found.removeAll()
      self.version = version
    }
    if let known = found[address.value] { return known }
    let identity = find()
    found[address.value] = .some(identity)
    return identity
  }
}
