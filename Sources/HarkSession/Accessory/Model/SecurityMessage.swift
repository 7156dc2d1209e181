import HarkCrypto

/// One message of a key exchange, with the members of Apple's `SecurityMessage` (iOS 26.5 and later). Members that a
/// vendor's framing does not carry are nil or empty.
public struct SecurityMessage: Hashable, Sendable {
  public enum KeyType: String, Hashable, Sendable, CaseIterable {
    /// The accessory's public key, for which the phone encapsulates a key.
    case publicKey
    /// What the phone made from the public key; the accessory derives the shared keys from it.
    case encapsulatedKey
  }

  public typealias CipherSuite = HarkCrypto.CipherSuite

  public var keyType: KeyType
  public var cipherSuite: CipherSuite
  /// The suite as spelled in the message: `XWing`. Derivation strings repeat the spelling.
  public var cipherSuiteToken: String?
  /// The version as spelled in the message: `Version1`, in the 26.4 beta `v1`.
  public var version: String?
  /// 1216 or 64 bytes of public key, 1120 or 65 bytes of encapsulated key; keys of other sizes are shown unchanged.
  public var key: [UInt8]
  public var supportedTransports: [AccessoryTransport]
  /// The phone's identifier for the accessory in derivation strings: the text of a CoreBluetooth peripheral UUID. It
  /// comes with the encapsulated key.
  public var identifier: String?

  public init(
    keyType: KeyType, cipherSuite: CipherSuite, cipherSuiteToken: String? = nil,
    version: String? = nil, key: [UInt8], supportedTransports: [AccessoryTransport] = [],
    identifier: String? = nil
  ) {
    self.keyType = keyType
    self.cipherSuite = cipherSuite
    self.cipherSuiteToken = cipherSuiteToken
    self.version = version
    self.key = key
    self.supportedTransports = supportedTransports
    self.identifier = identifier
  }

  /// Whether the key has the size that its suite and type require. A P-256 public key may have its leading 04, which
  /// Apple's API omits.
  public var hasExpectedSize: Bool {
    switch keyType {
    case .publicKey:
      key.count == cipherSuite.publicKeySize
        || (cipherSuite == .p256 && key.count == 65 && key.first == 0x04)
    case .encapsulatedKey: key.count == cipherSuite.encapsulatedKeySize
    }
  }

  /// What messages over the internet call a public key by; nil for an encapsulated key. Apple's API omits the leading 04
  /// of a P-256 key.
  public var keyID: UInt32? {
    guard keyType == .publicKey else { return nil }
    let isLong = cipherSuite == .p256 && key.count == 65
    return InternetKey.keyID(ofPublicKey: Array(key.dropFirst(isLong ? 1 : 0)))
  }

  /// The type of a key of this many bytes in a framing that does not name it.
  public static func guess(keySize: Int) -> (keyType: KeyType, cipherSuite: CipherSuite)? {
    for suite in CipherSuite.allCases {
      if keySize == suite.publicKeySize { return (.publicKey, suite) }
      if keySize == suite.encapsulatedKeySize { return (.encapsulatedKey, suite) }
    }
    return nil
  }
}

/// The transports to an accessory that Apple's API names; the last two need X-Wing.
public enum AccessoryTransport: String, Hashable, Sendable, CaseIterable {
  case bluetooth
  case localNetwork
  case internet
}
