import Foundation
import HarkTestSupport
import Testing

@Suite struct ExpectTests {
  static let folder = Project.root.appending(path: "captures/pebble-session")
  static let capture = folder.appending(path: "pebble-session.btsnoop").path()
  static let keys = folder.appending(path: "accessory.harkkeys").path()

  static func expect(
    _ yaml: String, _ arguments: [String] = ["--keys", keys]
  ) throws -> (text: String, stated: [String], code: Int32) {
    let folder = try TestFolder()
    let file = folder.path("expectations.yaml")
    try Data(yaml.utf8).write(to: URL(filePath: file))
    return try OtherProgram.run(
      HarkProgram.url.path, ["expect", file, capture, "--format", "json"] + arguments)
  }

  /// The ids of the expectations that do not hold.
  static func broken(_ yaml: String, _ arguments: [String] = ["--keys", keys]) throws -> [String] {
    let (text, stated, code) = try expect(yaml, arguments)
    let object = try #require(
      JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any], "\(stated)")
    let findings = try #require(object["findings"] as? [[String: Any]])
    #expect(code == (findings.isEmpty ? 0 : 3))
    return findings.compactMap { $0["rule"] as? String }
  }

  /// The sample's own: the times are those of its generator, the keys open everything that is sealed.
  @Test func sample() throws {
    let file = Self.folder.appending(path: "expectations.yaml").path()
    let run = try HarkProgram.run("expect", file, Self.capture, "--keys", Self.keys)
    #expect(run.code == 0 && run.text.contains("6 expectations hold"))
    let locked = try HarkProgram.run("expect", file, Self.capture, "--format", "junit")
    #expect(locked.code == 3)
    #expect(locked.text.contains("tests=\"6\" failures=\"1\""))
  }

  /// The accessory's key follows the subscription 30 ms later, and the phone's 880 ms after that: see truth.json.
  @Test(arguments: [
    ("event: event == \"public-key\"\n    within: 31 ms\n    of: event == \"subscription\"", true),
    ("event: event == \"public-key\"\n    within: 29 ms\n    of: event == \"subscription\"", false),
    (
      "event: event == \"encapsulated-key\"\n    within: 1 s\n    of: event == \"public-key\"", true
    ),
    (
      "event: event == \"encapsulated-key\"\n    within: 500 ms\n    of: event == \"public-key\"",
      false
    ),
    ("event: event == \"link-failed\"\n    within: 100 ms\n    of: event == \"public-key\"", false),
    // An event is not its own successor.
    ("event: event == \"public-key\"\n    within: 1 ms\n    of: event == \"public-key\"", false),
    ("event: lane == link\n    within: 1 s\n    of: event == \"link-failed\"", false),
    ("event: event == \"encryption\"\n    before: event == \"public-key\"", true),
    ("event: event == \"public-key\"\n    before: event == \"encryption\"", false),
    ("event: event == \"public-key\"\n    count: 1", true),
    ("event: event == \"public-key\"\n    count: 2..", false),
    ("event: lane == notification\n    count: 0..3", false),
    ("never: event == \"message-locked\"", true),
    ("never: att.opcode == ATT_WRITE_REQ", false),
    ("findings: error", true),
    ("event: text contains \"Mara Lindqvist\"", true),
  ]) func conditions(_ condition: String, _ holds: Bool) throws {
    let yaml = "expectations:\n  - name: It holds\n    \(condition)\n"
    #expect(try Self.broken(yaml).isEmpty == holds, "\(condition)")
  }

  /// The capture ends seconds after the key: it cannot show what happens within a minute.
  @Test func endsTooEarly() throws {
    let yaml = """
      expectations:
        - {name: heartbeat, event: event == "public-key", within: 1 min, of: event == "public-key"}
      """
    let (text, _, code) = try Self.expect(yaml)
    let object = try #require(
      JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect(code == 0 && (object["findings"] as? [Any])?.isEmpty == true)
    let open = try #require(object["cannot_tell"] as? [[String: Any]])
    #expect(open.map { $0["rule"] as? String } == ["expect.heartbeat"])
    #expect(
      (open.first?["reason"] as? String)?.contains("no event follows, but the capture ends") == true
    )
  }

  @Test func rulesAndCaptures() throws {
    let yaml = """
      expectations:
        - {name: none of these, findings: info, rules: ["keys.*"]}
        - {name: other files, captures: "iap2-*", never: lane == link}
        - {name: warned, severity: warning, never: lane == link, captures: "pebble-*"}
      """
    let other = Project.capture("iap2-rejected/iap2-rejected.btsnoop")
    let run = try Self.expect(yaml, [other, "--keys", Self.keys])
    let found = try run.text.split(separator: "\n").map { line in
      let object = try #require(
        JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      return (object["findings"] as? [[String: Any]] ?? []).compactMap { $0["rule"] as? String }
    }
    #expect(found.prefix(2).map { $0 } == [["expect.warned"], ["expect.other-files"]])
    #expect(run.code == 3)
    // What is about captures that are not there checks nothing.
    let idle = try Self.expect(yaml)
    #expect(idle.code == 1 && idle.text.isEmpty)
    #expect(idle.stated.contains { $0.contains("'other files': no capture matches") })
    // Neither does a folder without captures.
    let folder = try TestFolder()
    let file = Project.capture("pebble-session/expectations.yaml")
    let none = try HarkProgram.run("expect", file, folder.url.path)
    #expect(none.code == 1)
  }

  @Test(arguments: [
    ("", "1:1: "), ("expectations: []", "1:1: "), ("expectations:\n  - never: x", "2:5: "),
    (
      "expectations:\n  - name: a\n    nevr: lane == link",
      "3:5: unknown key 'nevr'; did you mean 'never'?"
    ),
    (
      "expectations:\n  - name: a\n    event: att\n    times: 3",
      "4:5: unknown key 'times'; the keys are name, captures, severity, event, count, "
    ),
    ("expectations:\n  - name: a\n    never: lane == lnk", "3:12: "),
    (
      "expectations:\n  - name: a\n    never: event == \"message-lockd\"",
      "3:12: event is never \"message-lockd\"; did you mean \"message-locked\""
    ),
    ("expectations:\n  - name: a\n    event: att\n    within: soon\n    of: att", "4:13: "),
    ("expectations:\n  - name: a\n    event: att\n    count: many", "4:12: "),
    ("expectations:\n  - name: a\n    findings: bad", "3:15: expected info, warning or error"),
    ("expectations:\n  - {name: a, event: att}\n  - {name: a, never: att}", "3:12: another"),
    ("expectations:\n  - {name: a, event: att, never: att}", "2:5: "),
    ("expectation:\n  - {name: a, event: att}", "1:1: "), ("a: [", "1:"),
  ]) func mistakes(_ yaml: String, _ place: String) throws {
    let run = try Self.expect(yaml)
    #expect(run.code == 1 && run.text.isEmpty)
    #expect(run.stated.contains { $0.contains("expectations.yaml:\(place)") }, "\(run.stated)")
  }

  /// A name cannot control the terminal.
  @Test func controlCharactersInNames() throws {
    let run = try Self.expect(
      #"""
      expectations:
        - name: "a\e[31m\u202eb"
          never: att
      """#, ["--format", "text"])
    #expect(run.code == 3)
    #expect(run.text.contains(#"a\u001b[31m\u202eb  [expect."#), "\(run.text)")
  }

  /// All mistakes of all items, as docs/expect.md says, in the order of the file.
  @Test func allMistakes() throws {
    let yaml = """
      expectations:
        - name: a
          evnt: x
          within: 500 mss
        - name: a
          event: event == "public-kye"
          within: 500 mss
          of: lane == lnk
        - event: lane == notfication
          count: 5..2
          severity: fatal
        - name: c
          findings: errors
          rules: keys.nonce-reus
      """
    let run = try Self.expect(yaml)
    #expect(run.code == 1 && run.text.isEmpty)
    let places = run.stated.compactMap {
      $0.firstMatch(of: /expectations\.yaml:(\d+:\d+):/).map { String($0.1) }
    }
    #expect(
      places == [
        "2:5", "3:5", "4:13", "5:11", "6:12", "7:13", "8:9", "9:5", "9:12", "10:12", "11:15",
        "13:15", "14:12",
      ], "\(run.stated)")
  }
}
