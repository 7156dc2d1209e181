import Crypto
import FoundationEssentials
import Testing

@testable import HarkCrypto

/// Key encapsulation and key schedule against published vectors, three other implementations, and
/// the library's own HPKE.
@Suite struct HPKEVectorTests {
  struct Encryption: Decodable { let aad, ct, nonce, pt: String }
  struct Export: Decodable {
    let exporterContext: String
    let length: Int
    let value: String
    enum CodingKeys: String, CodingKey {
      case exporterContext = "exporter_context"
      case length = "L"
      case value = "exported_value"
    }
  }
  struct Vector: Decodable {
    let kem: UInt16
    let info, skRm, pkRm, enc, sharedSecret, context, key, baseNonce, exporter: String
    let encryptions: [Encryption]
    let exports: [Export]
    enum CodingKeys: String, CodingKey {
      case info, skRm, pkRm, enc, key, encryptions, exports
      case kem = "kem_id"
      case sharedSecret = "shared_secret"
      case context = "key_schedule_context"
      case baseNonce = "base_nonce"
      case exporter = "exporter_secret"
    }
  }

  @Test(arguments: [
    ("hpke-p256-sha256-aes256gcm", CipherSuite.p256), ("hpke-xwing-sha256-aes256gcm", .xWing),
  ])
  func keySchedule(file: String, suite: CipherSuite) throws {
    for vector in try vectors(file, as: Vector.self) {
      #expect(vector.kem == suite.kem)
      let key = try accessoryKey(suite, vector.skRm)
      #expect(Fingerprint.sameKey(key.publicKey, try hex(vector.pkRm)))
      let shared = try #require(key.decapsulate(try hex(vector.enc)))
      #expect(text(shared.bytes) == vector.sharedSecret)

      let schedule = KeySchedule(suite, sharedSecret: shared)
      let info = try hex(vector.info)
      #expect(text(schedule.context(info: info)) == vector.context)
      #expect(text(schedule.key(info: info).bytes) == vector.key)
      #expect(text(schedule.baseNonce(info: info).bytes) == vector.baseNonce)
      let exporter = schedule.exporter(info: info)
      #expect(text(exporter.secret.bytes) == vector.exporter)
      for export in vector.exports {
        let value = exporter.export(context: try hex(export.exporterContext), count: export.length)
        #expect(text(value?.bytes) == export.value)
      }
      for message in vector.encryptions.reversed() {
        let opened = try open(message.ct, message.aad, message.nonce, schedule.key(info: info))
        #expect(text(opened) == message.pt)
      }
    }
  }

  private func open(_ text: String, _ aad: String, _ nonce: String, _ key: SymmetricKey) throws
    -> [UInt8]
  {
    let bytes = try hex(text)
    let box = try AES.GCM.SealedBox(
      nonce: .init(data: try hex(nonce)), ciphertext: bytes.dropLast(16), tag: bytes.suffix(16))
    return Array(try AES.GCM.open(box, using: key, authenticating: try hex(aad)))
  }

  struct Interop: Decodable {
    struct Message: Decodable { let aad, ct, pt: String }
    let suite, info, sk, pk, enc: String
    let messages: [Message]?
    let aad, ct: String?
  }

  @Test(arguments: ["hpke-interop", "hpke-from-swift"])
  func otherImplementations(file: String) throws {
    for vector in try vectors(file, as: Interop.self) {
      let suite = try #require(CipherSuite(spelling: vector.suite))
      let key = try accessoryKey(suite, vector.sk)
      #expect(Fingerprint.sameKey(key.publicKey, try hex(vector.pk)))
      let shared = try #require(key.decapsulate(try hex(vector.enc)))
      let schedule = KeySchedule(suite, sharedSecret: shared)
      let info = try hex(vector.info)
      let nonce = text(schedule.baseNonce(info: info).bytes)
      var messages = vector.messages ?? []
      if let aad = vector.aad, let ct = vector.ct {
        messages.append(.init(aad: aad, ct: ct, pt: text(Array("from swift".utf8))))
      }
      let first = try #require(messages.first)
      let opened = try open(first.ct, first.aad, nonce, schedule.key(info: info))
      #expect(text(opened) == first.pt)
    }
  }

  struct Draft: Decodable { let seed, ss, pk, ct: String }

  @Test func xWingDraft() throws {
    for vector in try vectors("xwing-draft", as: Draft.self) {
      let key = try accessoryKey(.xWing, vector.seed)
      #expect(text(key.publicKey) == vector.pk)
      #expect(text(key.decapsulate(try hex(vector.ct))?.bytes) == vector.ss)
    }
  }

  @Test func exportsEqualTheLibrarys() throws {
    let info = Array("XWing-Version1-\(Sample.identifier)".utf8)
    let context = Array("context".utf8)
    let xWing = try XWingMLKEM768X25519.PrivateKey.generate()
    let sender = try HPKE.Sender(
      recipientKey: xWing.publicKey,
      ciphersuite: .XWingMLKEM768X25519_SHA256_AES_GCM_256, info: Data(info))
    let key = try accessoryKey(.xWing, text(Array(xWing.seedRepresentation)))
    let shared = try #require(key.decapsulate(Array(sender.encapsulatedKey)))
    let own = KeySchedule(.xWing, sharedSecret: shared).exporter(info: info)
    for count in [1, 32, 8160] {
      let expected = try sender.exportSecret(context: context, outputByteCount: count)
      #expect(own.export(context: context, count: count) == expected)
    }
    #expect(own.export(context: context, count: 0) == nil)
    #expect(own.export(context: context, count: 8161) == nil)

    let p256 = P256.KeyAgreement.PrivateKey()
    let p256Sender = try HPKE.Sender(
      recipientKey: p256.publicKey, ciphersuite: .P256_SHA256_AES_GCM_256, info: Data(info))
    let p256Key = try accessoryKey(.p256, text(Array(p256.rawRepresentation)))
    let p256Shared = try #require(p256Key.decapsulate(Array(p256Sender.encapsulatedKey)))
    let p256Own = KeySchedule(.p256, sharedSecret: p256Shared).exporter(info: info)
    let expected = try p256Sender.exportSecret(context: context, outputByteCount: 32)
    #expect(p256Own.export(context: context) == expected)
  }

  @Test func whatCannotBeAnEncapsulatedKey() throws {
    let p256 = try accessoryKey(.p256, Sample.privateKey)
    let xWing = try accessoryKey(.xWing, Sample.privateKey)
    for count in [0, 1, 64, 65, 66, 1119, 1120, 1121] {
      let zeros = [UInt8](repeating: 0, count: count)
      #expect(p256.decapsulate(zeros) == nil)
      #expect(xWing.decapsulate(zeros) == nil)
    }
    // Implicit rejection: a damaged key gives another secret, not an error.
    let vector = try #require(try vectors("xwing-draft", as: Draft.self).first)
    let key = try accessoryKey(.xWing, vector.seed)
    var damaged = try hex(vector.ct)
    damaged[7] ^= 1
    let shared = try #require(key.decapsulate(damaged))
    #expect(text(shared.bytes) != vector.ss)
  }
}
