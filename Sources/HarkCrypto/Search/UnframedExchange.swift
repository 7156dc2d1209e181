import Crypto
import HarkCore

/// A key exchange of which nothing but the bytes of its encapsulated key is known: derives keys for what may be
/// sealed with it, and tries them. The tag of AES-GCM shows which one is right.
public struct UnframedExchange {
  /// What the search for one exchange may cost: a capture chooses what is tried.
  public struct Budget: Sendable {
    var search = SearchBudget(candidates: 300_000, bytes: 128 << 20)
    public init() {}
  }

  /// Bytes that may be a sealed message: nonce, ciphertext and tag.
  public struct Sealed {
    fileprivate let box: SealedBox
    fileprivate let count: Int

    /// Nil if they are too short for one.
    public init?(_ bytes: some Collection<UInt8>) {
      guard let box = SealedBox(Array(bytes)) else { return nil }
      (self.box, count) = (box, bytes.count)
    }
  }

  /// What a derivation is made of beside the keys.
  public struct Names: Hashable, Sendable {
    /// The phone's name for the accessory; empty if it sends none.
    public var identifier: String
    public var session: String?
    public var direction: MessageDirection

    public init(identifier: String, session: String?, direction: MessageDirection) {
      (self.identifier, self.session, self.direction) = (identifier, session, direction)
    }
  }

  public struct Found {
    /// Which of the sealed messages it is.
    public let index: Int
    public let plaintext: [UInt8]
    /// HPKE's info.
    public let info: String
    /// Whether the derivation is the one that Apple's phones use.
    public let isUsual: Bool
  }

  public let suite: CipherSuite
  /// The public key of the private key that fits.
  public private(set) var publicKey: Fingerprint?
  private let bytes: [UInt8]
  private var secrets: [KeyGeneration.SharedSecret]

  /// Private keys that are tried, at most.
  private static let mostKeys = 4

  /// - Returns: Nil if no private key of the suite is known, or the bytes are no encapsulated key of one.
  public init?(_ bytes: [UInt8], _ suite: CipherSuite, _ ring: inout KeyRing) {
    var generation = KeyGeneration(
      number: 1, key: EncapsulatedKey(bytes, suite: suite, packet: PacketID(0)), publicKey: nil)
    generation.prepare(&ring)
    secrets = Array(generation.secrets.prefix(Self.mostKeys))
    guard !secrets.isEmpty else { return nil }
    (self.suite, self.bytes) = (suite, bytes)
  }

  /// The identifiers that key files have for the private keys.
  public var identifiers: [String] { secrets.flatMap { $0.key.identifiers } }

  /// Tries the usual derivation, or with `isThorough` those with one deviation, on each of `messages`.
  public mutating func open(
    _ messages: [Sealed], _ names: Names, isThorough: Bool = false, _ budget: inout Budget
  ) -> Found? {
    defer { Sodium.wipeStack() }
    for (place, secret) in secrets.enumerated() {
      var deriver = SecretDeriver(suite, secret)
      let generation = KeyGeneration(
        number: 1,
        key: EncapsulatedKey(
          bytes, suite: suite, packet: PacketID(0), identifier: names.identifier),
        publicKey: nil)
      let candidates = Candidates(
        generation: generation, keyIdentifiers: [],
        message: SealedMessage(
          [], session: names.session, direction: names.direction, packet: PacketID(0)),
        deviceIdentifiers: [], deviceSessions: [])
      var found: Found?
      candidates.first(isThorough ? 1...1 : 0...0) { variant in
        guard budget.search.take(4, bytes: 0) else { return true }
        let derivation = candidates.derivation(variant)
        guard let key = deriver.key(derivation) else { return false }
        for (index, message) in messages.enumerated() {
          guard budget.search.take(bytes: message.count) else { return true }
          guard let plaintext = message.box.open(key) else { continue }
          found = Found(
            index: index, plaintext: plaintext, info: derivation.info, isUsual: !isThorough)
          return true
        }
        return false
      }
      guard let found else { continue }
      // The others are of other accessories.
      secrets = [secrets[place]]
      publicKey = secret.key.fingerprint
      return found
    }
    return nil
  }
}

extension UnframedExchange.Budget {
  /// Whether nothing more may be tried.
  public var isSpent: Bool { !search.allows(4, bytes: 0) }
}

extension KeyRing {
  /// The public keys of all private keys, as messages carry them: of P-256 without the leading 04.
  public var publicKeys: [(suite: CipherSuite, bytes: [UInt8])] {
    accessoryKeys.map { ($0.suite, $0.publicKey) }
  }
}
