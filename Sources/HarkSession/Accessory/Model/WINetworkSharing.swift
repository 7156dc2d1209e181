/// Apple's Wi-Fi Infrastructure (iOS 26.2 and later): the phone shares its Wi-Fi networks with an accessory, over a
/// transport session. The vendor defines what is sent; these are Apple's terms.
public enum WINetworkSharing {
  /// `WINetworkSharingProvider.Network`; only the kind of its credentials is kept.
  public struct Network: Hashable, Sendable {
    public var ssid: String
    public var isSSIDBroadcast: Bool?
    /// `open`, `owe`, `wep`, `wpa`, `wpa2`, `wpa3`, as spelled in the message.
    public var securityPolicy: [String]
    public var credentials: Credentials?

    public init(
      ssid: String, isSSIDBroadcast: Bool? = nil, securityPolicy: [String] = [],
      credentials: Credentials? = nil
    ) {
      (self.ssid, self.isSSIDBroadcast) = (ssid, isSSIDBroadcast)
      (self.securityPolicy, self.credentials) = (securityPolicy, credentials)
    }
  }

  public enum Credentials: String, Hashable, Sendable, CaseIterable {
    case none
    case password
    case enterprise
  }

  /// `WINetworkSharingError`.
  public enum Error: String, Hashable, Sendable, CaseIterable {
    case error
    case timeout
    case communicationFailure
    case wifiNetworkSharingUnsupported
    case appNotPermitted
    case appNotInForeground
    case accessoryTransportNotSecured
    case accessoryNotConfigured
    case accessoryNotAuthorized
    case accessoryNotConnected
    case noAvailableNetworks
    case tooManyRequests
    case noAccessoryScanResponse
    case noMatchingAccessoryScanRequest
  }

  public enum Event: Hashable, Sendable {
    case network(Network)
    case failed(Error)
  }
}
