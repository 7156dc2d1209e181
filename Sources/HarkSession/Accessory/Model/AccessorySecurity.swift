/// The key exchange with the names of the iOS 26.4 beta. Logs and journals of applications built for it still contain
/// these names.
public enum AccessorySecurity {
  public enum Crypto {
    /// What the phone gives to the accessory in the beta: both keys with their strings.
    public struct KeyMaterial: Hashable, Sendable {
      public var identifier: String
      public var publicKey: [UInt8]
      public var encapsulatedKey: [UInt8]
      public var ciphersuite: String
      /// `v1` in the beta.
      public var version: String

      public init(
        identifier: String, publicKey: [UInt8], encapsulatedKey: [UInt8], ciphersuite: String,
        version: String
      ) {
        self.identifier = identifier
        self.publicKey = publicKey
        self.encapsulatedKey = encapsulatedKey
        self.ciphersuite = ciphersuite
        self.version = version
      }
    }
  }

  /// One step of the exchange.
  public enum Event: Hashable, Sendable {
    case keyRequest
    case keyReply(ciphersuite: String, publicKey: [UInt8])
    case keyExchange(Crypto.KeyMaterial)
    case encapsulatedKey([UInt8])
  }
}

extension AccessorySecurity.Event {
  /// The same with today's names. A request does not carry a key; a key whose suite follows neither from its name nor
  /// from its size is left out.
  public var securityMessages: [SecurityMessage] {
    switch self {
    case .keyRequest:
      return []
    case .keyReply(let suite, let key):
      return SecurityMessage(.publicKey, suite: suite, key: key).map { [$0] } ?? []
    case .keyExchange(let material):
      let keys: [(SecurityMessage.KeyType, [UInt8])] = [
        (.publicKey, material.publicKey), (.encapsulatedKey, material.encapsulatedKey),
      ]
      return keys.compactMap { type, key in
        var message = SecurityMessage(type, suite: material.ciphersuite, key: key)
        message?.version = material.version
        if type == .encapsulatedKey { message?.identifier = material.identifier }
        return message
      }
    case .encapsulatedKey(let key):
      return SecurityMessage(.encapsulatedKey, suite: nil, key: key).map { [$0] } ?? []
    }
  }
}

extension SecurityMessage {
  /// Determines the suite by its spelling, or else by the size of the key.
  package init?(_ keyType: KeyType, suite token: String?, key: [UInt8]) {
    let named = token.flatMap { CipherSuite(spelling: $0) }
    guard let suite = named ?? Self.guess(keySize: key.count)?.cipherSuite else { return nil }
    self.init(keyType: keyType, cipherSuite: suite, cipherSuiteToken: token, key: key)
  }
}

/// The session of a security extension (iOS 26.5 and later).
public enum AccessorySecuritySession {
  public enum Error: String, Hashable, Sendable, CaseIterable {
    case invalidated
    case unsupported
    case unknown
  }

  public enum Decision: Hashable, Sendable {
    case accept
    case reject(error: Error?)
  }

  /// The outcome of a security session; only logs and journals of the phone contain it.
  public enum Event: Hashable, Sendable {
    case sessionRequest
    case decision(Decision)
    /// The accessory's message, handed to the phone.
    case sendSecurityMessage(SecurityMessage)
    /// The phone's message, to be delivered to the accessory.
    case messageReceived(SecurityMessage)
    /// The extension's answer. Without it, the phone assumes that the exchange succeeded.
    case completed(AccessoryMessage.Result)
    case cancel(error: Error?)
    case sessionInvalidated(error: Error?)
  }
}
