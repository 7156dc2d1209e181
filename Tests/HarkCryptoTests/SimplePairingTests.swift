import HarkCore
import Testing

@testable import HarkCrypto

/// Functions of Secure Simple Pairing, with the sample data of the Core Specification, Vol 2, Part G, 7.2.
@Suite struct SimplePairingTests {
  private static let (p192, other192) = (
    "15207009984421a6586f9fc3fe7e4329d2809ea51125f8ed",
    "356b31938421fbbf2fb331c89fd588a69367e9a833f56812"
  )
  private static let (p256, other256) = (
    "20b003d2f297be2c5e2c83a7e9f9a5b9eff49111acf4fddbcc0301480e359de6",
    "55188b3d32f6bb9a900afcfbeed4e72a59cb9ac2f19d7cfb6b4fdd49f47fc5fd"
  )
  private static let random = "d5cb8454d177733effffb2ec712baeab"

  @Test(
    arguments: [
      (p192, other192, 0x00, "1bdc955a9d542ffc9f9e670cdf665010"),
      (p192, other192, 0x80, "611325ebcb6e5269b868113306095fa6"),
      (p192, other192, 0x81, "b68df39fd8a406b06a6c517d3666cf91"),
      (other192, p192, 0x00, "f4e1ec4b88f305e81477627b1643a927"),
      (p192, p192, 0x00, "49125fc1e8cdc615826c15e5d23ede41"),
      (p256, other256, 0x00, "d301ce92cc7b9e3f51d2924b8b33faca"),
      (p256, other256, 0x80, "7e431112c10de8a3984c8ac8149ff6ec"),
    ] as [(String, String, UInt8, String)])
  func f1(_ u: String, _ v: String, _ z: UInt8, _ expected: String) throws {
    let value = SimplePairingToolbox.f1(
      u: try hex(u), v: try hex(v), x: try hex(Self.random), z: z)
    #expect(value.map { Hex.text($0) } == expected)
  }

  /// 7.2.2.1, 7.2.2.2: the six digits of 0x52146a1e, and 0x000240e0.
  @Test(
    arguments: [(p192, other192, 69598), (p256, other256, 0x0002_40E0)]
      as [(String, String, UInt32)])
  func g(_ u: String, _ v: String, _ expected: UInt32) throws {
    let value = SimplePairingToolbox.g(
      u: try hex(u), v: try hex(v), x: try hex(Self.random),
      y: try hex("a6e8e7cc25a75f6e216583f7ff3dc4cf"))
    #expect(value == expected)
    #expect(SimplePairingToolbox.g(u: try hex(u), v: [], x: [], y: []) == nil)
  }

  /// Set 3a of f1 is the commitment to the debug key, as HCI would have it.
  @Test func debugKey() throws {
    let commitment: [UInt8] = try hex("49125fc1e8cdc615826c15e5d23ede41").reversed()
    let randomizer: [UInt8] = try hex(Self.random).reversed()
    #expect(SimplePairingToolbox.commitsToDebugKey(commitment, randomizer, .p192))
    #expect(!SimplePairingToolbox.commitsToDebugKey(commitment, randomizer, .p256))
    #expect(!SimplePairingToolbox.commitsToDebugKey(randomizer, commitment, .p192))
    #expect(!SimplePairingToolbox.commitsToDebugKey([], [], .p192))
    // The debug key of P-256 is the same in both transports.
    let y = "dc809c49652aeb6d63329abf5a52155c766345c28fed3024741c8ed01589d28b"
    let key: [UInt8] =
      try SimplePairingToolbox.Curve.p256.debugX.reversed() + hex(y).reversed()
    #expect(SMPToolbox.isDebugPublicKey(key))
  }
}
