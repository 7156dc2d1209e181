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

  // MARK: Where the Diffie-Hellman key is known

  private static let secret192 = "fb3ba2012c7e62466e486e229290175b4afebc13fdccee46"
  private static let secret256 = "ec0234a357c8ad05341010a60a397d9b99796b13b4f866f1868d34f373bfa698"
  private static let otherRandom = "a6e8e7cc25a75f6e216583f7ff3dc4cf"
  private static let (address, otherAddress) = ("56123737bfce", "a713702dcfc1")

  /// Vol 2, Part G, 7.2.3.1 and 7.2.3.2.
  @Test(
    arguments: [
      (secret192, "c234c1198f3b520186ab92a2f874934e"),
      (secret256, "47300bb95c7404129450674b1741104d"),
    ])
  func f2(_ secret: String, _ expected: String) throws {
    let key = SimplePairingToolbox.f2(
      w: try hex(secret), n1: try hex(Self.random), n2: try hex(Self.otherRandom),
      a1: try hex(Self.address), a2: try hex(Self.otherAddress))
    #expect(key.map { Hex.text($0) } == expected)
    #expect(SimplePairingToolbox.f2(w: [1], n1: [], n2: [], a1: [], a2: []) == nil)
  }

  /// Vol 2, Part G, 7.2.4.1 and 7.2.4.2. Of the reversed sets, random numbers and addresses change places.
  @Test(
    arguments: [
      (secret192, "000000", false, "5e6a346b8add7ee80e7ec0c2461b1509"),
      (secret192, "000001", false, "7840e5445a13e3ce6e48a2decbe51482"),
      (secret192, "000103", false, "4512274ba875b156c2187e2061b90434"),
      (secret192, "000000", true, "8d56dc59e70855f563b5e85e42d5964e"),
      (secret192, "000103", true, "e0f484bb0b071483285903e85094046b"),
      (secret192, "010001", false, "0d4b97992eb570efb369cfe45e1681b5"),
      (secret256, "000000", false, "5634c83c9996a86b53473fe25979ec90"),
    ] as [(String, String, Bool, String)])
  func f3(_ secret: String, _ capability: String, _ isReversed: Bool, _ expected: String) throws {
    var numbers = [try hex(Self.random), try hex(Self.otherRandom)]
    var addresses = [try hex(Self.address), try hex(Self.otherAddress)]
    if isReversed {
      numbers.reverse()
      addresses.reverse()
    }
    let value = SimplePairingToolbox.f3(
      w: try hex(secret), n1: numbers[0], n2: numbers[1],
      r: try hex("12a3343bb453bb5408da42d20c2d0fc8"), ioCapability: try hex(capability),
      a1: addresses[0], a2: addresses[1])
    #expect(value.map { Hex.text($0) } == expected)
    #expect(
      SimplePairingToolbox.f3(w: [], n1: [], n2: [], r: [], ioCapability: [], a1: [], a2: [])
        == nil)
  }

  private static func key(_ x: String, _ y: String) throws -> [UInt8] {
    try hex(x).reversed() + hex(y).reversed()
  }

  /// The first of each curve is sample data: Vol 2, Part G, 7.1.1.1 and 7.1.2.1; its Y coordinates and the others are
  /// those of OpenSSL.
  @Test(
    arguments: [
      (
        "356b31938421fbbf2fb331c89fd588a69367e9a833f56812",
        "7a216af0d4b6bcb5faaa5f5b93b69f0ca60b2e13b80ca944", secret192
      ),
      (
        "188da80eb03090f67cbf20eb43a18800f4ff0afd82ff1012",
        "07192b95ffc8da78631011ed6b24cdd573f977a11e794811", p192
      ),
      (
        "188da80eb03090f67cbf20eb43a18800f4ff0afd82ff1012",
        "f8e6d46a003725879cefee1294db32298c06885ee186b7ee", p192
      ),
      (
        "dafebf5828783f2ad35534631588a3f629a70fb16982a888",
        "dd6bda0d993da0fa46b27bbc141b868f59331afa5c7e93ab",
        "79fe99ddd2eb0430a871b4af0b616628963346b5cff7e0bd"
      ),
      (
        "463212eca5b9cd63bd9c5ab97d9563fca931d828e135685b",
        "9515c7504a0eca5134d1c8b6bad8ea4b4fce4544b1878b6e",
        "2997b350de47f0a727d3c2309b1f9da5e72381d3f1a96c5e"
      ),
      (
        "1ea1f0f01faf1d9609592284f19e4c0047b58afd8615a69f559077b22faaa190",
        "4c55f33e429dad377356703a9ab85160472d1130e28e36765f89aff915b1214a", secret256
      ),
    ])
  func debugSecret(_ x: String, _ y: String, _ expected: String) throws {
    let debug =
      x.count == 48
      ? try Self.key(Self.p192, "b09d42b81bc5bd009f79e4b59dbbaa857fca856fb9f7ea25")
      : try Self.key(
        Self.p256, "dc809c49652aeb6d63329abf5a52155c766345c28fed3024741c8ed01589d28b")
    let other = try Self.key(x, y)
    #expect(SimplePairingToolbox.debugSecret([debug, other]).map { Hex.text($0) } == expected)
    #expect(SimplePairingToolbox.debugSecret([other, debug]).map { Hex.text($0) } == expected)
    #expect(SimplePairingToolbox.debugSecret([other, other]) == nil)
    #expect(SimplePairingToolbox.debugSecret([debug, Array(other.dropLast())]) == nil)
    #expect(SimplePairingToolbox.debugCurve(debug) == (x.count == 48 ? .p192 : .p256))
    #expect(SimplePairingToolbox.debugCurve(other) == nil)
    // Not a point of the curve, and coordinates that are not below p.
    var off = other
    off[0] ^= 1
    #expect(SimplePairingToolbox.debugSecret([debug, off]) == nil)
    let large = [UInt8](repeating: 0xFF, count: other.count)
    #expect(SimplePairingToolbox.debugSecret([debug, large]) == nil)
    #expect(SimplePairingToolbox.debugSecret([]) == nil)
  }
}
