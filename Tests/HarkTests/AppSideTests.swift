import Foundation
import HarkSamples
import HarkTestSupport
import Testing

/// What the app's side says, beside the captures it was made for: captures/app-side/ORIGIN.md.
@Suite struct AppSideTests {
  private static let keys = ["-k", "captures/pebble-session/accessory.harkkeys"]
  static let pairs: [(log: String, capture: String, more: [String])] = [
    ("pebble-journal.ndjson", "pebble-session/pebble-session.btsnoop", keys),
    ("pebble-log.ndjson", "pebble-session/pebble-session.btsnoop", keys),
    ("aria-syslog.json", "aria-session/aria-session.btsnoop", []),
    ("iap2-syslog.txt", "iap2-session/iap2-session.btsnoop", []),
    (
      "activities-journal.ndjson", "lens-activities/lens-activities.btsnoop",
      ["-k", "captures/lens-activities/accessory.harkkeys"]
    ),
  ]

  private static func run(_ arguments: [String], _ pair: Int) throws -> String {
    let (log, capture, more) = pairs[pair]
    return try HarkProgram.transcript(
      arguments + ["captures/\(capture)", "--app-log", "captures/app-side/\(log)"] + more)
  }

  @Test(arguments: pairs.indices) func timeline(_ pair: Int) throws {
    let name = Self.pairs[pair].log.split(separator: ".")[0]
    expectGolden(
      try Self.run(["timeline", "--width", "0"], pair),
      Sample.path("app-side", "\(name)-timeline.txt"))
  }

  private static func objects(_ text: String) throws -> [[String: Any]] {
    try text.split(separator: "\n").filter { $0.hasPrefix("{") }.compactMap {
      try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
    }
  }

  /// The generator says what each clock is ahead by: CLOCKS in captures/generator/app_side.py.
  @Test(arguments: zip([0, 1, 2, 3, 4], [-2.731, 0, -7200.25, 1.5, 0.84]))
  func clocks(_ pair: Int, _ offset: Double) throws {
    let first = try Self.objects(Self.run(["info", "-f", "json"], pair)).first
    let logs = try #require(first?["app_logs"] as? [[String: Any]])
    let found = try #require(logs.first?["offset"] as? Double)
    #expect(abs(found - offset) < 0.03)
    #expect(logs.first?["basis"] as? String == "matches")
    #expect(logs.first?["zone_seconds_east"] as? Int == (pair == 2 ? 7200 : nil))
  }

  @Test func givenOffset() throws {
    let events = try Self.objects(
      Self.run(["timeline", "-f", "json", "--app-clock-offset", "-2.5", "-Y", "lane == app"], 0))
    #expect(events.allSatisfy { $0["lane"] as? String == "app" })
    // 16:41:02.781574, the first line of the journal.
    #expect(events[1]["time"] as? String == "2026-11-20T16:41:00.281574000")
    #expect(events[1]["frame_count"] as? Int == 0)
  }

  @Test func members() throws {
    let text = try String(
      contentsOf: Project.root.appending(path: "docs/timeline-json.md"),
      encoding: .utf8)
    for pair in Self.pairs.indices {
      for event in try Self.objects(Self.run(["timeline", "-f", "json"], pair))
      where event["lane"] as? String == "app" {
        for name in DocumentedJSONTests.members(event) {
          #expect(text.contains("`\(name)`"), "\(name)")
        }
      }
    }
  }

  @Test func findings() throws {
    func rules(_ pair: Int, _ more: [String] = []) throws -> [String] {
      let found = try Self.objects(Self.run(["findings", "-f", "json"] + more, pair)).first
      let findings = try #require(found?["findings"] as? [[String: Any]])
      return findings.compactMap { $0["rule"] as? String }.sorted()
    }
    #expect(try rules(0) == [])
    #expect(
      try rules(1) == [
        "app.connection-interrupted", "app.connection-rejected", "app.entitlement-missing",
      ])
    #expect(try rules(2) == ["audio.late-update"])
    // The third alert that the app confirms: two were sent.
    #expect(try rules(4) == ["notifications.alert-not-sent"])
    let declared = [
      "--app-info", "captures/app-side/AcmeTransport-Info.plist", "--entitlements",
      "captures/app-side/AcmeTransport.entitlements",
    ]
    #expect(
      try rules(0, declared) == [
        "app.entitlement-missing", "app.extension-point", "app.not-listed",
      ])
  }

  /// A framing that does not carry the identifier, keys that do not tell it, and a line of bluetoothd
  /// that does: the messages open.
  @Test func identifierOfTheLog() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "hark-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.copyItem(
      at: Project.root.appending(path: "dissectors/lens"), to: folder)
    let profile = folder.appending(path: "profile.yaml")
    let lines = try String(contentsOf: profile, encoding: .utf8).split(
      separator: "\n", omittingEmptySubsequences: false)
    let without = lines.filter { !$0.contains("identifier: peer") }
    #expect(without.count == lines.count - 1)
    try Data(without.joined(separator: "\n").utf8).write(to: profile)
    let truth = try Sample.truth("lens-session")
    let keyFiles = try #require(truth["keyFiles"] as? [String])
    let all = try JSONSerialization.jsonObject(
      with: Data(contentsOf: URL(filePath: Sample.path("lens-session", keyFiles[0]))))
    var keys = try #require(all as? [String: Any])
    var accessories = try #require(keys["accessoryKeys"] as? [[String: Any]])
    let identifiers = try #require(accessories[0].removeValue(forKey: "identifiers") as? [String])
    keys["accessoryKeys"] = accessories
    let keyFile = folder.appending(path: "test.harkkeys")
    try JSONSerialization.data(withJSONObject: keys).write(to: keyFile)
    let log = folder.appending(path: "log.txt")
    let line =
      "2026-11-21 17:05:00.1+0000 0x4a Default 0x0 91 0 bluetoothd: [com.apple.bluetooth:CBStack] "
      + "Device found: CBDevice \(identifiers[0]), BDA E2:4F:2A:22:22:22, Nm 'Acme'\n"
    try Data(line.utf8).write(to: log)
    func notifications(_ more: [String]) throws -> String {
      try HarkProgram.transcript(
        [
          "timeline", Sample.path("lens-session", try Sample.firstFile("lens-session")), "-k",
          keyFile.path(), "--dissectors", folder.path(), "--lane", "notification",
        ] + more)
    }
    let (locked, open) = (
      try notifications([]), try notifications(["--app-log", log.path()])
    )
    #expect(locked.contains("encrypted message") && !locked.contains("Are you at the station yet?"))
    #expect(open.contains("Are you at the station yet?") && !open.contains("encrypted message"))
  }
}
