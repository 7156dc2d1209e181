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
  /// passkey, or 0; most significant octets first. Nil where a size is wrong. 7.7.1
  public static func f1(u: [UInt8], v: [UInt8], x: [UInt8], z: UInt8) -> [UInt8]? {
    guard u.count == v.count, u.count == 24 || u.count == 32, x.count == 16 else { return nil }
    let code = HMAC<SHA256>.authenticationCode(for: u + v + [z], using: SymmetricKey(data: x))
    return Array(code.prefix(16))
  }

  /// The number of six digits that both users compare: X coordinates of the public keys of the initiator and the
  /// responder, and their random numbers, most significant octets first. Nil where a size is wrong. 7.7.2
  public static func g(u: [UInt8], v: [UInt8], x: [UInt8], y: [UInt8]) -> UInt32? {
    guard u.count == v.count, u.count == 24 || u.count == 32, x.count == 16, y.count == 16 else {
      return nil
    }
    let hash = Array(SHA256.hash(data: u + v + x + y))
    return hash.suffix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) } % 1_000_000
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
