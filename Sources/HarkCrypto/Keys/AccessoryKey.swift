import Crypto
import HarkCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// An accessory's private key.
public struct AccessoryKey: Sendable {
  public var details: KeyDetails
  public var name: String? { details.name }
  public let suite: CipherSuite
  /// The public key as a SecurityMessage carries it: 1216 bytes, or 64 for P-256.
  public let publicKey: [UInt8]
  /// Of the public key.
  public let fingerprint: Fingerprint
  /// Identifiers the phone is known to use for this accessory: CoreBluetooth peripheral UUIDs.
  public let identifiers: [String]
  public let origin: KeyOrigin
  let secret: Secret

  /// Takes a private key and wipes it: X-Wing's seed (32 bytes) or seed with checksum (64 bytes),
  /// P-256's scalar (32 bytes, most significant first).
  /// - Throws: `KeyError` when no key has these bytes, or `publicKey` is not its public key.
  public init(
    _ suite: CipherSuite, privateKey: inout [UInt8], publicKey: [UInt8]? = nil,
    name: String? = nil, identifiers: [String] = [], origin: KeyOrigin
  ) throws(KeyError) {
    defer { Sodium.wipe(&privateKey) }
    let own: [UInt8]
    switch suite {
    case .xWing: own = try Self.xWingPublicKey(privateKey)
    case .p256: own = try Self.p256PublicKey(privateKey)
    }
    if let publicKey {
      let isPrefixed = suite == .p256 && publicKey.count == KeyShape.p256Uncompressed.size
      guard publicKey.count == own.count || isPrefixed else {
        throw .publicKeySize(suite, publicKey.count)
      }
    }
    if let publicKey, Fingerprint.sameKey(publicKey, own) == false { throw .publicKeyDiffers }
    details = KeyDetails(name: name)
    self.suite = suite
    self.publicKey = own
    self.fingerprint = Fingerprint(publicKey: own)
    self.identifiers = identifiers
    self.origin = origin
    // The seed is the key; the checksum after it has been verified.
    secret = Secret(copying: privateKey.span.extracting(first: 32))
  }

  /// The private key as it is sent, and the public key, for who removes it from a capture that gives
  /// it away: of X-Wing the seed with its checksum, 64 bytes, and the seed alone.
  package var exposedForms: (privateKeys: [[UInt8]], publicKey: [UInt8]) {
    let seed = unsafe secret.withBytes { unsafe [UInt8]($0) }
    return (Self.forms(suite, seed), publicKey)
  }

  /// The same forms of another private key, in the same order; nil if the bytes are none.
  package static func forms(
    _ suite: CipherSuite, seed: [UInt8]
  ) -> (privateKeys: [[UInt8]], publicKey: [UInt8])? {
    var bytes = seed
    guard let key = try? AccessoryKey(suite, privateKey: &bytes, origin: .file("")) else {
      return nil
    }
    return key.exposedForms
  }

  private static func forms(_ suite: CipherSuite, _ seed: [UInt8]) -> [[UInt8]] {
    guard case .xWing = suite,
      let key = try? XWingMLKEM768X25519.PrivateKey(seedRepresentation: seed, publicKey: nil)
    else { return [seed] }
    return [Array(key.integrityCheckedRepresentation), seed]
  }

  private static func xWingPublicKey(_ bytes: [UInt8]) throws(KeyError) -> [UInt8] {
    do {
      switch bytes.count {
      case 32:
        let key = try XWingMLKEM768X25519.PrivateKey(seedRepresentation: bytes, publicKey: nil)
        return Array(key.publicKey.rawRepresentation)
      case 64:
        let key = try XWingMLKEM768X25519.PrivateKey(integrityCheckedRepresentation: bytes)
        return Array(key.publicKey.rawRepresentation)
      default:
        throw KeyError.size(.xWing, of: bytes)
      }
    } catch let error as KeyError {
      throw error
    } catch {
      throw .invalid(.xWing)
    }
  }

  private static func p256PublicKey(_ bytes: [UInt8]) throws(KeyError) -> [UInt8] {
    guard bytes.count == 32 else { throw .size(.p256, of: bytes) }
    do {
      let key = try P256.KeyAgreement.PrivateKey(rawRepresentation: bytes)
      return Array(key.publicKey.rawRepresentation)
    } catch {
      throw .invalid(.p256)
    }
  }
}

extension Fingerprint {
  /// Whether two public keys are the same, a leading 04 of P-256 apart.
  static func sameKey(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    func bare(_ key: [UInt8]) -> ArraySlice<UInt8> {
      key.count == 65 && key.first == 0x04 ? key.dropFirst() : key[...]
    }
    return bare(a) == bare(b)
  }
}
