import HarkCrypto
import Testing

@testable import HarkRedact

@Suite struct PseudonymTests {
  private let made = Pseudonyms(
    hash: KeyedHash(key: [UInt8](repeating: 7, count: 32)) ?? KeyedHash(), level: .share)

  /// The form of a text stays, and no letter or digit of it.
  @Test(arguments: ["Anna’s iPhone 15", "日本語のイヤホン", "🚆 Zug 7", "F9K2-XY0042", "한국어 폰"])
  func text(_ text: String) throws {
    let bytes = Array(text.utf8)
    let new = made.text(bytes)
    let other = try #require(String(validating: new, as: UTF8.self))
    #expect(new.count == bytes.count)
    #expect(other.utf16.count == text.utf16.count)
    for (a, b) in zip(text.unicodeScalars, other.unicodeScalars) where a.isASCII {
      let isKept = !(a.properties.isAlphabetic || a.properties.numericType != nil)
      #expect((a == b) == isKept)
      #expect(a.properties.isUppercase == b.properties.isUppercase)
    }
    // A shortened name stays one.
    #expect(Array(made.text(Array(bytes.prefix(4))).prefix(4)) == Array(new.prefix(4)))
  }

  /// Letters become letters of their script: no controls, no signs that turn a text around, nothing unassigned.
  @Test(arguments: [
    "Мария Ёлкина", "Γιώργος", "יעל כהן", "فاطمة", "田中花子", "さくら", "한국어", "สมชาย", "Ⅷ № ½", "🎧🚆😀",
    "Zoë Čapek",
  ]) func scripts(_ text: String) throws {
    let new = try #require(String(validating: made.text(Array(text.utf8)), as: UTF8.self))
    #expect(new != text && new.unicodeScalars.count == text.unicodeScalars.count)
    for (old, other) in zip(text.unicodeScalars, new.unicodeScalars) {
      #expect(old.properties.generalCategory == other.properties.generalCategory)
      #expect(other.properties.generalCategory != .unassigned)
    }
  }

  /// In another encoding than UTF-8 nothing of a letter stays. The bytes are those that Python's codecs make.
  @Test(
    arguments: [
      [0xD0, 0xA1, 0xC3, 0xD7, 0xCA, 0xD6, 0xBB, 0xFA],  // 小米手机 in GBK
      [0xDC, 0xD6, 0xDF, 0xE9, 0xE8, 0xE0],  // ÜÖßéèà in ISO 8859-1
      [0xCF, 0xE5, 0xF2, 0xF0],  // Петр in Windows-1251
      [0xC1, 0xF8, 0xFF, 0xFE, 0xF5],
    ] as [[UInt8]]) func otherEncodings(_ bytes: [UInt8])
  {
    for (old, new) in zip(bytes, made.text(bytes)) { #expect(old != new && new >= 0x80) }
  }
}
