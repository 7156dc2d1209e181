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

extension SecurityMessage {
  /// Determines the suite by its spelling, or else by the size of the key.
  package init?(_ keyType: KeyType, suite token: String?, key: [UInt8]) {
    let named = token.flatMap { CipherSuite(spelling: $0) }
    guard let suite = named ?? Self.guess(keySize: key.count)?.cipherSuite else { return nil }
    self.init(keyType: keyType, cipherSuite: suite, cipherSuiteToken: token, key: key)
  }
}
