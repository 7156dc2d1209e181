import Crypto
import HarkCrypto

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What a phone does in a key exchange: HPKE's sender in base mode, used for its exported keys only. RFC 9180, 4
/// and 5. The reader of captures has the receiver's side of its own, so a mistake in one shows in the other.
package struct KeySender {
  package let suite: CipherSuite
  /// 1120 bytes for X-Wing, 65 for P-256.
  package let encapsulatedKey: [UInt8]
  let sharedSecret: SymmetricKey

  /// Makes an encapsulated key for an accessory.
  /// - Parameters:
  ///   - publicKey: 1216 bytes for X-Wing; 64 or 65 for P-256.
  ///   - randomness: 64 bytes for X-Wing, 32 for P-256: the same ones make the same key.
  /// - Returns: Nil if the public key does not belong to the suite.
  package init?(_ suite: CipherSuite, publicKey: [UInt8], randomness: [UInt8]) {
    let made =
      suite == .xWing
      ? Self.xWing(publicKey, randomness) : Self.p256(publicKey, randomness)
    guard let made else { return nil }
    (encapsulatedKey, sharedSecret) = made
    self.suite = suite
  }

  /// Bytes of randomness that a suite takes.
  package static func randomnessSize(_ suite: CipherSuite) -> Int { suite == .xWing ? 64 : 32 }

  /// The AES key of one session and direction, 32 bytes.
  package func key(info: String, context: String) -> SymmetricKey {
    export(info: Array(info.utf8), context: Array(context.utf8))
  }

  func export(info: [UInt8], context: [UInt8]) -> SymmetricKey {
    let kem = suite.kem
    let hkdf = SenderHKDF(
      suiteID: Array("HPKE".utf8) + [UInt8(kem >> 8), UInt8(kem & 0xFF), 0, 1, 0, 2])
    let hashes =
      hkdf.extract(nil, "psk_id_hash", []).octets + hkdf.extract(nil, "info_hash", info).octets
    let secret = hkdf.extract(sharedSecret, "secret", [])
    let exporter = hkdf.expand(secret, "exp", [0] + hashes, 32)
    return hkdf.expand(exporter, "sec", context, 32)
  }

  /// Encapsulate of the X-Wing draft, 5.4, with `eseed`.
  private static func xWing(
    _ publicKey: [UInt8], _ randomness: [UInt8]
  ) -> ([UInt8], SymmetricKey)? {
    guard publicKey.count == 1216, randomness.count == 64,
      let lattice = MLKEM768.encapsulate(
        Array(publicKey[..<1184]), randomness: Array(randomness[..<32])),
      let ephemeral = try? Curve25519.KeyAgreement.PrivateKey(
        rawRepresentation: randomness[32...]),
      let peer = try? Curve25519.KeyAgreement.PublicKey(rawRepresentation: publicKey[1184...]),
      let agreed = try? ephemeral.sharedSecretFromKeyAgreement(with: peer)
    else { return nil }
    let curve = Array(ephemeral.publicKey.rawRepresentation)
    let label: [UInt8] = [0x5C, 0x2E, 0x2F, 0x2F, 0x5E, 0x5C]
    let combined = unsafe lattice.secret + agreed.withUnsafeBytes { unsafe Array($0) } + curve
    let secret = Keccak.sha3of256(combined + publicKey[1184...] + label)
    return (lattice.ciphertext + curve, SymmetricKey(data: secret))
  }

  /// Encap of DHKEM(P-256); RFC 9180, 4.1.
  private static func p256(
    _ publicKey: [UInt8], _ randomness: [UInt8]
  ) -> ([UInt8], SymmetricKey)? {
    let point = publicKey.count == 64 ? [0x04] + publicKey : publicKey
    let hkdf = SenderHKDF(suiteID: Array("KEM".utf8) + [0x00, 0x10])
    guard randomness.count == 32,
      let peer = try? P256.KeyAgreement.PublicKey(x963Representation: point),
      let ephemeral = ephemeral(hkdf, randomness),
      let agreed = try? ephemeral.sharedSecretFromKeyAgreement(with: peer)
    else { return nil }
    let encapsulated = Array(ephemeral.publicKey.x963Representation)
    let pseudorandom = unsafe agreed.withUnsafeBytes {
      unsafe hkdf.extract(nil, "eae_prk", Array($0))
    }
    return (encapsulated, hkdf.expand(pseudorandom, "shared_secret", encapsulated + point, 32))
  }

  /// DeriveKeyPair; RFC 9180, 7.1.3.
  private static func ephemeral(
    _ hkdf: SenderHKDF, _ randomness: [UInt8]
  ) -> P256.KeyAgreement.PrivateKey? {
    let pseudorandom = hkdf.extract(nil, "dkp_prk", randomness)
    for counter in UInt8.min...UInt8.max {
      let candidate = hkdf.expand(pseudorandom, "candidate", [counter], 32).octets
      if let key = try? P256.KeyAgreement.PrivateKey(rawRepresentation: candidate) { return key }
    }
    return nil
  }
}

/// LabeledExtract and LabeledExpand with SHA-256; RFC 9180, 4.
private struct SenderHKDF {
  let suiteID: [UInt8]

  func extract(_ salt: SymmetricKey?, _ label: String, _ material: [UInt8]) -> SymmetricKey {
    let labeled = Array("HPKE-v1".utf8) + suiteID + Array(label.utf8) + material
    let salt = salt?.octets ?? []
    let code = HKDF<SHA256>.extract(inputKeyMaterial: SymmetricKey(data: labeled), salt: salt)
    return unsafe code.withUnsafeBytes { unsafe SymmetricKey(data: $0) }
  }

  func expand(_ key: SymmetricKey, _ label: String, _ info: [UInt8], _ count: Int) -> SymmetricKey {
    let prefix = [UInt8(count >> 8), UInt8(count & 0xFF)] + Array("HPKE-v1".utf8) + suiteID
    return HKDF<SHA256>.expand(
      pseudoRandomKey: key, info: prefix + Array(label.utf8) + info, outputByteCount: count)
  }
}

extension SymmetricKey {
  var octets: [UInt8] { unsafe withUnsafeBytes { unsafe Array($0) } }
}
