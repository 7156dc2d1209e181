import Crypto
import FoundationEssentials
import HarkCore
import Testing

@testable import HarkCrypto

/// The internet transport. Expected keys were made with Python's cryptography from the root 11…11.
@Suite struct InternetRatchetTests {
  private static let vectors: [(message: String, chain: String)] = [
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

  private static func key(
    _ digits: String = String(repeating: "11", count: 32), index: UInt32 = 0,
    keyID: UInt32? = nil
  ) throws -> InternetKey {
    var bytes = try hex(digits)
    return try InternetKey(
      &bytes, direction: .accessoryToHost, keyID: keyID, index: index, origin: .file("test"))
  }

  private static func seal(_ text: String, _ key: String) throws -> [UInt8] {
    let box = try AES.GCM.seal(Data(text.utf8), using: SymmetricKey(data: try hex(key)))
    return Array(try #require(box.combined))
  }

  @Test func chain() throws {
    var chain = Secret(SymmetricKey(data: try hex(String(repeating: "11", count: 32))))
    for (index, vector) in Self.vectors.enumerated() {
      let (message, next) = InternetRatchet.keys(chain, UInt32(index))
      #expect(text(message.key.bytes) == vector.message && text(next.key.bytes) == vector.chain)
      chain = next
    }
  }

  /// A key exchange yields the root keys of both directions. Expected values are pyhpke's exports of the same exchange.
  @Test func rootKeysOfAnExchange() throws {
    var scene = try Scene(.p256)
    _ = scene.decryptor.publicKey(scene.key.publicKey, suite: .p256)
    _ = scene.decryptor.encapsulatedKey(
      EncapsulatedKey(
        try hex(Sample.encapsulatedKey), suite: .p256, packet: PacketID(10),
        identifier: Sample.identifier))
    #expect(scene.ring.exportedInternetKeys.isEmpty)
    #expect(scene.open(try hex(Sample.toAccessory)).plaintext != nil)
    #expect(scene.open(try hex(Sample.toHost), .accessoryToHost).plaintext != nil)
    let roots = scene.ring.exportedInternetKeys
    #expect(roots.map(\.direction) == [.hostToAccessory, .accessoryToHost])
    #expect(
      roots.map { text($0.secret.key.bytes) } == [
        "a39cd7b5510f5cb7af90d7c061d4fec3b50a8e90fcc79963052777745f1a7418",
        "2501249860854cb6c82deefd1c1dd9fa7164c51f731c833ea37a21707b02593e",
      ])
    #expect(roots.allSatisfy { $0.keyID == 0xE72F_65F9 && $0.index == 0 })
  }

  /// Messages out of order open, each once; one that fails changes nothing.
  @Test func outOfOrder() throws {
    var ratchet = InternetRatchet(try Self.key())
    let sealed = try Self.vectors.enumerated().map {
      try Self.seal("message \($0.offset)", $0.element.message)
    }
    var damaged = sealed[2]
    damaged[20] ^= 1
    #expect(throws: InternetRatchet.Failure.self) { try ratchet.open(damaged, index: 2) }
    #expect(throws: InternetRatchet.Failure.self) { try ratchet.open(sealed[2], index: 1) }
    for index in [2, 0, 1] {
      let plaintext = try ratchet.open(sealed[index], index: UInt32(index))
      #expect(String(decoding: plaintext, as: UTF8.self) == "message \(index)")
      #expect(throws: InternetRatchet.Failure.passed(next: 3)) {
        try ratchet.open(sealed[index], index: UInt32(index))
      }
    }
    #expect(throws: InternetRatchet.Failure.tooShort(27)) {
      try ratchet.open([UInt8](repeating: 0, count: 27), index: 3)
    }
    #expect(throws: InternetRatchet.Failure.tooFar(next: 3)) {
      try ratchet.open(sealed[0], index: .max)
    }
  }

  /// A chain key of the middle, and a chain whose first message is number 1.
  @Test func otherBeginnings() throws {
    var middle = InternetRatchet(try Self.key(Self.vectors[1].chain, index: 2))
    let sealed = try Self.seal("two", Self.vectors[2].message)
    let before = InternetRatchet.Failure.beforeStart(first: 2)
    #expect(throws: before) { try middle.open(sealed, index: 1) }
    #expect(try middle.open(sealed, index: 2) == Array("two".utf8))
    let root = Secret(SymmetricKey(data: try hex(String(repeating: "11", count: 32))))
    let first = text(InternetRatchet.keys(root, 1).message.key.bytes)
    var ratchet = InternetRatchet(try Self.key())
    #expect(try ratchet.open(Self.seal("one", first), index: 1) == Array("one".utf8))
  }

  private static func problem(
    of payload: APNsPayload, _ ratchets: inout InternetRatchets
  ) -> InternetRatchets.Problem? {
    do throws(InternetRatchets.Failure) {
      _ = try ratchets.open(payload)
      return nil
    } catch { return error.problem }
  }

  /// Why a payload cannot be opened.
  @Test func problems() throws {
    func payload(_ bytes: [UInt8]) throws -> APNsPayload {
      let text = """
        {"aps": {"encryptedData": "\(Data(bytes).base64EncodedString())", "keyID": "AQIDBA==", "messageIndex": 0}}
        """
      return try APNsPayload.read(Array(text.utf8))[0]
    }
    let sealed = try Self.seal("hello", Self.vectors[0].message)
    var damaged = sealed
    damaged[20] ^= 1
    var ratchets = InternetRatchets([try Self.key(keyID: 0x0102_0304)])
    let tagFails = InternetRatchets.Problem.refused(.tagFails, isNamed: true)
    #expect(try Self.problem(of: payload(damaged), &ratchets) == tagFails)
    #expect(try Self.problem(of: payload(sealed), &ratchets) == nil)
    #expect(try Self.problem(of: payload(sealed), &ratchets) == .sentAgain)
    #expect(
      try Self.problem(of: payload(damaged + [0]), &ratchets)
        == .refused(.passed(next: 1), isNamed: true))
    var others = InternetRatchets([try Self.key(keyID: 7)])
    #expect(try Self.problem(of: payload(sealed), &others) == .noKey)
    var unnamed = InternetRatchets([try Self.key()])
    #expect(
      try Self.problem(of: payload(damaged), &unnamed) == .refused(.tagFails, isNamed: false))
  }

  @Test func payloads() throws {
    let sealed = Data(try Self.seal("hello", Self.vectors[0].message)).base64EncodedString()
    let payload = """
      {"aps": {"encryptedData": "\(sealed)", "sessionIdentifier": "S", "keyID": "AQIDBA==", "messageIndex": 0}}
      """
    for text in [payload, "[\(payload)]", payload + "\n\n" + payload.replacing("0}}", with: "1}}")]
    {
      #expect(APNsPayload.isMeant(Array(text.utf8)))
      let found = try APNsPayload.read(Array(text.utf8))
      #expect(found[0].keyID == 0x0102_0304 && found[0].messageIndex == 0)
      #expect(
        found[0].sessionIdentifier == "S" && found.last?.messageIndex == UInt32(found.count - 1))
      var ratchets = InternetRatchets([
        try Self.key(keyID: 0x0A0B_0C0D), try Self.key(keyID: 0x0102_0304),
      ])
      #expect(try ratchets.open(found[0]).plaintext == Array("hello".utf8))
      #expect(Self.problem(of: found[0], &ratchets) == .sentAgain)
      var others = InternetRatchets([try Self.key(keyID: 7)])
      #expect(throws: InternetRatchets.Failure.self) { try others.open(found[0]) }
    }
    for wrong in [
      "{}", "[1]", payload.replacing("AQIDBA==", with: "AQID"),
      payload.replacing("0}}", with: "-1}}"), payload.replacing("keyID", with: "id"),
      payload.replacing(sealed, with: "?"), payload + "\n{",
    ] {
      #expect(throws: APNsPayload.Failure.self, "\(wrong)") {
        try APNsPayload.read(Array(wrong.utf8))
      }
    }
  }
}
