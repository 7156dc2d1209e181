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
    s1(SymmetricKey(data: k), r1: r1, r2: r2)
  }

  static func s1(_ k: SymmetricKey, r1: [UInt8], r2: [UInt8]) -> [UInt8]? {
    guard r1.count == 16, r2.count == 16 else { return nil }
    return AESBlock.encrypt(Array(r1.suffix(8) + r2.suffix(8)), k)
  }

  private static func xor(_ a: [UInt8], _ b: [UInt8]) -> [UInt8] { zip(a, b).map { $0 ^ $1 } }
}
