import Crypto
import FoundationEssentials
import HarkCore
import Testing

@testable import HarkCrypto

/// A phone that exchanges keys with an accessory and seals messages, by the library's own HPKE.
struct Phone {
  let encapsulatedKey: [UInt8]
  let export: @Sendable (String) throws -> SymmetricKey

  /// A phone that derives with `info`, for an accessory's private key.
  init(_ key: AccessoryKey, info: String) throws {
    switch key.suite {
    case .xWing:
      let sender = try HPKE.Sender(
        recipientKey: XWingMLKEM768X25519.PublicKey(rawRepresentation: key.publicKey),
        ciphersuite: .XWingMLKEM768X25519_SHA256_AES_GCM_256, info: Data(info.utf8))
      encapsulatedKey = Array(sender.encapsulatedKey)
      export = { try sender.exportSecret(context: Array($0.utf8), outputByteCount: 32) }
    case .p256:
      let sender = try HPKE.Sender(
        recipientKey: P256.KeyAgreement.PublicKey(rawRepresentation: key.publicKey),
        ciphersuite: .P256_SHA256_AES_GCM_256, info: Data(info.utf8))
      encapsulatedKey = Array(sender.encapsulatedKey)
      export = { try sender.exportSecret(context: Array($0.utf8), outputByteCount: 32) }
    }
  }

  /// IV, ciphertext and tag of `text` under the key for `context`.
  func seal(_ text: String, _ context: String, iv: [UInt8]? = nil) throws -> [UInt8] {
    try HarkCryptoTests.seal(text, export(context), iv: iv)
  }
}

func seal(_ text: String, _ key: SymmetricKey, iv: [UInt8]? = nil) throws -> [UInt8] {
  let nonce = try iv.map { try AES.GCM.Nonce(data: $0) } ?? AES.GCM.Nonce()
  let box = try AES.GCM.seal(Array(text.utf8), using: key, nonce: nonce)
  return Array(try #require(box.combined))
}

/// One accessory whose exchange was captured, and the keys to read it.
struct Scene {
  var decryptor = Decryptor()
  var ring = KeyRing()
  let key: AccessoryKey
  var packet: UInt32 = 10

  init(_ suite: CipherSuite) throws {
    key = try accessoryKey(suite, Sample.privateKey, name: "TEST KEY")
    ring.add(key)
  }

  /// Announces the public key and takes a phone's encapsulated key.
  @discardableResult
  mutating func exchange(
    _ phone: Phone, identifier: String? = Sample.identifier, version: String? = nil
  ) -> KeyExchange.EncapsulatedKeySighting {
    packet += 2
    _ = decryptor.publicKey(key.publicKey, suite: key.suite)
    return decryptor.encapsulatedKey(
      EncapsulatedKey(
        phone.encapsulatedKey, suite: key.suite, packet: PacketID(packet), identifier: identifier,
        version: version))
  }

  /// The same of the sample, whose phone is gone.
  mutating func exchangeOfSample() throws {
    _ = decryptor.publicKey(try hex(Sample.publicKey), suite: .p256)
    _ = decryptor.encapsulatedKey(
      EncapsulatedKey(
        try hex(Sample.encapsulatedKey), suite: .p256, packet: PacketID(3),
        identifier: Sample.identifier))
  }

  mutating func open(
    _ blob: [UInt8], _ direction: MessageDirection = .hostToAccessory,
    session: String? = Sample.session
  ) -> Opened {
    packet += 1
    let message = SealedMessage(
      blob, session: session, direction: direction, packet: PacketID(packet))
    return decryptor.open(message, with: &ring)
  }
}
