/// A session of Apple's External Accessory framework, carried by iAP2.
public struct EASession: Hashable, Sendable {
  /// The number the phone gave the session in StartExternalAccessoryProtocolSession.
  public var sessionIdentifier: UInt16
  /// The number the accessory gave the protocol in its identification; nil if the session's
  /// start is not in the capture.
  public var protocolIdentifier: UInt8?
  /// `com.example.protocol`, where the identification was seen.
  public var protocolString: String?

  public init(sessionIdentifier: UInt16, protocolIdentifier: UInt8?, protocolString: String?) {
    self.sessionIdentifier = sessionIdentifier
    self.protocolIdentifier = protocolIdentifier
    self.protocolString = protocolString
  }

  /// What a vendor's own framing says about a session that it carries.
  public enum Message: Hashable, Sendable {
    case open
    /// The accessory takes the session, or does not.
    case status(isAccepted: Bool)
    /// So many bytes of the stream.
    case data(count: Int)
    /// With the bytes until then; the channel counts them.
    case close(toAccessory: Int, fromAccessory: Int)
  }

  /// Bytes of the stream.
  public struct Traffic: Hashable, Sendable {
    /// From the host the capture was made on.
    public var sent: Int
    public var received: Int
    /// Whether that host is the accessory; nil if the capture does not show it.
    public var isHostAccessory: Bool?
    /// How many more the recorder did not keep, of both directions.
    public var cut = 0
  }

  public enum End: String, Hashable, Sendable {
    /// StopExternalAccessoryProtocolSession.
    case stopped
    /// The stream under it ended, or the capture.
    case lost
  }
}
