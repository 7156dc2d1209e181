import HarkCore
import HarkCrypto

/// What happens on a stream of iAP2, or of iAP1 before it.
public enum IAP2Event: Sendable {
  /// Asks whether the other side speaks iAP2; the second time it is the answer.
  case detection(isAnswer: Bool)
  /// A frame of iAP1: told once for a stream.
  case iap1(lingo: UInt8, command: UInt16)
  case synchronization(IAP2LinkParameters, isAnswer: Bool)
  case reset
  case sleep

  // MARK: What goes wrong on the link
  /// A packet that was sent before.
  case retransmitted(sequence: UInt8)
  /// Packets that are missing from the capture, or were lost on their way.
  case missing(first: UInt8, count: Int)
  /// An extended acknowledgement: these are to be sent again.
  case wanted([UInt8])
  /// More packets are under way than the receiver allows.
  case windowExceeded(outstanding: Int, allowed: Int)
  /// For so many nanoseconds a side could send no more, as it had as many packets under way as the
  /// receiver allows; then it went on.
  case windowStalled(allowed: Int, nanoseconds: Int64)
  /// Packets that were not acknowledged when the stream ended.
  case unacknowledged(count: Int)
  /// Bytes that belong to no frame.
  case garbage(count: Int)
  /// The recorder did not keep so many bytes of a packet; nil where it did not keep the header.
  case cut(sequence: UInt8?, count: Int)
  case wrongChecksum(sequence: UInt8)
  /// A payload for a session that no SYN declared.
  case undeclaredSession(UInt8)
  /// A control session message whose end is missing.
  case incompleteMessage(UInt16?, have: Int)

  // MARK: The control session
  /// A message that is told by nothing else here.
  case message(UInt16, size: Int, [IAP2Value])
  case identification(IAP2Identification, isUpdate: Bool)
  case identificationAccepted
  /// The parameters that the Apple device does not accept; empty where it names none.
  case identificationRejected([IAP2RejectedParameter])
  case authentication(Authentication)
  case externalAccessory(EASession.Event)
  case fileTransfer(identifier: UInt8, FileTransfer)
  /// What was asked for and never came until the stream ended.
  case unanswered(Question)

  public enum Authentication: Sendable {
    case certificateRequested
    case certificate(size: Int, Fingerprint)
    case challenge(size: Int, Fingerprint)
    case response(size: Int, Fingerprint)
    case serialNumber
    case failed
    case succeeded
  }

  public enum FileTransfer: Sendable {
    case setup(size: UInt64)
    /// The bytes that came until then.
    case succeeded(bytes: UInt64)
    case failed(bytes: UInt64)
    case cancelled(bytes: UInt64)
  }

  public enum Question: String, Sendable {
    case detection, synchronization, identification, authentication
  }
}

/// What a SYN packet says of its sender and of the sessions.
public struct IAP2LinkParameters: Sendable {
  public var maxOutstanding: UInt8
  public var maxLength: UInt16
  public var retransmissionTimeout: UInt16
  public var acknowledgementTimeout: UInt16
  public var maxRetransmissions: UInt8
  public var maxAcknowledgements: UInt8
  public var sessions: [Session]

  public struct Session: Sendable {
    public var identifier: UInt8
    /// 0 control, 1 file transfer, 2 External Accessory.
    public var type: UInt8
    public var version: UInt8
  }
}

/// A parameter of a message that holds no others.
public struct IAP2Value: Sendable {
  /// Its identifier, and those of the groups around it before.
  public var path: [UInt16]
  /// As trees show it; nil where the parameter is there or not.
  public var text: String?
}

/// How an accessory presents itself.
public struct IAP2Identification: Sendable {
  public var name: String?
  public var modelIdentifier: String?
  public var manufacturer: String?
  public var serialNumber: String?
  public var firmwareVersion: String?
  public var hardwareVersion: String?
  public var protocols: [ExternalAccessoryProtocol] = []

  public struct ExternalAccessoryProtocol: Sendable {
    public var identifier: UInt8 = 0
    /// `com.example.protocol`.
    public var name = ""
    /// 0 none, 1 settings and prompt, 2 settings only.
    public var matchAction: UInt8?
  }
}

/// A parameter of the identification that the Apple device rejects.
public struct IAP2RejectedParameter: Sendable {
  /// Its identifier, and those of the groups around it before.
  public var path: [UInt16]
  /// What the accessory had said there, where that is a text or a list of protocols.
  public var value: String?
}
