import Crypto
import CryptoExtras
import HarkCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// LE Secure Connections. Core Specification, Vol 3, Part H, 2.2.6 to 2.2.11.
extension SMPToolbox {
  /// AES-CMAC (RFC 4493) with a key of 16 octets; nil for another size. 2.2.5
  public static func cmac(_ key: [UInt8], _ message: [UInt8]) -> [UInt8]? {
    guard key.count == 16 else { return nil }
    return cmac(SymmetricKey(data: key), message)
  }

  static func cmac(_ key: SymmetricKey, _ message: [UInt8]) -> [UInt8]? {
    guard var code = try? AES.CMAC(key: key) else { return nil }
    code.update(data: message)
    return unsafe code.finalize().withUnsafeBytes { unsafe Array($0) }
  }

  /// The confirm value: X coordinates of public keys (32 each), a random number (16) and a bit of the passkey,
  /// or 0. 2.2.6
  public static func f4(u: [UInt8], v: [UInt8], x: [UInt8], z: UInt8) -> [UInt8]? {
    guard u.count == 32, v.count == 32 else { return nil }
    return cmac(x, u + v + [z])
  }

  /// MacKey and LTK, 16 octets each: the shared secret (32), both random numbers (16 each), both addresses with their
  /// types in front (7 each); first those of the Central. 2.2.7
  public static func f5(
    w: [UInt8], n1: [UInt8], n2: [UInt8], a1: [UInt8], a2: [UInt8]
  ) -> (macKey: [UInt8], ltk: [UInt8])? {
    guard w.count == 32, n1.count == 16, n2.count == 16, a1.count == 7, a2.count == 7,
      var t = cmac(salt, w)
    else { return nil }
    defer { Sodium.wipe(&t) }
    // The counter, the keyID "btle", and the length of 256 bits after the values.
    let text = [0x62, 0x74, 0x6C, 0x65] + n1 + n2 + a1 + a2 + [0x01, 0x00]
    guard let macKey = cmac(t, [0] + text), let ltk = cmac(t, [1] + text) else { return nil }
    return (macKey, ltk)
  }

  /// The check value: MacKey, both random numbers, 16 octets of out-of-band data or passkey, IO capabilities (3)
  /// and addresses (7 each). 2.2.8
  public static func f6(
    w: [UInt8], n1: [UInt8], n2: [UInt8], r: [UInt8], ioCapabilities: [UInt8], a1: [UInt8],
    a2: [UInt8]
  ) -> [UInt8]? {
    guard n1.count == 16, n2.count == 16, r.count == 16, ioCapabilities.count == 3, a1.count == 7,
      a2.count == 7
    else { return nil }
    return cmac(w, n1 + n2 + r + ioCapabilities + a1 + a2)
  }

  private static let salt: [UInt8] = [
    0x6C, 0x88, 0x83, 0x91, 0xAA, 0xF5, 0xA5, 0x38, 0x60, 0x37, 0x0B, 0xDB, 0x5A, 0x60, 0x83, 0xBE,
  ]

  // MARK: The debug key. 2.3.5.6.1

  /// Printed by the specification: no secret.
  static let debugPrivateKey: [UInt8] = [
    0x3F, 0x49, 0xF6, 0xD4, 0xA3, 0xC5, 0x5F, 0x38, 0x74, 0xC9, 0xB3, 0xE3, 0xD2, 0x10, 0x3F, 0x50,
    0x4A, 0xFF, 0x60, 0x7B, 0xEB, 0x40, 0xB7, 0x99, 0x58, 0x99, 0xB8, 0xA6, 0xCD, 0x3C, 0x1A, 0xBD,
  ]

  private static let debugPublicKey: [UInt8]? = {
    let key = try? P256.KeyAgreement.PrivateKey(rawRepresentation: debugPrivateKey)
    return key.map { Array($0.publicKey.rawRepresentation) }
  }()

  /// Whether a public key is the debug key: X and Y, 32 octets each, least significant first, as SMP sends them.
  public static func isDebugPublicKey(_ octets: [UInt8]) -> Bool {
    debugPublicKey != nil && publicKey(octets) == debugPublicKey
  }

