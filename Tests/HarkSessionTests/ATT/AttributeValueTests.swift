import HarkCore
import Testing

@testable import HarkSession

@Suite struct AttributeValueTests {
  /// What a value reads as, and which parts of that came from the capture and may be personal.
  static let values: [(AttributeValue, words: String, personal: [String])] = [
    (value("Ada’s Watch", 0x2A00), "\"Ada’s Watch\"", ["Ada’s Watch"]),
    (value("Ada", 0x2A00, count: 40), "\"Ada…\" (40 bytes)", ["Ada"]),
    (AttributeValue([1, 0xAB], count: 2, nil), "01 ab", ["01 ab"]),
    (AttributeValue([1, 0xAB], count: 9, nil), "01 ab … (9 bytes)", ["01 ab"]),
    (
      AttributeValue([1, 0xAB], count: 9, nil, missing: 7), "01 ab, cut: 7 bytes missing",
      ["01 ab"]
    ),
    (AttributeValue([], count: 0, nil), "empty", []),
    // A percentage says nothing of a person. GATT Specification Supplement, 3.27
    (AttributeValue([87], count: 1, BluetoothUUID(0x2A19 as UInt16)), "87 %", []),
  ]

  private static func value(_ text: String, _ type: UInt16, count: Int? = nil) -> AttributeValue {
    AttributeValue(Array(text.utf8), count: count ?? text.utf8.count, BluetoothUUID(type))
  }

  @Test func wordsAndWhatIsPersonal() {
    for (value, words, personal) in Self.values {
      let sentence = value.words
      #expect(sentence.text == words)
      let bytes = Array(sentence.text.utf8)
      #expect(sentence.personal.map { String(decoding: bytes[$0], as: UTF8.self) } == personal)
    }
  }
}
