import Foundation
import HarkTestSupport
import Testing

/// `hark gatt --save` and `--gatt`: what is known of devices from elsewhere.
@Suite struct GATTLibraryCommandTests {
  static let sample = Project.capture("pebble-session/pebble-session.btsnoop")

  /// Of the sample's watch: an attribute that the sample does not show.
  static let known = """
    {"address": "E2:4F:2A:22:22:22",
     "attributes": {"0x0F00": "5E6A0001-8C1D-4F7B-9A53-2F0D6C1B7E42"}}
    """

  @Test func savedAndBorrowed() throws {
    let folder = try TestFolder()
    let saved = folder.path("watch.json")
    #expect(try HarkProgram.run("gatt", Self.sample, "--save", saved).code == 0)
    let (text, said, code) = try HarkProgram.run("gatt", saved)
    #expect(code != 0 && text.isEmpty && !said.isEmpty)
    let again = try HarkProgram.run("gatt", Self.sample, "--gatt", folder.path(""))
    #expect(again.code == 0)
    // Discovery shows all of it.
    #expect(!again.0.contains("library"))
  }

  /// Names of a library get into no redacted report.
  @Test func redacted() throws {
    let folder = try TestFolder()
    let library = folder.path("secret-name.json")
    try Self.known.write(toFile: library, atomically: true, encoding: .utf8)
    let (plain, shared) = (folder.path("plain.html"), folder.path("shared.html"))
    let borrowed = try HarkProgram.run("gatt", Self.sample, "--gatt", library).0
    #expect(borrowed.contains("5E6A0001") && borrowed.contains("secret-name.json"))
    #expect(try HarkProgram.run("report", Self.sample, "--gatt", library, "-o", plain).code == 0)
    let report = try HarkProgram.run(
      "report", Self.sample, "--gatt", library, "--redact", "-o", shared)
    #expect(report.code == 0)
    let texts = try [plain, shared].map { try String(contentsOfFile: $0, encoding: .utf8) }
    #expect(texts[0].contains("secret-name.json"))
    #expect(!texts[1].contains("secret-name") && !texts[1].contains("5E6A0001"))
    let copy = folder.path("copy.btsnoop")
    #expect(
      try HarkProgram.run("redact", Self.sample, copy, "--gatt", library).code == 0)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: copy))
    #expect(bytes.range(of: Data("secret-name".utf8)) == nil)
  }

  @Test(arguments: [("none.json", nil), ("text.txt", "hello"), ("broken.json", "{")])
  func faulty(_ name: String, _ text: String?) throws {
    let folder = try TestFolder()
    try text?.write(toFile: folder.path(name), atomically: true, encoding: .utf8)
    let (out, said, code) = try HarkProgram.run("info", Self.sample, "--gatt", folder.path(name))
    #expect(code == 1 && out.isEmpty)
    #expect(said.joined().contains(name))
  }
}