  /// X and Y most significant octet first; nil for another size.
  static func publicKey(_ octets: [UInt8]) -> [UInt8]? {
    guard octets.count == 64 else { return nil }
    return octets[..<32].reversed() + octets[32...].reversed()
  }
}

/// A captured pairing of LE Secure Connections: all inputs of the LTK except a private key.
/// Core Specification, Vol 3, Part H, 2.3.5.6.5.
public struct SecureConnectionsPairing: Sendable {
  /// X and Y of the Central's and of the Peripheral's public key, most significant octet first.
  private let publicKeys: [[UInt8]]
  private let randoms: [[UInt8]]
  private let addresses: [[UInt8]]
  private let keySize: Int

  /// Values of the Central, then of the Peripheral. Nil if a size is wrong.
  /// - Parameters:
  ///   - publicKeys: X and Y, 32 octets each, least significant first, as SMP sends them.
  ///   - randoms: 16 octets, least significant first.
  ///   - addresses: Of the connection.
  ///   - keySize: Of the LTK, in octets: 7 to 16.
  public init?(
    publicKeys: [[UInt8]], randoms: [[UInt8]], addresses: [BluetoothAddress], keySize: Int
  ) {
    let keys = publicKeys.compactMap(SMPToolbox.publicKey)
    guard keys.count == 2, randoms.count == 2, addresses.count == 2,
      randoms.allSatisfy({ $0.count == 16 }), 7...16 ~= keySize
    else { return nil }
    self.publicKeys = keys
    self.randoms = randoms.map { $0.reversed() }
    self.addresses = addresses.map { address in
      [address.kind == .random ? 1 : 0] + address.octets
    }
    self.keySize = keySize
  }

  /// The LTK where one side used the debug key; nil if neither did.
  public func debugKey(origin: KeyOrigin) -> BondingKey? {
    ltk(origin) { peer in
      guard
        let key = try? P256.KeyAgreement.PrivateKey(
          rawRepresentation: SMPToolbox.debugPrivateKey)
      else { return nil }
      return (
        Array(key.publicKey.rawRepresentation), try? key.sharedSecretFromKeyAgreement(with: peer)
      )
    }
  }

  /// The LTK, if `key` is the private key of one side.
  public func longTermKey(with key: AccessoryKey) -> BondingKey? {
    guard key.suite == .p256, publicKeys.contains(key.publicKey) else { return nil }
    return ltk(key.origin) { peer in (key.publicKey, key.agree(with: peer)) }
  }

  /// - Parameter agree: The public key of whose private key is known, and what it agrees on with another.
  private func ltk(
    _ origin: KeyOrigin,
    _ agree: (P256.KeyAgreement.PublicKey) -> ([UInt8], SharedSecret?)?
  ) -> BondingKey? {
    defer { Sodium.wipeStack() }
    for side in [0, 1] {
      guard
        // A point that is not on the curve gives no key.
        let peer = try? P256.KeyAgreement.PublicKey(rawRepresentation: publicKeys[1 - side]),
        let (own, secret) = agree(peer), own == publicKeys[side], let secret
      else { continue }
      var shared = unsafe secret.withUnsafeBytes { unsafe Array($0) }
      defer { Sodium.wipe(&shared) }
      guard
        var made = SMPToolbox.f5(
          w: shared, n1: randoms[0], n2: randoms[1], a1: addresses[0], a2: addresses[1])
      else { return nil }
      defer { Sodium.wipe(&made.macKey) }
      // A shorter key is the LTK without its most significant octets. 2.3.4
      for index in 0..<16 - keySize { made.ltk[index] = 0 }
      made.ltk.reverse()
      return try? BondingKey(.longTermKey, &made.ltk, address: nil, origin: origin)
    }
    return nil
  }
}

extension AccessoryKey {
  /// The shared secret with a public key of P-256; nil for another suite.
  fileprivate func agree(with peer: P256.KeyAgreement.PublicKey) -> SharedSecret? {
    guard suite == .p256 else { return nil }
    return unsafe secret.withBytes { scalar in
      let key = try? unsafe P256.KeyAgreement.PrivateKey(rawRepresentation: scalar)
      return try? key?.sharedSecretFromKeyAgreement(with: peer)
    }
  }
}
