import Testing

@testable import HarkCrypto

/// Keys as people write them, with a digit too few or mistyped: such a text is valid base64, too.
@Suite struct KeyTextTests {
  @Test(
    arguments: [
      ("0123456789abcdef0123456789abcde", "31 hexadecimal digits; a key has 32"),
      ("01:23:45:67:89:ab:cd:ef:01:23:45:67:89:ab:cd:e", "31 hexadecimal digits; a key has 32"),
      (
        "0123456789abcdef0123456789abcdeg",
        "31 hexadecimal digits and another character; a key has 32"
      ),
      ("0x0123456789abcdef0123456789abcdefa", "33 hexadecimal digits; a key has 32"),
      ("0123456789abcdef0123456789abcdef", nil), ("ABEiM0RVZneImaq7zN3u/w==", nil), ("secret", nil),
    ] as [(String, String?)])
  func mistakes(_ text: String, _ mistake: String?) {
    #expect(KeyText.mistake(Array(text.utf8), of: .irk) == mistake)
  }

  /// Vol 3, Part H, 2.3.5.3: 019655 is 0x00000000000000000000000000004CC7.
  @Test func passkeys() {
    let passkey = Array("019655".utf8)
    let bytes = [UInt8](repeating: 0, count: 14) + [0x4C, 0xC7]
    #expect(KeyText.bytes(passkey, of: .temporary) == bytes)
    #expect(KeyText.bytes(passkey, of: .ltk) == [0x01, 0x96, 0x55])
    #expect(KeyText.bytes(Array("12345a".utf8), of: .temporary) == [0x12, 0x34, 0x5A])
  }

  private static let lineEnd = "it ends with a line feed (0A), which is not part of the key"

  /// A private key of a wrong size: its digits, how many bytes it has, and what they show. The points are those of
  /// SEC 1, 2.3.3, for the private key 01…01.
  @Test(
    arguments: [
      (Sample.privateKey + "0a", "33", lineEnd),
      (
        Sample.privateKey + "0d0a", "34",
        "it ends with the end of a line (0D 0A), which is not part of the key"
      ),
      (
        "00" + String(repeating: "f1", count: 32), "33",
        "its first byte is the leading 00 of a DER INTEGER, which is not part of the key"
      ),
      (
        "02" + Sample.publicKey.prefix(64), "33",
        "it is a compressed P-256 public key, which decrypts nothing"
      ),
      (Sample.publicKey, "64", "it is a P-256 public key, which decrypts nothing"),
      ("04" + Sample.publicKey, "65", "it is a P-256 public key, which decrypts nothing"),
      (String(repeating: "01", count: 33), "33", nil),
      ("00" + Sample.privateKey, "33", nil), (String(repeating: "0a", count: 19), "19", nil),
    ] as [(String, String, String?)])
  func wrongSizes(_ digits: String, _ count: String, _ cause: String?) throws {
    var bytes = try hex(digits)
    let expected = "\(count) bytes; a P-256 private key has 32" + (cause.map { "; \($0)" } ?? "")
    do throws(KeyError) {
      _ = try AccessoryKey(.p256, privateKey: &bytes, origin: .file("test"))
      Issue.record("a key of \(count) bytes")
    } catch {
      #expect(error.description == expected)
    }
  }

  @Test func wrongSizesOfSymmetricKeys() throws {
    var key = try hex(Sample.privateKey + "0a")
    do throws(KeyError) {
      _ = try SessionKey(
        &key, direction: .hostToAccessory, session: Sample.session, origin: .file("test"))
      Issue.record("a key of 33 bytes")
    } catch {
      #expect(error.description == "33 bytes, the key has 32; \(Self.lineEnd)")
    }
    // Least significant first.
    var octets = [0x0A] + [UInt8](repeating: 1, count: 16)
    do throws(KeyError) {
      _ = try BondingKey(.longTermKey, &octets, address: nil, origin: .file("test"))
      Issue.record("a key of 17 bytes")
    } catch {
      #expect(error.description == "17 bytes, the key has 16; \(Self.lineEnd)")
    }
  }

  @Test func sizes() {
    let odd = Array(String(repeating: "a", count: 63).utf8)
    #expect(KeyText.mistake(odd, of: .session) == "63 hexadecimal digits; a key has 64")
    #expect(KeyText.mistake(odd, of: .accessory) == "63 hexadecimal digits; a key has 64 or 128")
  }
}
