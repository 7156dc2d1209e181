import HarkCore
import HarkCrypto

/// What the Link Layers of a connection heard on the air tell each other.
/// Core Specification, Vol 6, Part B, 5.1.
public enum LinkLayerEvent: Sendable {
  /// Nobody is named where nothing tells which side it was.
  case version(byPeripheral: Bool?, version: UInt8, company: UInt16)
  case features(byPeripheral: Bool?, UInt64)
  case channelMap(UInt64)
  /// The opcode of what is refused: LL_REJECT_IND does not name it, and the other side's request may not
  /// have been heard. No error code is in LL_UNKNOWN_RSP.
  case rejected(byPeripheral: Bool?, opcode: UInt8?, error: UInt8?)
  /// With the key of a pairing under way, or that of a bond.
  case encryptionRequested(isShortTerm: Bool)
  /// From here on what the connection carries is decrypted.
  case opened(Key)
  /// What it carries cannot be read.
  case locked(Lock)
  case isochronousStream(group: UInt8, stream: UInt8)
  case isochronousStreamAddress(UInt32)

  /// What decrypts a connection.
  public enum Key: Sendable {
    /// Of the capture, or a key file.
    case longTermKey(Fingerprint)
    /// That the packets of a legacy pairing give away: its temporary key is 0, or a passkey that was found.
    case shortTermKey(hasPasskey: Bool)
  }

  /// What would be needed to read what is encrypted.
  public enum Lock: Sendable {
    /// The LTK of a bond.
    case longTermKey
    /// The LTK that LE Secure Connections made: it never goes over the air.
    case secureConnections
    /// What was exchanged out of band, of a legacy pairing.
    case outOfBand
    /// The temporary key of a legacy pairing, for which no passkey fits what was heard.
    case temporaryKey
    /// The PDUs of the pairing: not all of them were heard.
    case pairingIncomplete
    /// The PDUs that begin encryption: not all of them were heard.
    case startNotHeard
    /// One of the keys that are there opens it, but not from here on.
    case keysDoNotFit
  }
}
