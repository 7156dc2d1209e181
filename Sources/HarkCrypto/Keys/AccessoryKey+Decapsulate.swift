import Crypto

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// How the recipient's P-256 public key enters the KEM's context.
public enum PublicKeyForm: Hashable, Sendable {
  /// 65 bytes: 04, X and Y. RFC 9180, 4.1 and 7.1.1.
  case uncompressed
  /// 64 bytes, X and Y: an error of firmware that takes the key as a SecurityMessage carries it.
  case raw
}

extension AccessoryKey {
  /// The shared secret of an encapsulated key, 32 bytes; nil when the encapsulated key cannot be
  /// one: a wrong size, not on the curve, or all zeros.
  ///
  /// X-Wing gives a different secret, not nil, for an encapsulated key that was damaged or made for
  /// another public key (implicit rejection).
  func decapsulate(_ encapsulatedKey: [UInt8], _ form: PublicKeyForm = .uncompressed)
    -> SymmetricKey?
  {
    guard encapsulatedKey.count == suite.encapsulatedKeySize else { return nil }
    switch suite {
    case .xWing:
      return unsafe secret.withBytes { seed in
        let key = try? unsafe XWingMLKEM768X25519.PrivateKey(
          seedRepresentation: seed, publicKey: nil)
        return try? key?.decapsulate(Data(encapsulatedKey))
      }
    case .p256:
      return agree(encapsulatedKey).map { sharedSecret($0, encapsulatedKey, form) }
    }
  }

  /// What ECDH gives for an encapsulated key, 32 bytes; nil for X-Wing, and if it is not a point on the curve.
  /// RFC 9180, 4.1 and 7.1.
  func agree(_ encapsulatedKey: [UInt8]) -> SymmetricKey? {
    guard suite == .p256, encapsulatedKey.count == suite.encapsulatedKeySize else { return nil }
    return unsafe secret.withBytes { scalar -> SymmetricKey? in
      guard let key = try? unsafe P256.KeyAgreement.PrivateKey(rawRepresentation: scalar),
        let peer = try? P256.KeyAgreement.PublicKey(x963Representation: encapsulatedKey),
        let agreed = try? key.sharedSecretFromKeyAgreement(with: peer)
      else { return nil }
      return unsafe agreed.withUnsafeBytes { unsafe SymmetricKey(data: $0) }
    }
  }

  /// The shared secret from what ECDH gives: ExtractAndExpand of RFC 9180, 4.1.
  func sharedSecret(
    _ agreed: SymmetricKey, _ encapsulatedKey: [UInt8], _ form: PublicKeyForm
  ) -> SymmetricKey {
    let hkdf = LabeledHKDF(
      suiteID: Array("KEM".utf8) + [UInt8(suite.kem >> 8), UInt8(suite.kem & 0xFF)])
    let pseudorandom = unsafe agreed.withUnsafeBytes { bytes in
      unsafe hkdf.extract(salt: nil, "eae_prk", bytes)
    }
    let prefix: [UInt8] = form == .uncompressed ? [0x04] : []
    return hkdf.expand(pseudorandom, "shared_secret", encapsulatedKey + prefix + publicKey, 32)
  }
}
