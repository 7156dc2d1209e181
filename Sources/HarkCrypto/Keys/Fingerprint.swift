import Crypto

/// What hark shows instead of a key: 32 bits of a hash, as 8 hexadecimal digits.
///
/// Of a public key, and of the private key that belongs to it, SHA-256 of the public key as it is
/// sent in a SecurityMessage; of a symmetric key, BLAKE2b in a domain of its own.
public struct Fingerprint: Hashable, Sendable, CustomStringConvertible {
  public let value: UInt32

  init(hash: some Sequence<UInt8>) {
    value = hash.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// Of a public key: 1216 bytes for X-Wing, 64 (X and Y) or 65 bytes (04, X and Y) for P-256; both
  /// forms of P-256 have the same fingerprint.
  public init(publicKey: [UInt8]) {
    let isPrefixed = publicKey.count == 65 && publicKey.first == 0x04
    self.init(hash: SHA256.hash(data: isPrefixed ? Array(publicKey.dropFirst()) : publicKey))
  }

  /// Of bytes that are no key: SHA-256.
  public init(of bytes: [UInt8]) {
    self.init(hash: SHA256.hash(data: bytes))
  }

  /// Of a symmetric key.
  public init(_ secret: Secret) {
    let digest = unsafe secret.withBytes {
      unsafe Sodium.hash($0, context: "hark fingerprint of a symmetric key")
    }
    self.init(hash: digest)
  }

  /// 8 lower-case hexadecimal digits: `3f2a9c41`.
  public var description: String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }
}
