/// A session of Apple's External Accessory framework, carried by iAP2.
public struct EASession: Hashable, Sendable {
  /// The number that the phone assigned to the session in StartExternalAccessoryProtocolSession.
  public var sessionIdentifier: UInt16
  /// The number that the accessory assigned to the protocol in its identification; nil if the session's start is not
  /// in the capture.
  public var protocolIdentifier: UInt8?
  /// `com.example.protocol`, if the identification is in the capture.
  public var protocolString: String?

  public init(sessionIdentifier: UInt16, protocolIdentifier: UInt8?, protocolString: String?) {
    self.sessionIdentifier = sessionIdentifier
    self.protocolIdentifier = protocolIdentifier
    self.protocolString = protocolString
  }

  /// What a vendor's own framing reports about a session that it carries.
  public enum Message: Hashable, Sendable {
    case open
    /// The accessory accepts or refuses the session.
    case status(isAccepted: Bool)
    /// This many bytes of the stream.
    case data(count: Int)
    /// With the bytes until then, which the channel counts.
    case close(toAccessory: Int, fromAccessory: Int)
  }

  /// Bytes of the stream.
  public struct Traffic: Hashable, Sendable {
    /// Sent by the recorded host.
    public var sent: Int
    public var received: Int
    /// Whether that host is the accessory; nil if the capture does not show it.
    public var isHostAccessory: Bool?
    /// How many more bytes the recorder cut, in both directions.
    public var cut = 0
  }

  public enum End: String, Hashable, Sendable {
    /// StopExternalAccessoryProtocolSession.
    case stopped
    /// Another session began with its number.
    case replaced
    /// The stream that carries it ended, or the capture did.
    case lost
  }
}
