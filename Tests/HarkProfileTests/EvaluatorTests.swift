import HarkLayout
import Testing

@testable import HarkProfile

struct EvaluatorTests {
  static func value(_ text: String, of message: DecodedMessage) throws -> ProfileValue {
    let context = Formula.Context(tables: ["kinds": [3: "three"]])
    var evaluator = Evaluator(message.value)
    return evaluator.value(try Formula(try ExpressionParser.parse(text), context))
  }

  static let json = """
    {"id": "A\\u00e9\\ud83d\\ude00", "n": -3, "f": 1.5, "on": true, "no": null, "b": "TkIx",
     "hex": "4e 42", "items": [{"x": 1}, {"y": 2}, {"x": 3}], "in": "{\\"q\\": 7}", "u": 3}
    """

  @Test(arguments: [
    ("n + 5", ProfileValue(2)), ("n / 2", ProfileValue(-2)), ("n % 2", ProfileValue(1)),
    ("f * 2", .float(3)), ("on and n < 0", .bool(true)), ("not on", .bool(false)),
    ("id", .text("Aé😀")), ("id.length", ProfileValue(3)), ("id.substring(0, 1)", .text("A")),
    ("b.base64", .bytes([0x4E, 0x42, 0x31])), ("b.base64.to_hex", .text("4e4231")),
    ("hex.hex == [0x4e, 0x42]", .bool(true)), ("hex.hex[1]", ProfileValue(0x42)),
    ("items.x", .array([ProfileValue(1), ProfileValue(3)])), ("items.x.last", ProfileValue(3)),
    ("items.size", ProfileValue(3)), ("items[1].y", ProfileValue(2)),
    ("in.json.q", ProfileValue(7)),
    ("u.named(\"kinds\")", .text("three")), ("n.named(\"kinds\")", .null),
    ("no", .null), ("nothing == 1", .null), ("nothing.exists", .bool(false)),
    ("nothing.default(4)", ProfileValue(4)), ("on or nothing", .bool(true)),
    ("on and nothing", .null), ("n > 0 ? 1 : 2", ProfileValue(2)), ("n / 0", .null),
    ("items[9]", .null), ("items[-1]", .null), ("f\"{n}-{id}\"", .text("-3-Aé😀")),
    ("9223372036854775807 * 9223372036854775807 * 2", ProfileValue(2)),
    ("1 << 200", ProfileValue(0)),
  ]) func expressions(_ text: String, _ expected: ProfileValue) throws {
    let message = JSONReader.read(Array(Self.json.utf8))
    #expect(message.problem == nil)
    #expect(try Self.value(text, of: message) == expected)
  }

  @Test(arguments: ["{", "{\"a\"}", "[1,]", "\"\\u12\"", "tru", "", "1 2", "{\"a\": 01x}"])
  func notJSON(_ text: String) {
    let message = JSONReader.read(Array(text.utf8))
    #expect(message.problem != nil || message.trailing != nil)
  }

  @Test func deep() {
    #expect(JSONReader.read([UInt8](repeating: 0x5B, count: 100_000)).problem != nil)
    #expect(CBORReader.read([UInt8](repeating: 0x81, count: 100_000)).problem != nil)
    #expect(CBORReader.read([UInt8](repeating: 0x9F, count: 100_000)).problem != nil)
  }

  /// RFC 8949, appendix A.
  @Test(arguments: [
    ([0x18, 0x64], ProfileValue(100)), ([0x39, 0x03, 0xE7], ProfileValue(-1000)),
    ([0xF9, 0x3E, 0x00], .float(1.5)), ([0xF5], .bool(true)), ([0xF6], .null),
    ([0x44, 1, 2, 3, 4], .bytes([1, 2, 3, 4])), ([0x62, 0xC3, 0xBC], .text("ü")),
    ([0x82, 1, 0x20], .array([ProfileValue(1), ProfileValue(-1)])),
    ([0xC1, 0x1A, 0x51, 0x4B, 0x67, 0xB0], ProfileValue(1_363_896_240)),
    ([0x5F, 0x42, 1, 2, 0x43, 3, 4, 5, 0xFF], .bytes([1, 2, 3, 4, 5])),
    ([0x9F, 1, 2, 0xFF], .array([ProfileValue(1), ProfileValue(2)])),
  ]) func cbor(_ bytes: [UInt8], _ expected: ProfileValue) throws {
    let message = CBORReader.read(bytes)
    #expect(message.problem == nil && message.trailing == nil)
    #expect(message.value == expected)
  }

  /// RFC 8949, appendix A: {"a": 1, "b": [2, 3]}, and with every byte after the first left out.
  @Test func cborMap() throws {
    let bytes: [UInt8] = [0xA2, 0x61, 0x61, 1, 0x61, 0x62, 0x82, 2, 3]
    #expect(try Self.value("b[1] * 10 + a", of: CBORReader.read(bytes)) == ProfileValue(31))
    for count in 1..<bytes.count {
      #expect(CBORReader.read(Array(bytes.prefix(count))).problem != nil)
    }
  }
}
