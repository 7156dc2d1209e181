import Foundation
import HarkTestSupport
import Testing

/// `hark dissectors guess` writes what `check` and `try` take.
@Suite struct GuessCommandTests {
  static let captures = [
    "a2dp-session", "aap-session", "ams-session", "ancs-session", "coc-session", "eatt-session",
    "ertm-session", "hands-free", "iap2-session", "iap2-rejected", "pebble-session",
    "pebble-reboot", "pebble-rekey", "notifbridge-v1",
  ]

  private static func run(_ arguments: String...) throws -> String {
    try HarkProgram.transcript(arguments)
  }

  /// docs/reports-json.md has each member and each meaning; the files are those that `-o` writes.
  @Test(arguments: captures) func json(_ name: String) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let output = try Self.run(
      "dissectors", "guess", "captures/\(name)/\(name).btsnoop", "--all", "--format", "json", "-o",
      folder.path)
    let line = try #require(output.split(separator: "\n").first { $0.hasPrefix("{") })
    let report = try #require(
      try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    let page = try String(
      contentsOf: Project.root.appendingPathComponent("docs/reports-json.md"),
      encoding: .utf8)
    func check(_ parts: Any?) {
      for part in parts as? [[String: Any]] ?? [] {
        for key in part.keys { #expect(page.contains("`\(key)`"), "\(key)") }
        #expect((part["meaning"] as? String).map { page.contains("`\($0)`") } == true, "\(part)")
        check(part["fields"])
      }
    }
    let channels = try #require(report["channels"] as? [[String: Any]])
    #expect(!channels.isEmpty)
    for channel in channels {
      for key in channel.keys { #expect(page.contains("`\(key)`"), "\(key)") }
      check(channel["fields"])
      check(channel["message"])
      let file = "\(try #require(channel["id"] as? String)).ksy"
      #expect(channel["layout"] as? String == (try Self.text(folder, file)))
    }
    #expect(report["profile"] as? String == (try Self.text(folder, "profile.yaml")))
  }

  private static func text(_ folder: URL, _ name: String) throws -> String {
    try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
  }

  /// With one in three of the captures each day.
  @Test(arguments: DailyPart.of(captures, oneIn: 3)) func filesAreTaken(_ name: String) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let capture = "captures/\(name)/\(name).btsnoop"
    // As shells complete a folder.
    let written = try Self.run("dissectors", "guess", capture, "--all", "-o", folder.path + "/")
    #expect(written.hasSuffix("? 0\n"), "\(written)")
    #expect(written.contains("wrote \(folder.path)/profile.yaml"))
    #expect(try Self.run("dissectors", "check", folder.path).hasSuffix("? 0\n"))
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    #expect(files.contains("profile.yaml"))
    var tried = 0
    for file in files where file.hasSuffix(".ksy") {
      let path = folder.appendingPathComponent(file)
      let layout = try String(contentsOf: path, encoding: .utf8)
      // Long writes with private keys in them are not shown.
      guard layout.contains("-hark-attach"), file != "gatt_d5e12b7a.ksy" else { continue }
      let output = try Self.run("dissectors", "try", path.path, capture, "--messages", "0")
      #expect(output.contains(" 0 checks failed, 0 not decoded"), "\(file): \(output)")
      #expect(output.hasSuffix("? 0\n"))
      tried += 1
    }
    #expect(tried > 0)
    let again = try Self.run("dissectors", "guess", capture, "--all", "-o", folder.path)
    #expect(again.contains("already exists; nothing was written"))
    #expect(again.hasSuffix("? 1\n"))
  }
}
