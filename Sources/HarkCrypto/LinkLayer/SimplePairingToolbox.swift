import Crypto

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Secure Simple Pairing over BR/EDR. Core Specification, Vol 2, Part H, 7.
///
/// The number that both sides compare, the link key and the check values are made of random numbers that only LMP
/// carries, and HCI never shows. What HCI shows is Out of Band data: a random number and the commitment to it. The link
/// key and the check values need the Diffie-Hellman key as well, for which one private key has to be known.
public enum SimplePairingToolbox {
  /// The curve of the public keys. 7.4
  public enum Curve: String, CaseIterable, Sendable {
    case p192 = "P-192"
    case p256 = "P-256"

    /// The X coordinate of the debug public key, most significant octet first. 7.6.1.1, 7.6.1.2
    var debugX: [UInt8] {
      switch self {
      case .p192:
        [
          0x15, 0x20, 0x70, 0x09, 0x98, 0x44, 0x21, 0xA6, 0x58, 0x6F, 0x9F, 0xC3, 0xFE, 0x7E, 0x43,
          0x29, 0xD2, 0x80, 0x9E, 0xA5, 0x11, 0x25, 0xF8, 0xED,
        ]
      case .p256:
        [
          0x20, 0xB0, 0x03, 0xD2, 0xF2, 0x97, 0xBE, 0x2C, 0x5E, 0x2C, 0x83, 0xA7, 0xE9, 0xF9, 0xA5,
          0xB9, 0xEF, 0xF4, 0x91, 0x11, 0xAC, 0xF4, 0xFD, 0xDB, 0xCC, 0x03, 0x01, 0x48, 0x0E, 0x35,
          0x9D, 0xE6,
        ]
      }
    }
  }

  /// The commitment: X coordinates of public keys (24 or 32 octets each), a random number (16) and a bit of the
  /// passkey, or 0; most significant octets first. Nil if a size is wrong. 7.7.1
  public static func f1(u: [UInt8], v: [UInt8], x: [UInt8], z: UInt8) -> [UInt8]? {
    guard u.count == v.count, u.count == 24 || u.count == 32, x.count == 16 else { return nil }
    let code = HMAC<SHA256>.authenticationCode(for: u + v + [z], using: SymmetricKey(data: x))
    return Array(code.prefix(16))
  }

  /// The number of six digits that both users compare: X coordinates of the public keys of the initiator and the
  /// responder, and their random numbers, most significant octets first. Nil if a size is wrong. 7.7.2
  public static func g(u: [UInt8], v: [UInt8], x: [UInt8], y: [UInt8]) -> UInt32? {
    guard u.count == v.count, u.count == 24 || u.count == 32, x.count == 16, y.count == 16 else {
      return nil
    }
    let hash = Array(SHA256.hash(data: u + v + x + y))
    return hash.suffix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) } % 1_000_000
  }

  /// The link key: the Diffie-Hellman key (24 or 32 octets), random numbers (16 each) and addresses (6 each), first
  /// those of the Central; most significant octets first. Nil if a size is wrong. 7.7.3
  public static func f2(
    w: [UInt8], n1: [UInt8], n2: [UInt8], a1: [UInt8], a2: [UInt8]
  ) -> [UInt8]? {
    guard n1.count == 16, n2.count == 16, a1.count == 6, a2.count == 6 else { return nil }
    // The keyID "btlk".
    return code(n1 + n2 + [0x62, 0x74, 0x6C, 0x6B] + a1 + a2, w)
  }

  /// The check value of a side: the Diffie-Hellman key, its own random number and the other's, a passkey or the other's
  /// Out of Band data (16), its own IO capability (3), its own address and the other's; most significant octets first.
  /// Nil if a size is wrong. 7.7.4
  public static func f3(
    w: [UInt8], n1: [UInt8], n2: [UInt8], r: [UInt8], ioCapability: [UInt8], a1: [UInt8],
    a2: [UInt8]
  ) -> [UInt8]? {
    guard n1.count == 16, n2.count == 16, r.count == 16, ioCapability.count == 3, a1.count == 6,
      a2.count == 6
    else { return nil }
    return code(n1 + n2 + r + ioCapability + a1 + a2, w)
  }

  private static func code(_ text: [UInt8], _ key: [UInt8]) -> [UInt8]? {
    guard key.count == 24 || key.count == 32 else { return nil }
    let code = HMAC<SHA256>.authenticationCode(for: text, using: SymmetricKey(data: key))
    return Array(code.prefix(16))
  }

  // MARK: The debug keys. 7.6.1

  /// The curve of a public key, if it is a debug key: X and Y, 24 or 32 octets each, least significant octet first, as
  /// LMP sends them.
  public static func debugCurve(_ publicKey: [UInt8]) -> Curve? {
    Curve.allCases.first { publicKey.count == 2 * $0.debugX.count && x(publicKey) == $0.debugX }
  }

  /// The Diffie-Hellman key of two public keys, most significant octet first; nil if neither is a debug key, or where
  /// the other one is not a point of the curve.
  /// - Parameter publicKeys: X and Y, 24 or 32 octets each, least significant octet first, as LMP sends them.
  public static func debugSecret(_ publicKeys: [[UInt8]]) -> [UInt8]? {
    guard publicKeys.count == 2, publicKeys[0].count == publicKeys[1].count,
      let side = publicKeys.firstIndex(where: { debugCurve($0) != nil }),
      let curve = debugCurve(publicKeys[side])
    else { return nil }
    let other = publicKeys[1 - side]
    let point = x(other) + other.suffix(other.count / 2).reversed()
    switch curve {
    case .p192: return P192.debugSecret(with: point)
    case .p256:
      let key = try? P256.KeyAgreement.PrivateKey(rawRepresentation: SMPToolbox.debugPrivateKey)
      guard let key, let peer = try? P256.KeyAgreement.PublicKey(rawRepresentation: point),
        let secret = try? key.sharedSecretFromKeyAgreement(with: peer)
      else { return nil }
      return unsafe secret.withUnsafeBytes { unsafe Array($0) }
    }
  }

  private static func x(_ publicKey: [UInt8]) -> [UInt8] {
    publicKey.prefix(publicKey.count / 2).reversed()
  }

  /// Whether Out of Band data commits to the debug key of a curve: C = f1(PK, PK, R, 0). 7.2.2
  /// - Parameters:
  ///   - commitment: C, least significant octet first, as HCI has it.
  ///   - randomizer: R, in the same order.
  public static func commitsToDebugKey(
    _ commitment: [UInt8], _ randomizer: [UInt8], _ curve: Curve
  ) -> Bool {
    f1(u: curve.debugX, v: curve.debugX, x: randomizer.reversed(), z: 0) == commitment.reversed()
  }
}
