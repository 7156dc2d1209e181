/// A session of Apple's External Accessory framework, carried by iAP2.
public struct EASession: Hashable, Sendable {
  /// The number the phone gave the session in StartExternalAccessoryProtocolSession.
  public var sessionIdentifier: UInt16
  /// The number the accessory gave the protocol in its identification.
  public var protocolIdentifier: UInt8
  /// `com.example.protocol`, where the identification was seen.
  public var protocolString: String?

  public init(sessionIdentifier: UInt16, protocolIdentifier: UInt8, protocolString: String?) {
    self.sessionIdentifier = sessionIdentifier
    self.protocolIdentifier = protocolIdentifier
    self.protocolString = protocolString
  }

  public enum Event: Hashable, Sendable {
    case open(EASession)
    /// Bytes of the stream in one direction.
    case data(sessionIdentifier: UInt16, count: Int)
    case close(sessionIdentifier: UInt16)
  }
}
