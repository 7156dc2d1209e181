import Crypto
import HarkCore

/// One key exchange of an accessory: what its encapsulated key was sent with, and the shared secrets
/// that came of it. Decapsulated once for each private key, when the first message needs it.
public struct KeyGeneration: Sendable {
  /// Private keys tried, at most.
  static let mostKeys = 16
  /// Private keys that the whole grid is tried with, at most.
  static let mostSearchedKeys = 2
  /// What a decapsulation costs, in candidates.
  private static let decapsulationCost = 16

  /// Counted from 1 for each phone of each accessory.
  public let number: Int
  /// Counted from 1 for each accessory.
  let serial: Int
  public internal(set) var key: EncapsulatedKey
  /// The packets that had the key before the one that `key` names.
  private var earlierPackets: Set<PacketID> = []
  /// Of the public key last announced before the exchange; nil if none was seen.
  public let publicKey: Fingerprint?
  /// Why the encapsulated key cannot be one; nil as long as nothing contradicts it.
  public private(set) var defect: String?

  /// Packets with the same key that are remembered.
  private static let mostPackets = 64

  /// Its key is sent once more.
  mutating func comeAgain(as key: EncapsulatedKey) {
    if earlierPackets.count < Self.mostPackets { earlierPackets.insert(self.key.packet) }
    self.key = key
  }

  /// Whether a packet has its key.
  func isSent(in packet: PacketID) -> Bool {
    key.packet == packet || earlierPackets.contains(packet)
  }

  /// Messages that failed with every candidate.
  var failures = 0
  private(set) var secrets: [SharedSecret] = []
  private var triedKeys: Set<Fingerprint> = []
  /// Keys the ring had the last time.
  private var ringCount = 0

  /// The shared secret with one private key.
  struct SharedSecret: Sendable {
    let key: AccessoryKey
    /// Whether the key is the announced one; true too where none was announced.
    let isAnnounced: Bool
    let secret: Secret
    /// With the public key in its erroneous form; P-256 only.
    let rawSecret: Secret?
    /// What ECDH gives, from which the KEM derives `secret`; P-256 only.
    let agreement: Secret?
  }

  init(number: Int, serial: Int = 1, key: EncapsulatedKey, publicKey: Fingerprint?) {
    self.number = number
    self.serial = serial
    self.key = key
    self.publicKey = publicKey
    let size = key.suite.encapsulatedKeySize
    if key.bytes.count != size {
      defect = "\(key.bytes.count) bytes; \(key.suite.name) needs \(size)"
    } else if key.suite == .p256, !KeyShape.p256Uncompressed.fits(key.bytes) {
      defect = KeyShape.notOnCurve
    }
  }

  /// The secret of the announced key first; the newest first where none was announced.
  var likeliest: [SharedSecret] {
    guard publicKey != nil else { return secrets.reversed() }
    return secrets.filter(\.isAnnounced) + secrets.filter { !$0.isAnnounced }
  }

  /// Decapsulates with each key of the ring that was not tried yet.
  mutating func prepare(_ ring: inout KeyRing) {
    guard ring.accessoryKeys.count != ringCount else { return }
    ringCount = ring.accessoryKeys.count
    for privateKey in ring.accessoryKeys where privateKey.suite == key.suite {
      guard defect == nil, triedKeys.contains(privateKey.fingerprint) == false else { continue }
      let isAnnounced = publicKey == nil || publicKey == privateKey.fingerprint
      if publicKey == nil || !isAnnounced {
        guard secrets.count < Self.mostKeys,
          ring.usualBudget.take(Self.decapsulationCost, bytes: 0)
        else { continue }
      }
      let agreement = privateKey.agree(key.bytes)
      func secret(_ form: PublicKeyForm) -> SymmetricKey? {
        agreement.map { privateKey.sharedSecret($0, key.bytes, form) }
      }
      guard let usual = secret(.uncompressed) ?? privateKey.decapsulate(key.bytes) else {
        defect = "\(key.suite.name) yields no secret for it"
        return
      }
      triedKeys.insert(privateKey.fingerprint)
      secrets.append(
        SharedSecret(
          key: privateKey, isAnnounced: isAnnounced, secret: Secret(usual),
          rawSecret: secret(.raw).map { Secret($0) }, agreement: agreement.map { Secret($0) }))
      failures = 0
    }
  }
}
