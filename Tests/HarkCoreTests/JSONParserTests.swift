import HarkCore
import Testing

/// RFC 8259.
@Suite struct JSONParserTests {
  private static let limits = JSONParser.Limits(levels: 8, values: 64, takesDuplicates: false)

  private static func parse(_ bytes: [UInt8]) throws(JSONParser.Failure) -> JSONNode {
    try JSONParser.read(bytes, in: bytes.indices, limits)
  }

  /// In one line, strings as they are meant.
  private static func text(_ node: JSONNode, _ bytes: [UInt8]) -> String {
    switch node.value {
    case .null: "null"
    case .bool(let flag): "\(flag)"
    case .number(let range): String(decoding: bytes[range], as: UTF8.self)
    case .string(let range): "<\(JSONParser.string(range, in: bytes))>"
    case .array(let nodes): "[\(nodes.map { text($0, bytes) }.joined(separator: " "))]"
    case .object(let members):
      "{\(members.map { "\($0.name)=\(text($0.value, bytes))" }.joined(separator: " "))}"
    }
  }

  @Test(arguments: [
    ("[]", "[]"), ("{}", "{}"), (" [ ] ", "[]"), ("\t{\r\n}", "{}"), ("7", "7"), ("null", "null"),
    ("[1, -0.5, 2e3, 10E-2, 0, 0.0]", "[1 -0.5 2e3 10E-2 0 0.0]"),
    (#"{"a": {"b": [true, false, null]}, "c": ""}"#, "{a={b=[true false null]} c=<>}"),
    // 7: any character may be escaped by its code in UTF-16.
    (#"["ü€😀", "\u00fc\u20AC\ud83d\ude00"]"#, "[<ü€😀> <ü€😀>]"),
    (#"["\"\\\/\b\f\n\r\t", "\\u0041"]"#, "[<\"\\/\u{8}\u{C}\n\r\t> <\\u0041>]"),
    (#"{"\u0061": 1}"#, "{a=1}"),
  ])
  func values(_ json: String, _ text: String) throws {
    let bytes = Array(json.utf8)
    #expect(Self.text(try Self.parse(bytes), bytes) == text)
  }

  /// Texts and whole numbers; a value of another type is neither, nor is a number that does not fit.
  @Test func typedValues() throws {
    let bytes = Array(
      #"{"text": "\u00fc", "number": -7, "big": 256, "half": 1.5, "none": null}"#.utf8)
    let root = try Self.parse(bytes)
    #expect(root["text"]?.text(in: bytes) == "ü")
    #expect(root["number"]?.text(in: bytes) == nil && root["none"]?.text(in: bytes) == nil)
    func number<Number: FixedWidthInteger>(_ name: String, _ type: Number.Type) -> Number? {
      root[name]?.number(in: bytes)
    }
    #expect(number("number", Int.self) == -7 && number("big", UInt16.self) == 256)
    #expect(number("big", UInt8.self) == nil && number("number", UInt8.self) == nil)
    #expect(number("half", Int.self) == nil && number("text", Int.self) == nil)
  }

  /// Where a text stops being JSON.
  @Test(arguments: [
    ("", 0), ("[", 1), ("[1,]", 3), ("[1 2]", 3), ("{\"a\" 1}", 5), ("{a: 1}", 1),
    ("{\"a\": 1,}", 8),
    ("[01]", 1), ("[1.]", 1), ("[.5]", 1), ("[+1]", 1), ("[-]", 1), ("[1e]", 1), ("[nan]", 1),
    ("[tru]", 1), ("[] x", 3), ("[\"a", 3), ("[\"\\q\"]", 4), ("[\"\\u00g0\"]", 6),
    ("[\"\n\"]", 2), ("[\"\\", 3), ("'a'", 0), ("\u{FEFF}[]", 0),
  ])
  func whatIsNoJSON(_ text: String, offset: Int) {
    let failure = #expect(throws: JSONParser.Failure.self) { try Self.parse(Array(text.utf8)) }
    #expect(failure?.offset == offset)
  }

  /// RFC 8259, 8.1: UTF-8. A byte that continues none, an overlong form, half a surrogate pair, an end
  /// in the middle of a character.
  @Test(arguments: [[0x80], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xE2, 0x82]] as [[UInt8]])
  func whatIsNoUTF8(_ bytes: [UInt8]) {
    #expect(throws: JSONParser.Failure.self) { try Self.parse([0x22] + bytes + [0x22]) }
  }

  @Test func limits() throws {
    func reason(_ text: String) -> JSONParser.Failure.Reason? {
      do throws(JSONParser.Failure) {
        _ = try Self.parse(Array(text.utf8))
        return nil
      } catch {
        return error.reason
      }
    }
    #expect(reason(String(repeating: "[", count: 8) + String(repeating: "]", count: 8)) == nil)
    guard case .tooDeep = reason(String(repeating: "[", count: 100_000)) else {
      Issue.record("100,000 levels")
      return
    }
    let most = "[" + Array(repeating: "1", count: 63).joined(separator: ",")
    #expect(reason(most + "]") == nil)
    guard case .tooMany = reason(most + ",1]") else {
      Issue.record("65 values")
      return
    }
    guard case .duplicate = reason(#"{"a": 1, "\u0061": 2}"#) else {
      Issue.record("one name twice")
      return
    }
    let bytes = Array(#"{"a": 1, "a": 2}"#.utf8)
    let lenient = JSONParser.Limits(levels: 8, values: 64, takesDuplicates: true)
    guard case .object(let members) = try JSONParser.read(bytes, in: bytes.indices, lenient).value
    else {
      Issue.record("no object")
      return
    }
    #expect(members.map(\.name) == ["a", "a"])
  }

  /// Half a surrogate pair is no character.
  @Test func loneSurrogates() throws {
    let bytes = Array(#""\ud83d\u0041""#.utf8)
    guard case .string(let range) = try Self.parse(bytes).value else {
      Issue.record("no string")
      return
    }
    #expect(JSONParser.string(range, in: bytes) == "\u{FFFD}A")
  }
}
