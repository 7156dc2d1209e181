import Foundation
import HarkCrypto
import HarkTestSupport
import Testing

@testable import HarkSeal

/// The sender's side of HPKE against published vectors: RFC 9180, A.3; the X-Wing draft, appendix C; and the vectors
/// of both suites that other implementations made.
@Suite struct KeySenderTests {
  private struct Vectors<Vector: Decodable>: Decodable { let vectors: [Vector] }

  private struct XWing: Decodable {
    let eseed, pk, ct, ss: String
  }

  private struct HPKE: Decodable {
    let info, pkRm, enc: String
    let ikmE, eseed: String?
    let exports: [Export]

    struct Export: Decodable {
      let context: String
      let count: Int
      let value: String

      enum CodingKeys: String, CodingKey {
        case context = "exporter_context"
        case count = "L"
        case value = "exported_value"
      }
    }
  }

  private static func read<Vector: Decodable>(_ name: String) throws -> [Vector] {
    let url = Project.root.appending(path: "Tests/HarkCryptoTests/Vectors/\(name).json")
    return try JSONDecoder().decode(Vectors<Vector>.self, from: Data(contentsOf: url)).vectors
  }

  private static func bytes(_ hex: String) -> [UInt8] {
    stride(from: 0, to: hex.utf8.count, by: 2).map { place in
      let start = hex.index(hex.startIndex, offsetBy: place)
      return UInt8(hex[start..<hex.index(start, offsetBy: 2)], radix: 16) ?? 0
    }
  }

  @Test func encapsulatesAsTheDraftOfXWing() throws {
    let vectors: [XWing] = try Self.read("xwing-draft")
    #expect(vectors.count == 3)
    for vector in vectors {
      let sender = KeySender(
        .xWing, publicKey: Self.bytes(vector.pk), randomness: Self.bytes(vector.eseed))
      #expect(sender?.encapsulatedKey == Self.bytes(vector.ct))
      #expect(sender?.sharedSecret.octets == Self.bytes(vector.ss))
    }
  }

  @Test(arguments: [
    (CipherSuite.p256, "hpke-p256-sha256-aes256gcm"), (.xWing, "hpke-xwing-sha256-aes256gcm"),
  ])
  func exportsAsOtherImplementations(_ suite: CipherSuite, _ file: String) throws {
    let vectors: [HPKE] = try Self.read(file)
    #expect(!vectors.isEmpty)
    for vector in vectors {
      let randomness = try #require(vector.ikmE ?? vector.eseed)
      let sender = try #require(
        KeySender(
          suite, publicKey: Self.bytes(vector.pkRm), randomness: Self.bytes(randomness)))
      #expect(sender.encapsulatedKey == Self.bytes(vector.enc))
      let exports = vector.exports.filter { $0.count == 32 }
      #expect(!exports.isEmpty)
      for export in exports {
        let key = sender.export(
          info: Self.bytes(vector.info), context: Self.bytes(export.context))
        #expect(key.octets == Self.bytes(export.value))
      }
    }
  }

  /// FIPS 202: the digests of nothing, from NIST's examples.
  @Test func hashes() {
    #expect(
      Keccak.sha3of256([])
        == Self.bytes("a7ffc6f8bf1ed76651c14756a061d662f580ff4de43b49fa82d80a4b80f8434a"))
    #expect(
      Keccak.shake256([], count: 16) == Self.bytes("46b9dd2b0ba88d13233b3feb743eeb24"))
  }

  @Test func refusesWhatIsNoPublicKey() {
    let randomness = [UInt8](repeating: 7, count: 64)
    // A coefficient of ML-KEM is below 3329: FIPS 203, 7.2.
    #expect(
      KeySender(
        .xWing, publicKey: [UInt8](repeating: 0xFF, count: 1216), randomness: randomness) == nil)
    #expect(
      KeySender(
        .p256, publicKey: [UInt8](repeating: 1, count: 64), randomness: Array(randomness[..<32]))
        == nil)
    #expect(KeySender(.p256, publicKey: [], randomness: Array(randomness[..<32])) == nil)
  }
}
