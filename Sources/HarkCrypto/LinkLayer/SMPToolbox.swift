import Crypto

/// The cryptographic toolbox of the Security Manager. Core Specification, Vol 3, Part H, 2.2.
///
/// Every value is given and returned most significant octet first, as the specification prints it:
/// the reverse of the order in SMP PDUs. A wrong size gives nil.
public enum SMPToolbox {
  /// The hash of a resolvable private address: 3 octets from an IRK (16) and prand (3). 2.2.2.
  public static func ah(irk: [UInt8], prand: [UInt8]) -> [UInt8]? {
    ah(irk: SymmetricKey(data: irk), prand: prand)
  }

  static func ah(irk: SymmetricKey, prand: [UInt8]) -> [UInt8]? {
    guard prand.count == 3 else { return nil }
    let block = AESBlock.encrypt([UInt8](repeating: 0, count: 13) + prand, irk)
    return block.map { Array($0.suffix(3)) }
  }

  /// The confirm value of LE legacy pairing: temporary key and random number (16 each), the whole
  /// Pairing Request and Response (7 each), address types (0 or 1) and addresses (6 each). 2.2.3.
  public static func c1(
    k: [UInt8], r: [UInt8], request: [UInt8], response: [UInt8], initiatorType: UInt8,
    responderType: UInt8, initiator: [UInt8], responder: [UInt8]
  ) -> [UInt8]? {
    let p1 = response + request + [responderType, initiatorType]
    let p2 = [0, 0, 0, 0] + initiator + responder
    guard r.count == 16, p1.count == 16, p2.count == 16, request.count == 7, initiator.count == 6,
      let inner = AESBlock.encrypt(xor(r, p1), SymmetricKey(data: k))
    else { return nil }
    return AESBlock.encrypt(xor(inner, p2), SymmetricKey(data: k))
  }

  /// The short term key of LE legacy pairing: temporary key, responder's and initiator's random
  /// numbers (16 each). 2.2.4.
  public static func s1(k: [UInt8], r1: [UInt8], r2: [UInt8]) -> [UInt8]? {
    guard r1.count == 16, r2.count == 16 else { return nil }
    return AESBlock.encrypt(Array(r1.suffix(8) + r2.suffix(8)), SymmetricKey(data: k))
  }

  /// The confirm value of LE Secure Connections: two X coordinates (32 each), a random number (16)
  /// and one octet. 2.2.6.
  public static func f4(u: [UInt8], v: [UInt8], x: [UInt8], z: UInt8) -> [UInt8]? {
    guard u.count == 32, v.count == 32 else { return nil }
    return AESBlock.cmac(x, u + v + [z])
  }

  /// MacKey and LTK of LE Secure Connections: the Diffie-Hellman key (32), two random numbers (16
  /// each), two addresses with their type in front (7 each). 2.2.7.
  public static func f5(w: [UInt8], n1: [UInt8], n2: [UInt8], a1: [UInt8], a2: [UInt8])
    -> (macKey: [UInt8], ltk: [UInt8])?
  {
    let salt: [UInt8] = [
      0x6C, 0x88, 0x83, 0x91, 0xAA, 0xF5, 0xA5, 0x38, 0x60, 0x37, 0x0B, 0xDB, 0x5A, 0x60, 0x83,
      0xBE,
    ]
    guard w.count == 32, n1.count == 16, n2.count == 16, a1.count == 7, a2.count == 7,
      let t = AESBlock.cmac(salt, w)
    else { return nil }
    let rest = Array("btle".utf8) + n1 + n2 + a1 + a2 + [0x01, 0x00]
    guard let macKey = AESBlock.cmac(t, [0] + rest), let ltk = AESBlock.cmac(t, [1] + rest) else {
      return nil
    }
    return (macKey, ltk)
  }

  /// The check value of LE Secure Connections: MacKey, two random numbers, r (16 each), IO
  /// capabilities (3), two addresses with their type in front (7 each). 2.2.8.
  public static func f6(
    w: [UInt8], n1: [UInt8], n2: [UInt8], r: [UInt8], ioCapabilities: [UInt8], a1: [UInt8],
    a2: [UInt8]
  ) -> [UInt8]? {
    guard n1.count == 16, n2.count == 16, r.count == 16, ioCapabilities.count == 3, a1.count == 7,
      a2.count == 7
    else { return nil }
    return AESBlock.cmac(w, n1 + n2 + r + ioCapabilities + a1 + a2)
  }

  /// The number both sides show is this one modulo 1,000,000: two X coordinates (32 each), two
  /// random numbers (16 each). 2.2.9.
  public static func g2(u: [UInt8], v: [UInt8], x: [UInt8], y: [UInt8]) -> UInt32? {
    guard u.count == 32, v.count == 32, y.count == 16, let code = AESBlock.cmac(x, u + v + y)
    else { return nil }
    return code.suffix(4).reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// Converts keys between transports: a key (16) and a key identifier (4). 2.2.10.
  public static func h6(w: [UInt8], keyID: [UInt8]) -> [UInt8]? {
    keyID.count == 4 ? AESBlock.cmac(w, keyID) : nil
  }

  /// Converts keys between transports: a salt and a key (16 each). 2.2.11.
  public static func h7(salt: [UInt8], w: [UInt8]) -> [UInt8]? {
    w.count == 16 ? AESBlock.cmac(salt, w) : nil
  }

  private static func xor(_ a: [UInt8], _ b: [UInt8]) -> [UInt8] { zip(a, b).map { $0 ^ $1 } }
}
