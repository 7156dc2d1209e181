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

  /// The channel that each name stands for, in any width and base and either case, and what is not one.
  @Test(arguments: [
    "psm:0x00a3", "psm:0xA3", "psm:163", "PSM:0X0A3", "l2cap-psm:0xa3", "psm: 163",
  ]) func channelNames(_ name: String) throws {
    let capture = "captures/lens-session/lens-session.btsnoop"
    let output = try Self.run("dissectors", "guess", capture, "--all", "--channel", name)
    #expect(output.contains("\n  --channel psm:0x00a3\n"), "\(output)")
    #expect(output.hasSuffix("? 0\n"))
  }

  @Test func wrongChannelNames() throws {
    let capture = "captures/lens-session/lens-session.btsnoop"
    for (name, complaint) in [
      ("pms:0x81", "'pms' is not a kind of channel; did you mean 'psm'?"),
      ("psm:0x1ffff", "'0x1ffff' is not a psm: expected a number from 1 to 65535"),
      ("psm", "'psm' names no channel; expected a UUID, or one of handle, cid, psm"),
      ("rfcomm:99", "'99' is neither a server channel"), ("service-data:zz", "'zz' is not a UUID"),
    ] {
      let output = try Self.run("dissectors", "guess", capture, "--channel", name)
      #expect(output.contains(complaint), "\(output)")
      #expect(output.hasSuffix("? 64\n"))
    }
    let absent = try Self.run("dissectors", "guess", capture, "--all", "--channel", "psm:0x83")
    #expect(absent.contains("there is no data on psm:0x83; this capture has "), "\(absent)")
    #expect(absent.contains("psm:0x00a3") && absent.hasSuffix("? 1\n"))
  }
}
