/// Data of one session, as iOS 26.5 and later pass it to an extension.
public struct TransportMessage: Hashable, Sendable {
  /// The session's UUID as spelled in the message: derivation strings repeat the spelling.
  public var sessionID: String
  /// IV (12 bytes), ciphertext and tag (16 bytes), or the plaintext of a session that is not
  /// encrypted.
  public var data: [UInt8]

  public init(sessionID: String, data: [UInt8]) {
    self.sessionID = sessionID
    self.data = data
  }

  /// Whether an identifier has the form of a UUID, so that nothing else has it. RFC 9562, 4
  package static func isUUID(_ identifier: String) -> Bool {
    let groups = identifier.utf8.split(
      separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard groups.map(\.count) == [8, 4, 4, 4, 12] else { return false }
    return groups.joined().allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "F"),
        UInt8(ascii: "a")...UInt8(ascii: "f"):
        true
      default: false
      }
    }
  }
}

/// Apple's `AccessoryMessage`: the outcome of a message to the accessory.
public enum AccessoryMessage {
  public enum Error: String, Hashable, Sendable, CaseIterable {
    /// It is recoverable: the phone tries again or uses another transport.
    case transportFailed
    case transportUnavailable
  }

  public enum Result: Hashable, Sendable {
    case success
    case failure(Error)
  }
}

/// The session of a transport extension.
public enum AccessoryTransportSession {
  public enum Error: String, Hashable, Sendable, CaseIterable {
    case invalidated
    case unsupported
    case unknown
  }

  public enum Decision: Hashable, Sendable {
    case accept
    case reject(error: Error?)
  }

  /// Data as iOS 26.4 and its beta pass it; 26.5 calls `featureID` the session.
  public enum DataEvent: Hashable, Sendable {
    case ciphertext(data: [UInt8], featureID: String)
    case plaintext(data: [UInt8], featureID: String)

    /// The same in today's form.
    public var message: TransportMessage {
      switch self {
      case .ciphertext(let data, let featureID), .plaintext(let data, let featureID):
        TransportMessage(sessionID: featureID, data: data)
      }
    }

    public var isEncrypted: Bool {
      if case .ciphertext = self { true } else { false }
    }
  }

  /// The events of a transport session, with the names of both generations of Apple's API. Only the data is sent over
  /// Bluetooth; everything else comes from logs and journals of the phone.
  public enum Event: Hashable, Sendable {
    case sessionRequest
    case decision(Decision)
    /// iOS 26.4: `dataEventHandler(event:)`.
    case dataEvent(DataEvent)
    /// iOS 26.5 and later: `messageReceived(_:completion:)`.
    case messageReceived(TransportMessage)
    case completed(AccessoryMessage.Result)
    /// From the accessory: `sendMessageToDataProvider(_:)`.
    case sendMessageToDataProvider(TransportMessage)
    case cancel(error: Error?)
    /// iOS 26.4 called it `invalidationHandler(error:)`.
    case sessionInvalidated(error: Error?)

    /// The first system that uses the name, if only one generation has it.
    public var generation: APIGeneration? {
      switch self {
      case .dataEvent: .dataEvents
      case .messageReceived, .completed: .transportMessages
      default: nil
      }
    }
  }
}

/// The generations of Apple's accessory API.
public enum APIGeneration: String, Hashable, Sendable, CaseIterable {
  /// DataEvent, featureID, AccessorySecurity.Event, version token `v1`.
  case dataEvents = "26.4"
  /// SecurityMessage, TransportMessage, sessionID, version token `Version1`.
  case transportMessages = "26.5"

  /// The generation whose documentation spells the version like this.
  public init?(versionToken: String) {
    switch versionToken {
    case "v1": self = .dataEvents
    case "Version1", "version1": self = .transportMessages
    default: return nil
    }
  }
}
