import Foundation
import HarkDissection
import HarkTestSupport
import Testing

@testable import HarkFilter

@Suite struct FilterErrorTests {
  /// Where Wireshark's name is one of ours behind another prefix, that alone is meant.
  @Test func oneNameOfWiresharks() {
    #expect(FilterNames.nearest(to: "bthci_evt.code", Catalog.shared) == ["hci.evt.code"])
  }

  /// The list is that of the comparison with tshark, and each name is a field that exists.
  @Test func namesOfWireshark() throws {
    let lines = WiresharkNames.all.description.split(separator: "\n")
    #expect(lines.count > 600)
    let compared = try String(
      contentsOf: Project.root.appending(path: "Tools/agree-fields.tsv"), encoding: .utf8
    ).split(separator: "\n").map { $0.split(separator: "\t").prefix(2) }
    let catalog = FilterCatalog.of(.shared)
    for line in lines {
      let pair = line.split(separator: " ")
      try #require(pair.count == 2)
      let isCompared = compared.contains {
        $0.first == pair[1] && $0.last?.split(separator: " ").contains(pair[0]) == true
      }
      #expect(isCompared, "\(line)")
      #expect(FilterNames.subject(String(pair[1]), catalog) != nil, "\(line)")
      #expect(FilterNames.translated(String(pair[0])) == String(pair[1]), "\(line)")
    }
  }

  @Test(
    arguments: [
      ("btatt.opcode == 0x1b", true), ("BTATT.opcode == 0x1b", true), ("btatt", true),
      ("btatt.opcode == 0x12", false), ("not btsmp", true), ("bthci_acl.chandle == 0x40", true),
      ("bthci_acl.pb_flag == 2", true), ("btl2cap.length == 8", true),
      ("btatt.value contains 02:ff", true), ("count(btatt.opcode) == 1", true),
    ])
  func wiresharksNamesAreUnderstood(_ filter: String, _ fits: Bool) throws {
    #expect(try Sample.fits(filter, FilterTests.notification) == fits)
  }

  /// The Attribute Type of requests, and UUIDs in responses, are one field of Wireshark's.
  @Test(
    arguments: [
      ("080100ffff0328", true), ("080100ffff0228", false), ("100100ffff0028", false),
    ])
  func uuidsInRequests(_ pdu: String, _ fits: Bool) throws {
    #expect(try Sample.fits("btatt.uuid16 == 0x2803", Sample.att(pdu)) == fits)
  }

