import HarkDissection
import Testing

@testable import HarkFilter

@Suite struct FilterErrorTests {
  /// Where Wireshark's name is one of ours behind another prefix, that alone is meant.
  @Test func oneNameOfWiresharks() {
    #expect(FilterNames.nearest(to: "bthci_evt.code", Catalog.shared) == ["hci.evt.code"])
  }

  /// The filter, where the carets stand, and what is said.
  @Test(
    arguments: [
      ("", "", "the filter is empty"),
      ("att.opcod == 1", "att.opcod", "no field is called att.opcod; did you mean att.opcode?"),
      ("opcode == 1", "opcode", "did you mean"),
      ("btatt.opcode == 1", "btatt.opcode", "a name of Wireshark's; here it is att.opcode"),
      ("bthci_evt.param_length == 1", "bthci_evt.param_length", "Wireshark's"),
      ("btatt", "btatt", "here it is att"),
      ("frame.len > 3", "frame.len", "here it is frame.original_length"),
      ("att.opcode == ATT_READ_RQ", "ATT_READ_RQ", "did you mean ATT_READ_REQ"),
      ("att.opcode == 1b", "1b", "hexadecimal ones begin with 0x: 0x1b"),
      ("att.opcode == -1", "-1", "att.opcode is never negative"),
      ("att.handle contains 3", "contains", "att.handle is a number: contains looks into bytes"),
      ("att.handle matches \"3\"", "matches", "att.handle is a number"),
      ("att.value == zz", "zz", "no string of bytes"),
      ("att.value & 3", "3", "& takes bits of numbers"),
      ("ad.localName == Acme", "Acme", "texts are written in quotes: \"Acme\""),
      ("ad.localName < \"a\"", "<", "no order"),
      ("device == Acme", "Acme", "names are written in quotes"),
      ("hci.evt.address == 1", "1", "no address, such as"),
      ("hci.evt.address > 00:00:00:00:00:00", ">", "no order"),
      ("ad.uuid == \"Batery\"", "\"Batery\"", "did you mean Battery"),
      ("ad.uuid in {0x180f..0x1810}", "0x1810", "no ranges"),
      ("lane == pairin", "pairin", "did you mean pairing"),
      ("severity >= bad", "bad", "it is one of info, warning, error"),
      ("direction < sent", "<", "no order"),
      ("time > yesterday", "yesterday", "no time, such as"),
      ("time in {10:20..2026-01-01}", "2026-01-01", "cannot be mixed"),
      ("time > 2026-02-30", "2026-02-30", "no time"),
      ("att.opcode in {5..3}", "5..3", "this range is empty"),
      ("att.opcode in 5", "5", "values for `in` stand in braces"),
      ("att.opcode in {5 6}", "6", "commas between"),
      ("att.opcode in {5, 6", "{", "never closed"),
      ("att.opcode in {}", "}", "a value is missing before this"),
      ("(att", "(", "this bracket is never closed"), ("att)", ")", "no opening bracket"),
      ("att smp", "smp", "an operator is missing before this"),
      ("att.opcode =", "=", "write == to compare"), ("att | smp", "|", "write ||"),
      ("att.opcode ==", "==", "a value is missing behind this"),
      ("att and", "and", "something is missing behind this"),
      ("and att", "and", "missing before this"),
      ("ad.localName == \"Acme", "\"Acme", "no closing quote"),
      ("ad.localName == 'A'", "'", "double quotes"),
      ("\"a\" == ad.localName", "\"a\"", "begins with the name of a field"),
      ("smp.longTermKey == 00:11", "smp.longTermKey", "is a key, which hark never shows"),
      ("att.handle[0] == 1", "att.handle[0]", "parts can be taken of"),
      ("att.value[a] == 1", "a", "a part of a value is written"),
      ("len(att.handle) == 1", "len(att.handle)", "only bytes and texts have a length"),
      ("len(att.value)", "len(att.value)", "compare it with one"),
      ("count(att)", "count(att)", "compare it with one"), ("any att", "att", "nothing to compare"),
      ("ad.localName matches Acme", "Acme", "a regular expression is written in quotes"),
      ("ad.localName matches \"a(b\"", "(", "this bracket is never closed"),
      ("ad.localName matches \"*b\"", "*", "nothing to repeat"),
      ("ad.localName matches r\"a\\q\"", "\\", "this escape is not known here"),
      ("ad.localName matches \"a{300}\"", "{", "at most 255"),
      ("ad.localName matches \"(?=a)\"", "(", "only (?:…) is known"),
      ("ad.localName matches \"(((a{99}){99}){99})\"", "(", "too long"),
      ("att.opcode contains NTF", "NTF", "write a text in quotes"),
    ]
  ) func isTold(_ filter: String, _ place: String, _ message: String) throws {
    let error = try #require(throws: FilterError.self) { try Filter(filter) }
    let shown = String(decoding: Array(filter.utf8)[error.range], as: UTF8.self)
    #expect(shown.hasPrefix(place), "\(shown): \(error)")
    #expect(error.message.contains(message), "\(error)")
  }

  @Test func caretsStandUnderThePlace() throws {
    let error = try #require(throws: FilterError.self) { try Filter("att and att.opcod == 1") }
    #expect(
      "\(error)" == """
        no field is called att.opcod; did you mean att.opcode?
          att and att.opcod == 1
                  ^^^^^^^^^
        """)
  }

  @Test func longTextsAreCut() throws {
    let filter =
      String(repeating: "att or ", count: 50) + "x" + String(repeating: " or att", count: 50)
    let error = try #require(throws: FilterError.self) { try Filter(filter) }
    let lines = "\(error)".split(separator: "\n")
    try #require(lines.count == 3)
    #expect(lines[1].count < 140)
    let caret = try #require(Array(lines[2]).firstIndex(of: "^"))
    #expect(Array(lines[1])[caret] == "x")
  }

  @Test func controlCharactersAreNotRepeated() throws {
    let error = try #require(throws: FilterError.self) { try Filter("att \u{1B}[31m\n\u{9B}x") }
    #expect(
      !"\(error)".unicodeScalars.contains {
        $0.properties.generalCategory == .control && $0 != "\n"
      })
    #expect("\(error)".split(separator: "\n").count == 3)
  }
}
