import Crypto

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// A key pair for a test, and how firmware and other programs want to have it.
extension AccessoryKey {
  /// A new private key.
  public static func generate(_ suite: CipherSuite, identifiers: [String]) -> AccessoryKey? {
    var generator = SystemRandomNumberGenerator()
    // All but 2⁻³² of the numbers of this size are private keys of P-256.
    for _ in 0..<8 {
      var bytes = (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }
      if let key = try? AccessoryKey(
        suite, privateKey: &bytes, identifiers: identifiers, origin: .file(""))
      {
        return key
      }
    }
    return nil
  }

  /// One form of the public key.
  public struct PublicForm: Sendable {
    public let name: String
    public let bytes: [UInt8]
  }

  /// The public key as bytes: as a SecurityMessage carries it, and of P-256 also as SEC 1 (2.3.3) and SPKI
  /// (RFC 5480) write it.
  public var publicForms: [PublicForm] {
    let raw = PublicForm(name: "raw", bytes: publicKey)
    guard suite == .p256,
      let key = try? P256.KeyAgreement.PublicKey(rawRepresentation: publicKey)
    else { return [raw] }
    return [
      raw, PublicForm(name: "uncompressed", bytes: Array(key.x963Representation)),
      PublicForm(name: "compressed", bytes: Array(key.compressedRepresentation)),
      PublicForm(name: "SPKI DER", bytes: Array(key.derRepresentation)),
    ]
  }

  /// Reads a public key in any of these forms, with or without PEM.
  /// - Returns: The suite, and the key as `publicKey` has it, or with 04 before it; nil for anything else.
  public static func publicKey(_ bytes: [UInt8]) -> (suite: CipherSuite, key: [UInt8])? {
    switch bytes.count {
    case CipherSuite.xWing.publicKeySize: return (.xWing, bytes)
    case 64, 65: return (.p256, bytes)
    default: break
    }
    let point =
      (try? P256.KeyAgreement.PublicKey(compressedRepresentation: bytes))
      ?? (try? P256.KeyAgreement.PublicKey(derRepresentation: bytes))
      ?? (try? P256.KeyAgreement.PublicKey(
        pemRepresentation: String(decoding: bytes, as: UTF8.self)))
    return point.map { (.p256, Array($0.rawRepresentation)) }
  }

  /// SPKI in PEM; P-256 only.
  public var publicPEM: String? {
    guard suite == .p256 else { return nil }
    return try? P256.KeyAgreement.PublicKey(rawRepresentation: publicKey).pemRepresentation
  }

  /// PKCS #8 in PEM, which holds the secret; P-256 only.
  public var privatePEM: String? {
    guard suite == .p256 else { return nil }
    return unsafe secret.withBytes { scalar in
      try? unsafe P256.KeyAgreement.PrivateKey(rawRepresentation: scalar).pemRepresentation
    }
  }
}

extension SessionKey {
  /// The line of a key log, which holds the secret.
  public var logLine: String {
    let key = unsafe secret.withBytes { unsafe [UInt8]($0) }
    return #"{"direction":"\#(direction.rawValue)","sessionID":"\#(session)","key":""#
      + key.map { byte in
        let digits = String(byte, radix: 16)
        return digits.count == 1 ? "0" + digits : digits
      }.joined() + #""}"#
  }
}
