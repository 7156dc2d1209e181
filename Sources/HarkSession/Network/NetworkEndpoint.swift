import HarkCore

/// One end of a connection over the local network.
public struct NetworkEndpoint: Hashable, Sendable, CustomStringConvertible {
  public let address: IPAddress
  public let port: UInt16

  /// `192.168.7.2:7001`, `[fe80::1]:7001`
  public var description: String {
    address.isVersion4 ? "\(address):\(port)" : "[\(address)]:\(port)"
  }
}
