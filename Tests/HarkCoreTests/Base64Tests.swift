import Testing

@testable import HarkCore

struct Base64Tests {
  /// RFC 4648, 10.
  static let vectors = [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
    ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
  ]

  @Test(arguments: vectors) func theVectors(_ plain: String, _ encoded: String) {
    let characters = encoded.utf8.filter { $0 != UInt8(ascii: "=") }
    #expect(Base64.decode(encoded.utf8) == Array(plain.utf8))
    #expect(Base64.decode(characters) == Array(plain.utf8))
    #expect(Base64.characters(Array(plain.utf8), isURL: false) == characters)
  }

  /// RFC 4648, 4 and 5, tables 1 and 2: they differ in the last two characters.
  @Test func bothAlphabets() {
    #expect(Base64.characters([0xFB, 0xFF], isURL: false) == Array("+/8".utf8))
    #expect(Base64.characters([0xFB, 0xFF], isURL: true) == Array("-_8".utf8))
    #expect(Base64.decode("+/8".utf8) == [0xFB, 0xFF])
    #expect(Base64.decode("-_8=".utf8) == [0xFB, 0xFF])
    for value in UInt8(0)..<64 {
      #expect(Base64.value(of: Base64.character(value, isURL: false)) == value)
      #expect(Base64.value(of: Base64.character(value, isURL: true)) == value)
    }
  }

  @Test(arguments: ["A", "AAAAA", "AAA==", "AAAA=", "=AAA", "AA=A", "AA A", "AAA\u{E4}", "===="])
  func neither(_ text: String) {
    #expect(Base64.decode(text.utf8) == nil)
  }
}
