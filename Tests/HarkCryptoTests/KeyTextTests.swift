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

  @Test func sizes() {
    let odd = Array(String(repeating: "a", count: 63).utf8)
    #expect(KeyText.mistake(odd, of: .session) == "63 hexadecimal digits; a key has 64")
    #expect(KeyText.mistake(odd, of: .accessory) == "63 hexadecimal digits; a key has 64 or 128")
  }
}
