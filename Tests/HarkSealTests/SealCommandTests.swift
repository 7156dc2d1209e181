import Foundation
import HarkSeal
import HarkTestSupport
import Testing

/// `hark seal` and `hark open` as they are used: each fault's capture shows its rule.
@Suite struct SealCommandTests {
  private static let notifications = """
    [{"title":"Mara","body":"The 17:10 is on time.","sourceName":"Messages",
      "notificationIdentifier":"msg-1","shouldAlert":true},
     {"title":"Rain","body":"Take the umbrella.","notificationIdentifier":"wx-1"}]
    """

  /// TEST KEYS: the scalar and the seed 01 ... 01.
  private static func keyFile(_ suite: String) -> String {
    let key = String(repeating: "01", count: 32)
    return """
      {"format":"hark-keys","version":1,"test":true,
       "accessoryKeys":[{"cipherSuite":"\(suite)","privateKey":"\(key)"}]}
      """
  }

  private static func folder(_ suite: String) throws -> TestFolder {
    let folder = try TestFolder()
    try notifications.write(
      toFile: folder.path("n.json"), atomically: true, encoding: .utf8)
    try keyFile(suite).write(toFile: folder.path("k.harkkeys"), atomically: true, encoding: .utf8)
    return folder
  }

  private struct Judged: Decodable {
    struct Found: Decodable { let rule: String }
    let findings: [Found]
  }

  /// The rules that find something in a capture.
  private static func rules(_ folder: TestFolder, _ capture: String) throws -> Set<String> {
    let (text, _, _) = try OtherProgram.run(
      HarkProgram.url.path,
      ["findings", folder.path(capture), "-k", folder.path("k.harkkeys"), "-f", "json"])
    let judged = try JSONDecoder().decode(Judged.self, from: Data(text.utf8))
    return Set(judged.findings.map(\.rule))
  }

  private static func seal(
    _ folder: TestFolder, _ arguments: [String]
  ) throws -> (text: String, status: Int32) {
    let run = try OtherProgram.run(
      HarkProgram.url.path,
      ["seal", folder.path("n.json"), "-k", folder.path("k.harkkeys"), "--seed", "7"] + arguments)
    return (run.text, run.code)
  }

  @Test(arguments: ["p256", "xWing"])
  func aCaptureWithoutFaultHasNoFinding(_ suite: String) throws {
    let folder = try Self.folder(suite)
    #expect(try Self.seal(folder, ["-f", "capture", "-o", folder.path("a.btsnoop")]).status == 0)
    #expect(try Self.rules(folder, "a.btsnoop") == [])
    let timeline = try OtherProgram.run(
      HarkProgram.url.path,
      ["timeline", folder.path("a.btsnoop"), "-k", folder.path("k.harkkeys")]
    ).text
    #expect(timeline.contains("“Mara” “The 17:10 is on time.”"), "\(timeline)")
    // The second one has no source, of which some plaintexts carry an empty text.
    #expect(timeline.contains("notification: “Rain” “Take the umbrella.”"), "\(timeline)")
  }

  /// The same bytes as with `--format`, which goes before the name.
  @Test(arguments: [("a.btsnoop", "capture"), ("A.JSON", "json"), ("a.h", "c"), ("a.txt", "text")])
  func theNameOfTheOutputChoosesTheFormat(_ name: String, _ format: String) throws {
    let folder = try Self.folder("p256")
    #expect(try Self.seal(folder, ["-o", folder.path(name)]).status == 0)
    #expect(try Self.seal(folder, ["-f", format, "-o", folder.path("b.json")]).status == 0)
    let made = try Data(contentsOf: URL(filePath: folder.path(name)))
    #expect(!made.isEmpty)
    #expect(try made == Data(contentsOf: URL(filePath: folder.path("b.json"))))
  }

  @Test(
    arguments: [
      ("derivation", "keys.wrong-derivation"), ("lost-part", "transport.lost-part"),
      ("nonce-reuse", "keys.nonce-reuse"), ("tampered", "keys.cannot-decrypt"),
      ("old-key", "keys.stale-generation"), ("reversed-address", "audio.address-reversed"),
    ], ["p256", "xWing"])
  func eachFaultShowsItsRule(_ fault: (name: String, rule: String), _ suite: String) throws {
    let folder = try Self.folder(suite)
    let run = try Self.seal(
      folder, ["--fault", fault.name, "-f", "capture", "-o", folder.path("b.btsnoop")])
    #expect(run.status == 0)
    #expect(try Self.rules(folder, "b.btsnoop") == [fault.rule])
  }

