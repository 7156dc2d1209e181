import Testing

@testable import HarkCrypto

@Suite struct InternetRatchetTests {
  /// Message key and next chain key of the first three messages; root 11…11, a TEST KEY.
  let steps = [
    (
      "8170b838f8b8e540721e7b1239f61a562af9c54ef60fd7b233b21a48e1c83e7d",
      "6e6c502c9194ecdf493b10ad05c2b5e1079830d3a07c51493c313c7a03626be8"
    ),
    (
      "537c5a64921182312c0e5b79d3ebe01194696b12bfdba2297b14f40c5ca87ace",
      "50ebf4b47ac118ca28e8315a16214b3c3156358c96fe331a069e767931e7c681"
    ),
    (
      "32ef7f6d195ea61d6657d3ed922f137b394dc00d3d5a24c41bc82dfad56a6e80",
      "83e54484487eb9a95f7397ea7e4bca0ebc801093b12dc12f4d209227d5619b00"
    ),
  ]

  func ratchet() -> InternetRatchet {
    var root = [UInt8](repeating: 0x11, count: 32)
    return InternetRatchet(root: Secret(taking: &root))
  }

  @Test func stepsMatch() throws {
    var ratchet = ratchet()
    for (index, step) in steps.enumerated() {
      #expect(text(ratchet.messageKey(UInt32(index))?.key.bytes) == step.0)
      #expect(text(ratchet.chainKeyForTests) == step.1)
    }
    #expect(ratchet.messageKey(1) == nil, "a message key is used once")
  }

  @Test func skips() {
    var ratchet = ratchet()
    #expect(text(ratchet.messageKey(2)?.key.bytes) == steps[2].0)
    #expect(ratchet.messageKey(.max) == nil)
    #expect(ratchet.messageKey(3 + InternetRatchet.longestSkip + 1) == nil)
    #expect(ratchet.index == 3)
  }

  @Test func contexts() {
    #expect(
      InternetRatchet.rootContext(.accessoryToHost, identifier: "X")
        == "AccessoryInternetKey-AccessoryToHost-X")
    #expect(InternetRatchet.keyID(publicKey: [1, 2, 3]).count == 4)
  }
}
