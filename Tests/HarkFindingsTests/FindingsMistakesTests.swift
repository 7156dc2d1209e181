import Foundation
import HarkFindings
import HarkSamples
import HarkTestSupport
import Testing

/// Captures in which something is done wrong on purpose, as `hark findings` itself reads them:
/// captures/mistakes/ORIGIN.md.
@Suite struct FindingsMistakesTests {
  private struct Truth: Decodable {
    struct Mistake: Decodable {
      let rule: String
      let first: Int
      let last: Int
    }
    let packets: Int
    let keys: [String]
    let mistakes: [Mistake]
  }

  private struct Report: Decodable {
    struct Finding: Decodable {
      let rule: String
      let frames: [Int]
    }
    let packets: Int
    let findings: [Finding]
  }

  static let names = [
    "audio", "ea-authentication", "ea-launch", "ea-sessions", "ea-stalled", "keys", "notifications",
    "pace",
    "sessions", "unanswered", "wifi",
  ]

  private static func truth() throws -> [String: Truth] {
    try JSONDecoder().decode(
      [String: Truth].self,
      from: Data(contentsOf: URL(filePath: Sample.path("mistakes", "truth.json"))))
  }

  private static func report(_ name: String, _ more: [String]) throws -> Report {
    let output = try HarkProgram.transcript(
      ["findings", "captures/mistakes/\(name).btsnoop", "--dissectors", "captures/mistakes"]
        + ["-f", "json"] + more)
    let line = try #require(output.split(separator: "\n").first { $0.hasPrefix("{") })
    return try JSONDecoder().decode(Report.self, from: Data(line.utf8))
  }

  @Test func everyCaptureIsListed() throws {
    #expect(try Self.truth().keys.sorted() == Self.names)
  }

  /// Each mistake is found in packets with which it was made, and nothing else is.
  @Test(arguments: names) func mistakes(_ name: String) throws {
    let truth = try #require(try Self.truth()[name])
    let keys = truth.keys.flatMap { ["-k", "captures/mistakes/\($0)"] }
    let report = try Self.report(name, keys)
    #expect(report.packets == truth.packets)
    for mistake in truth.mistakes {
      #expect(
        report.findings.contains {
          $0.rule == mistake.rule
            && $0.frames.contains { mistake.first <= $0 && $0 <= mistake.last }
        }, "\(mistake)")
    }
    #expect(Set(report.findings.map(\.rule)) == Set(truth.mistakes.map(\.rule)))
  }

  /// With `--app-log` and `--app-info`.
  static let besideApp: [(capture: String, rules: [String])] = [
    (
      "keys",
      [
        "app.accepted-not-resumed", "app.central-off", "app.connection-interrupted",
        "app.connection-invalidated", "app.connection-rejected", "app.crash-loop",
        "app.ea-protocol-missing", "app.entitlement-missing", "app.extension-point",
        "app.forwarding-refused", "app.info-key-missing", "app.launched-not-connected",
        "app.never-launched", "app.not-listed", "audio.configuration-refused",
        "audio.update-after-invalidated", "ea.stream-error", "keys.after-invalidation",
        "keys.completion-missing", "keys.not-forwarded", "keys.session-failed",
        "notifications.alert-not-sent",
        "transport.not-forwarded", "transport.session-failed", "transport.switched",
      ]
    ),
    ("ea-sessions", ["app.ea-protocol-missing", "app.info-key-missing"]),
    (
      "ea-launch",
      [
        "app.binding-mismatch", "app.deployment-target", "app.enhanced-security",
        "app.launch-bundle",
      ]
    ),
  ]

  /// What an app that does all of AudioAccessoryKit wrong does beside aria-session.
  static let audioRules = [
    "audio.invalidated-ignored", "audio.same-source-twice", "audio.source-not-updated",
    "audio.wrong-process",
  ]

  static func rules() throws -> Set<String> {
    Set(
      try truth().values.flatMap { $0.mistakes.map(\.rule) } + besideApp.flatMap(\.rules)
        + audioRules)
  }

  /// Networks that are shared as they should be: their names are reported, and no password.
  @Test(arguments: ["timeline", "packets", "show", "gatt"])
  func passwords(_ command: String) throws {
    var arguments = [command, "captures/mistakes/wifi.btsnoop"]
    if command == "show" { arguments.append("144") }
    let output = try HarkProgram.transcript(
      arguments + ["--dissectors", "captures/mistakes"])
    for form in ["TEST-PASSWORD", "54455354 2d504153", "544553542d50", "54 45 53 54 2d 50"] {
      #expect(!output.lowercased().contains(form.lowercased()))
    }
    #expect(!output.isEmpty && output.hasSuffix("? 0\n"))
    if command == "timeline" { #expect(output.contains("shares the Wi-Fi network “Test Harbour”")) }
  }

  @Test func audioOfApp() throws {
    let output = try HarkProgram.transcript([
      "findings", "captures/aria-session/aria-session.btsnoop", "--app-log",
      "captures/mistakes/audio-app.ndjson", "--app-clock-offset", "0", "-f", "json",
    ])
    let line = try #require(output.split(separator: "\n").first { $0.hasPrefix("{") })
    let report = try JSONDecoder().decode(Report.self, from: Data(line.utf8))
    #expect(Set(report.findings.map(\.rule)).sorted() == Self.audioRules)
  }

  /// A journal and an Info.plist with the mistakes of the app's side.
  @Test(arguments: besideApp)
  func appSide(_ name: String, _ rules: [String]) throws {
    let mistakes = Set(try #require(try Self.truth()[name]).mistakes.map(\.rule))
    let declared = name == "ea-launch" ? "Lapse.app" : "Info.plist"
    var more = [
      "-k", "captures/mistakes/keys.harkkeys", "--app-info", "captures/mistakes/\(declared)",
    ]
    // They are of the time of this capture.
    let logs = ["keys": ["app", "extensions"], "ea-launch": ["engine"]][name] ?? []
    for log in logs { more += ["--app-log", "captures/mistakes/\(log).ndjson"] }
    if !logs.isEmpty { more += ["--app-clock-offset", "0"] }
    let found = Set(try Self.report(name, more).findings.map(\.rule))
    #expect(found.subtracting(mistakes).sorted() == rules)
  }
}