  /// The filter, where the carets stand, and what is said.
  @Test(
    arguments: [
      ("", "", "the filter is empty"),
      ("att.opcod == 1", "att.opcod", "there is no field 'att.opcod'; did you mean 'att.opcode'?"),
      ("opcode == 1", "opcode", "did you mean"),
      ("btatt.opcod == 1", "btatt.opcod", "did you mean 'att.opcode'"),
      ("btl2cap.cid == 4", "btl2cap.cid", "did you mean 'l2cap.cid'?"),
      ("frame.len > 3", "frame.len", "did you mean 'frame.original_length'?"),
      ("bluetooth.src == 1", "bluetooth.src", "did you mean 'frame.device'?"),
      ("att.opcode == ATT_READ_RQ", "ATT_READ_RQ", "did you mean ATT_READ_REQ"),
      ("att.opcode == 08", "08", "08 is neither a number nor a name"),
      ("att.opcode == 1b", "1b", "hexadecimal numbers start with 0x: 0x1b"),
      ("att.opcode == -1", "-1", "att.opcode is never negative"),
      ("att.handle contains 3", "contains", "att.handle is a number: contains works on bytes"),
      ("att.handle matches \"3\"", "matches", "att.handle is a number"),
      ("att.value == zz", "zz", "is not a string of bytes"),
      ("att.value & 3", "3", "& works on numbers"),
      ("ad.localName == Acme", "Acme", "write texts in quotes: \"Acme\""),
      ("ad.localName < \"a\"", "<", "no order"),
      ("device == Acme", "Acme", "write names in quotes"),
      ("hci.evt.address == 1", "1", "not an address, such as"),
      ("hci.evt.address > 00:00:00:00:00:00", ">", "no order"),
      ("ad.uuid == \"Batery\"", "\"Batery\"", "did you mean Battery"),
      ("ad.uuid in {0x180f..0x1810}", "0x1810", "no ranges"),
      ("lane == pairin", "pairin", "did you mean pairing"),
      (
        "event == \"message-lockd\"", "\"message-lockd\"",
        "event is never \"message-lockd\"; did you mean \"message-locked\""
      ),
      ("event in {\"link-opened\", \"zz\"}", "\"zz\"", "docs/timeline-json.md lists the kinds"),
      (
        "event == \"messag\"", "\"messag\"",
        "did you mean \"message\", \"message-blank\", \"message-incomplete\"?"
      ),
      (
        "rule == \"keys.nonce-reuze\"", "\"keys.nonce-reuze\"",
        "rule is never \"keys.nonce-reuze\"; did you mean \"keys.nonce-reuse\"?"
      ),
      ("rule in {\"keys.nonce-reuse\", \"zz\"}", "\"zz\"", "'hark findings --list' shows all"),
      ("severity >= bad", "bad", "it is one of info, warning, error"),
      ("direction < sent", "<", "no order"),
      ("time > yesterday", "yesterday", "not a time, such as"),
      ("time in {10:20..2026-01-01}", "2026-01-01", "cannot be mixed"),
      ("time > 2026-02-30", "2026-02-30", "not a time"),
      ("att.opcode in {5..3}", "5..3", "this range is empty"),
      ("att.opcode in 5", "5", "`in` needs values in braces"),
      ("att.opcode in {5 6}", "6", "with commas"),
      ("att.opcode in {5, 6", "{", "no closing brace"),
      ("att.opcode in {}", "}", "a value is missing before this"),
      ("(att", "(", "this bracket has no closing bracket"), ("att)", ")", "no opening bracket"),
      ("att smp", "smp", "an operator is missing before this"),
      ("att (att.opcode)", "(", "an operator is missing before this"),
      ("btatt.opcode(smp)", "(", "an operator is missing before this"),
      ("(att) (smp)", "(", "an operator is missing before this"),
      ("att.opcode == 1 (smp)", "(", "an operator is missing before this"),
      ("att !smp", "!", "an operator is missing before this"),
      ("att.opcode {1, 2}", "{", "an operator is missing before this"),
      ("att.opcode =", "=", "write == to compare"), ("att | smp", "|", "write ||"),
      ("att.opcode ==", "==", "a value is missing after this"),
      ("att and", "and", "something is missing after this"),
      ("and att", "and", "missing before this"),
      ("ad.localName == \"Acme", "\"Acme", "no closing quote"),
      ("ad.localName == 'A'", "'", "double quotes"),
      ("\"a\" == ad.localName", "\"a\"", "starts with a field name"),
      ("smp.longTermKey == 00:11", "smp.longTermKey", "is a key, which hark never shows"),
      ("att.handle[0] == 1", "att.handle[0]", "only bytes, texts and addresses have parts"),
      ("att.value[a] == 1", "a", "a part of a value is written"),
      ("att.value[\(Int.min)] == 1", "\(Int.min)", "a part of a value is written"),
      ("len(att.handle) == 1", "len(att.handle)", "only bytes and texts have a length"),
      ("len(att.value)", "len(att.value)", "compare it with one"),
      ("count(att)", "count(att)", "compare it with one"), ("any att", "att", "nothing to compare"),
      ("ad.localName matches Acme", "Acme", "write a regular expression in quotes"),
      ("ad.localName matches \"a(b\"", "(", "this bracket has no closing bracket"),
      ("ad.localName matches \"*b\"", "*", "nothing to repeat"),
      ("ad.localName matches r\"a\\q\"", "\\", "unknown escape"),
      ("ad.localName matches \"a{300}\"", "{", "at most 255"),
      ("ad.localName matches \"(?=a)\"", "(", "the only supported group"),
      ("ad.localName matches \"(((a{99}){99}){99})\"", "(", "too long"),
      ("att.opcode contains NTF", "NTF", "write a text in quotes"),
      (
        "max(att.handle) > 3", "max",
        "there is no function 'max'; filters have len(…) and count(…)"
      ),
      ("not lower (ad.localName) == \"a\"", "lower", "there is no function 'lower'"),
      ("frame.length + 1 == 20", "+", "filters do not calculate"),
      ("frame.length % 3 == 0", "%", "filters do not calculate"),
      ("frame.length - 1 == 20", "-", "filters do not calculate"),
      ("frame.length -1 == 20", "-1", "filters do not calculate"),
      (
        "att.startingHandle < att.endingHandle", "att.endingHandle",
        "att.endingHandle is a field: filters compare fields with values, not with fields"
      ),
      ("btatt.value in {01, btatt.opcode}", "btatt.opcode", "is a field"),
    ]
  ) func isReported(_ filter: String, _ place: String, _ message: String) throws {
    let error = try #require(throws: FilterError.self) { try Filter(filter) }
    let shown = String(decoding: Array(filter.utf8)[error.range], as: UTF8.self)
    #expect(shown.hasPrefix(place), "\(shown): \(error)")
    #expect(error.message.contains(message), "\(error)")
  }

  @Test func caretsStandUnderThePlace() throws {
    let error = try #require(throws: FilterError.self) { try Filter("att and att.opcod == 1") }
    #expect(
      "\(error)" == """
        there is no field 'att.opcod'; did you mean 'att.opcode'?
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
