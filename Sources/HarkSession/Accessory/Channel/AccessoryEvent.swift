import HarkCore
import HarkCrypto

/// Something an accessory and a phone did over a vendor's characteristics: one row of the timeline.
/// It holds facts only; texts are made by the report.
public struct AccessoryEvent: Hashable, Sendable {
  public enum Content: Hashable, Sendable {
    // Keys
    case publicKey(PublicKeyEvent)
    case encapsulatedKey(EncapsulatedKeyEvent)
    /// The capture holds the accessory's private key: whoever has it can read everything.
    case exposedKey(ExposedKeyEvent)
    case keyExchangeComplete(KeyExchangeCompletion)

    // Messages
    /// The first message of a session, of any direction.
    case sessionSeen(sessionID: String)
    case message(TransportedMessage)
    /// What is not sealed.
    case plain(PlainMessage)
    /// Follows the message it is about. The message has it too.
    case observation(Observation, sessionID: String)

    // The framing
    case accepted(Acceptance)
    case flowControl(FlowControl)
    case incomplete(Gap)
    case unreadable(UnreadableMessage)
  }

  /// The name of the vendor's framing.
  public var framing: String
  /// The records that made it, their order, times and sizes.
  public var origin: MessageOrigin
  public var content: Content

  /// All records that made it, in order.
  public var frames: [PacketID] { origin.frames }
  /// Of the last record.
  public var time: Timestamp { origin.ended }
  public var direction: MessageDirection { origin.direction }
}

/// A public key on the air. Its fingerprint names the accessory's key pair from here on.
public struct PublicKeyEvent: Hashable, Sendable {
  public var step: SecurityStep
  public var fingerprint: Fingerprint
  /// The key that was announced before, if another.
  public var replaces: Fingerprint?
  /// Whether the private key is known.
  public var hasPrivateKey: Bool
  /// Why it cannot be a public key.
  public var defect: String?
}

/// An encapsulated key on the air: a generation of keys begins.
public struct EncapsulatedKeyEvent: Hashable, Sendable {
  public var step: SecurityStep
  /// Counted from 1 for each accessory.
  public var generation: Int
  /// The generation before, where this is a re-key.
  public var replaces: Int?
  /// The packet that had the same key: a retry.
  public var repeats: PacketID?
  /// The public key last announced; nil if the capture does not show it.
  public var publicKey: Fingerprint?
  /// Why it cannot be an encapsulated key.
  public var defect: String?
}

/// A private key that the capture holds.
public struct ExposedKeyEvent: Hashable, Sendable {
  /// Of its public key.
  public var fingerprint: Fingerprint
  public var suite: CipherSuite
  /// Whether it was not known before, from a file or the capture.
  public var isNew: Bool
}

/// The accessory confirmed that it uses the keys of a generation.
public struct KeyExchangeCompletion: Hashable, Sendable {
  public var generation: Int
  public var exchangeID: String?
  /// Since the encapsulated key, in nanoseconds.
  public var latency: Int64
}

/// Apple's `TransportMessage` on the air, read or not.
public struct TransportedMessage: Hashable, Sendable {
  public enum Outcome: Hashable, Sendable {
    case opened(OpenedPlaintext)
    /// The exact reason why it cannot be read.
    case locked(Verdict)
  }

  public var sessionID: String
  /// Bytes of IV, ciphertext and tag.
  public var size: Int
  /// Those bytes, as far as the capture has them.
  public var sealed: [UInt8]
  public var receiptID: String?
  public var outcome: Outcome
  /// Whether an encapsulated key went over the same link before. An accessory that keeps the keys
  /// in RAM cannot read a message without, after a restart, even where hark can.
  public var followsKeyOnLink: Bool
  /// Retries, reused nonces and stale keys.
  public var observations: [Observation]

  /// Nil where the message stays locked.
  public var opened: OpenedPlaintext? {
    if case .opened(let opened) = outcome { opened } else { nil }
  }

  /// Nil where the message is open.
  public var verdict: Verdict? {
    if case .locked(let verdict) = outcome { verdict } else { nil }
  }
}

/// What a message said.
public struct OpenedPlaintext: Hashable, Sendable {
  /// Empty where it may hold a password.
  public var plaintext: [UInt8]
  /// In bytes.
  public var size: Int
  /// Which key, of which generation, and what is unusual about its derivation.
  public var keyUse: KeyUse
  public var decoded: DecodedPlaintext
  /// What the message is about or answers, where that was seen.
  public var answers: EarlierMessage?
}

/// A message that a later one refers to.
public struct EarlierMessage: Hashable, Sendable {
  /// Its last record.
  public var packet: PacketID
  /// From there to the message that refers to it, in nanoseconds.
  public var latency: Int64
}

/// A receipt of the framing: the other side has a message.
public struct Acceptance: Hashable, Sendable {
  public enum Subject: Hashable, Sendable {
    case message(sessionID: String)
    case key(SecurityStep.Phase?)
  }

  public var receiptID: String
  /// Nil for a receipt of something the capture does not show.
  public var subject: Subject?
  public var answers: EarlierMessage?
}
