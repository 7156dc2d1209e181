import Foundation
import HarkTestSupport
import Testing

/// Mistakes of the user's own profiles are in the results of commands that show what is wrong, not only in those of
/// `hark dissectors try`.
@Suite struct ProfileMistakeTests {
  private static let capture = Project.capture("pebble-session/pebble-session.btsnoop")
  private static let keys = Project.capture("pebble-session/accessory.harkkeys")
  private static let rule = "transport.profile-mistake"

  /// A copy of the Pebble profile with other words in it.
  private static func copy(
    _ words: (old: String, new: String), in folder: TestFolder
  ) throws -> String {
    let copy = folder.path("pebble")
    try FileManager.default.copyItem(
      at: Project.root.appendingPathComponent("dissectors/pebble"), to: URL(fileURLWithPath: copy))
    let text = try String(contentsOfFile: copy + "/profile.yaml", encoding: .utf8)
    #expect(words.old.isEmpty || text.contains(words.old))
    try text.replacingOccurrences(of: words.old, with: words.new)
      .write(toFile: copy + "/profile.yaml", atomically: true, encoding: .utf8)
    return copy
  }

  private static func run(_ profile: String, _ command: [String]) throws -> (
    text: String, stated: [String], code: Int32
  ) {
    try OtherProgram.run(
      HarkProgram.url.path,
      command + [Self.capture, "--keys", Self.keys, "--dissectors", profile])
  }

  private static func object(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  /// Column 16 is where the value of `first:` is.
  @Test func inEveryResult() throws {
    let folder = try TestFolder()
    let profile = try Self.copy(("first: body.is_first", "first: 'true'"), in: folder)
    let lines = try String(contentsOfFile: profile + "/profile.yaml", encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false)
    let row = try #require(lines.firstIndex { $0.contains("first: 'true'") }) + 1

    let findings = try Self.run(profile, ["findings", "--format", "json"])
    let found = try #require(try Self.object(findings.text)["findings"] as? [[String: Any]])
    let mistakes = found.filter { $0["rule"] as? String == Self.rule }
    let finding = try #require(mistakes.first, "\(findings)")
    let observed = try #require(finding["observed"] as? String)
    #expect(observed.hasPrefix("pebble/profile.yaml:\(row):16: 'first' holds for each of"))
    #expect(finding["severity"] as? String == "warning")
    #expect((finding["frames"] as? [Int])?.isEmpty == false)
    #expect(
      !findings.text.contains(folder.path("")) && findings.stated.isEmpty, "\(findings.stated)")

    let text = try Self.run(profile, ["findings"])
    #expect(
      text.text.contains("[\(Self.rule)]") && text.text.contains("pebble/profile.yaml:\(row):16"))
    let skipped = try Self.run(profile, ["findings", "--skip", Self.rule])
    #expect(!skipped.text.contains("pebble/profile.yaml:"))

    let explained = try Self.run(profile, ["explain", "--format", "json"])
    let named = try #require(
      try Self.object(explained.text)["profile_mistakes"] as? [[String: Any]])
    #expect(named.first?["line"] as? Int == row && named.first?["column"] as? Int == 16)
    #expect(named.first?["profile"] as? String == "pebble")
    let words = try Self.run(profile, ["explain"]).text
    #expect(words.contains("pebble/profile.yaml:\(row):16"))
    // What it takes for a session is no UUID, and not fit for a command.
    #expect(!words.contains("--session"), "\(words)")

    let timeline = try Self.run(profile, ["timeline"])
    #expect(
      timeline.text.contains(
        "likely mistake in the profile, not in the traffic: pebble/profile.yaml"))
    let report = try Self.run(profile, ["report", "-o", folder.path("report.json")])
    let reported = try String(contentsOfFile: folder.path("report.json"), encoding: .utf8)
    #expect(reported.contains("pebble/profile.yaml:\(row):16"), "\(report)")
  }

  /// The name of the suite is in what keys are derived with: the wrong one is a wrong derivation.
  @Test func suite() throws {
    let folder = try TestFolder()
    let old = "cipher-suite: P256\n        key: body.encapsulated_key"
    let new = "cipher-suite: XWing\n        key: body.encapsulated_key"
    let profile = try Self.copy((old, new), in: folder)
    let text = try Self.run(profile, ["timeline"]).text
    #expect(text.contains("pebble/profile.yaml:"), "\(text)")
    #expect(
      text.contains("another cipher suite, but the messages decrypt with P-256"), "\(text)")
  }

  /// A correct copy has none, nor has a capture without profiles of the user's.
  @Test func none() throws {
    let folder = try TestFolder()
    let profile = try Self.copy(("", ""), in: folder)
    for command in [
      ["findings", "--format", "json"], ["explain", "--format", "json"], ["timeline"],
    ] {
      let run = try Self.run(profile, command)
      #expect(!run.text.contains("pebble/profile.yaml"), "\(run)")
    }
  }
}