  /// docs/findings.md says beside each of these rules how to make an example.
  @Test func eachFaultIsDocumented() throws {
    let file = Project.root.appending(path: "docs/findings.md")
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    for fault in SealFault.allCases {
      let row = lines.first { $0.hasPrefix("| `\(fault.rule)` ") }
      #expect(row?.contains("seal: \(fault.rawValue) |") == true, "\(fault)")
    }
    #expect(lines.filter { $0.contains(", seal: ") }.count == SealFault.allCases.count)
  }

  /// One at a time and through the environment, as the capture's messages show.
  @Test func keysOfTheCommandLineOpen() throws {
    let folder = try Self.folder("p256")
    let path = folder.path("a.btsnoop")
    #expect(try Self.seal(folder, ["-f", "capture", "-o", path]).status == 0)
    let key = String(repeating: "01", count: 32)
    for given in [key, "p256:\(key)"] {
      let run = try OtherProgram.run(
        HarkProgram.url.path, ["timeline", path, "--accessory-key", given])
      #expect(run.text.contains("“Mara”"))
      #expect(!run.text.contains(key))
    }
    let named = try OtherProgram.run(
      "/usr/bin/env",
      ["HARK_KEYS=\(folder.path("k.harkkeys"))", HarkProgram.url.path, "timeline", path])
    #expect(named.text.contains("“Mara”"))
    for wrong in [["--ltk", "0102"], ["--irk", "zz@C0"], ["--accessory-key", "xWing:77"]] {
      let run = try OtherProgram.run(HarkProgram.url.path, ["timeline", path] + wrong)
      #expect(run.code == 64)
      #expect(!run.stated.joined().contains(wrong[1]))
    }
  }

  @Test(arguments: ["p256", "xWing"])
  func openReversesSeal(_ suite: String) throws {
    let folder = try Self.folder(suite)
    #expect(try Self.seal(folder, ["-f", "json", "-o", folder.path("s.json")]).status == 0)
    let opened = try OtherProgram.run(
      HarkProgram.url.path, ["open", folder.path("s.json"), "-k", folder.path("k.harkkeys")])
    #expect(opened.code == 0)
    let texts = try #require(
      JSONSerialization.jsonObject(with: Data(opened.text.utf8)) as? [[String: Any]])
    #expect(texts.map { $0["title"] as? String } == ["Mara", "Rain"])
    #expect(texts.map { $0["shouldAlert"] as? Bool } == [true, nil])

    // Every other format but a capture has the same parts.
    for format in ["text", "c", "files"] {
      let path = folder.path("s.\(format)")
      #expect(try Self.seal(folder, ["-f", format, "-o", path, "--fault", "old-key"]).status == 0)
      let other = try OtherProgram.run(
        HarkProgram.url.path, ["open", path, "-k", folder.path("k.harkkeys")])
      #expect(other.code == 0 && other.text == opened.text, "\(format): \(other)")
      // Each message has its place among the exchanges.
      #expect(
        other.stated.contains { $0.contains("generation 1; generation 2 is current") },
        "\(other.stated)")
    }
    let capture = folder.path("s.btsnoop")
    #expect(try Self.seal(folder, ["-f", "capture", "-o", capture]).status == 0)
    let refused = try OtherProgram.run(
      HarkProgram.url.path, ["open", capture, "-k", folder.path("k.harkkeys")])
    #expect(refused.code == 1 && refused.stated.contains { $0.contains("hark timeline") })

    let plain = try Self.seal(folder, [])
    #expect(plain.text.contains("message 2, "))
    let c = try Self.seal(folder, ["-f", "c"])
    #expect(c.text.contains("static const uint8_t encapsulated_key_1["))
    // What is wrong is named, and where it is.
    for (text, complaint) in [
      (#"{"titel":"x"}"#, "the object has an unknown member 'titel'; did you mean 'title'?"),
      (#"[{"title":"x"},{"bdy":"x"}]"#, "[1] has an unknown member 'bdy'; did you mean 'body'?"),
      (#"{"0123456789abcdef":"x"}"#, "the object has an unknown member; known members are "),
      ("\n{]", "line 2: not JSON: "),
    ] {
      try Data(text.utf8).write(to: URL(filePath: folder.path("wrong.json")))
      let wrong = try OtherProgram.run(
        HarkProgram.url.path,
        ["seal", folder.path("wrong.json"), "-k", folder.path("k.harkkeys")])
      #expect(wrong.code == 1)
      #expect(wrong.stated.contains { $0.contains(": \(complaint)") }, "\(wrong.stated)")
    }
    // The private key is in nothing that is written.
    for text in [plain.text, c.text, opened.text] {
      #expect(!text.contains(String(repeating: "01", count: 32)))
    }
  }
}
