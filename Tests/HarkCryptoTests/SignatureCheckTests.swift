import HarkCore
import HarkCrypto
import Testing

/// Signatures of signed writes. The PDUs, the key and the signatures are those of BlueZ's unit/test-crypto.c
/// (sign_att_5), all least significant octet first.
@Suite struct SignatureCheckTests {
  private static let csrk: [UInt8] = [
    0x50, 0x5E, 0x42, 0xDF, 0x96, 0x91, 0xEC, 0x72, 0xD3, 0x1F, 0xCD, 0xFB, 0xEB, 0x64, 0x1B, 0x61,
  ]
  private static let pdu: [UInt8] = [0xD2, 0x12, 0x00, 0x13, 0x37]
  private static let signature: [UInt8] = [
    0x01, 0x00, 0x00, 0x00, 0xF1, 0x87, 0x1E, 0x93, 0x3C, 0x90, 0x0F, 0xF2,
  ]

  private static func ring(_ keys: [[UInt8]], _ kind: BondingKey.Kind = .signatureResolvingKey)
    throws -> KeyRing
  {
    var ring = KeyRing()
    for key in keys {
      var octets = key
      _ = ring.add(try BondingKey(kind, &octets, address: nil, origin: .file("lab.harkkeys")))
    }
    return ring
  }

  @Test func validAndInvalid() throws {
    let other = [UInt8](repeating: 7, count: 16)
    let ring = try Self.ring([other, Self.csrk])
    let valid = try #require(SignatureCheck(Self.pdu + Self.signature, ring))
    #expect(valid.counter == 1 && valid.keysTried == 2)
    #expect(valid.key == ring.bondingKeys[1].fingerprint)
    for place in 0..<(Self.pdu.count + 12) {
      var wrong = Self.pdu + Self.signature
      wrong[place] ^= 0x01
      #expect(SignatureCheck(wrong, ring)?.key == nil)
    }
    #expect(SignatureCheck(Self.pdu + Self.signature, try Self.ring([other]))?.key == nil)
  }

  /// An LTK signs nothing, and what has no room for a signature has none.
  @Test func nothingToCheck() throws {
    #expect(SignatureCheck(Self.pdu + Self.signature, KeyRing()) == nil)
    #expect(
      SignatureCheck(Self.pdu + Self.signature, try Self.ring([Self.csrk], .longTermKey)) == nil)
    #expect(SignatureCheck(Self.signature, try Self.ring([Self.csrk])) == nil)
  }
}
