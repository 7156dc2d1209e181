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

  @Test func sizes() {
    let odd = Array(String(repeating: "a", count: 63).utf8)
    #expect(KeyText.mistake(odd, of: .session) == "63 hexadecimal digits; a key has 64")
    #expect(KeyText.mistake(odd, of: .accessory) == "63 hexadecimal digits; a key has 64 or 128")
  }
}
