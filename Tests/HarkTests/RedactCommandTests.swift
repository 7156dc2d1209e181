import Foundation
import HarkTestSupport
import Testing

/// `hark redact`: what it says about captures that cannot be read to their end.
@Suite struct RedactCommandTests {
  /// The first 5000 bytes end within a record; the result is cut at the same place.
  @Test func truncated() throws {
    let folder = try TestFolder()
    let (capture, shared) = (folder.path("cut.btsnoop"), folder.path("shared.btsnoop"))
    let whole = try Data(
      contentsOf: URL(fileURLWithPath: Project.capture("pebble-session/pebble-session.btsnoop"))
    )
    try whole.prefix(5_000).write(to: URL(fileURLWithPath: capture))
    let (text, stated, code) = try HarkProgram.run("redact", capture, shared)
    #expect(code == 2)
    #expect(stated.count == 1 && stated[0].hasPrefix("hark: \(capture): truncated: "), "\(stated)")
    #expect(text.contains(": redacted (strict), "))
    #expect(try Data(contentsOf: URL(fileURLWithPath: shared)).count == 5_000)
    #expect(try HarkProgram.run("info", shared).code == 2)
  }

  /// What a Live Activity shows is of its user: it goes at either level, also where it was sent in the clear.
  @Test(arguments: ["strict", "share"]) func liveActivity(_ level: String) throws {
    let folder = try TestFolder()
    let profiles = folder.url.appending(path: "profiles")
    try FileManager.default.createDirectory(at: profiles, withIntermediateDirectories: true)
    // The profile of the sample, whose notifications are Live Activities here.
    var profile = try String(
      contentsOfFile: Project.capture("mistakes/profile.yaml"), encoding: .utf8)
    for (kind, step) in [("add", "start"), ("update", "alert")] {
      profile = profile.replacing(
        "is: notification.\(kind)\n        notification-identifier: id",
        with: "is: live-activity.\(step)\n        identifier: id")
    }
    profile = profile.replacing("        should-alert: alert\n", with: "")
    try profile.write(
      to: profiles.appending(path: "profile.yaml"), atomically: true, encoding: .utf8)
    let sample = Project.capture("mistakes/notifications.btsnoop")
    let reported = try HarkProgram.timeline(sample, "--dissectors", profiles.path)
    #expect(reported.contains { $0.contains("new Live Activity: “Front door”") })
    let shared = folder.path("shared.btsnoop")
    let found = try HarkProgram.run(
      "redact", sample, shared, "--dissectors", profiles.path, "--level", level)
    #expect(found.code == 0, "\(found.stated)")
    let bytes = try Data(contentsOf: URL(filePath: shared))
    for text in ["Front door", "Tram 4"] {
      #expect(try Data(contentsOf: URL(filePath: sample)).range(of: Data(text.utf8)) != nil)
      #expect(bytes.range(of: Data(text.utf8)) == nil)
    }
  }

  /// A capture of the same format is none of another, whatever it is called.
  @Test func ending() throws {
    let folder = try TestFolder()
    let shared = folder.path("shared.pklg")
    let sample = Project.capture("pebble-session/pebble-session.btsnoop")
    let (_, stated, code) = try HarkProgram.run("redact", sample, shared)
    #expect(code == 1 && stated.first?.contains("hark convert OUT.btsnoop \(shared)") == true)
    #expect(!FileManager.default.fileExists(atPath: shared))
    #expect(try HarkProgram.run("redact", sample, folder.path("shared.log")).code == 0)
  }

  /// The name of the output is others' text, too: a loop over files may have chosen it.
  @Test func nameOfTheOutput() throws {
    let folder = try TestFolder()
    let sample = Project.capture("pebble-session/pebble-session.btsnoop")
    let text = try HarkProgram.run("redact", sample, folder.path("cv\u{1B}[1mx.btsnoop")).text
    #expect(!text.unicodeScalars.contains("\u{1B}") && text.contains("x.btsnoop: redacted"))
  }

  /// Nothing of a log that has only words is searched for, and the list does not claim it.
  @Test func proofOfWords() throws {
    let folder = try TestFolder()
    let log = folder.path("words.log")
    let line =
      "2026-11-29 16:37:00.123456+0100 0x1a2b Default 0x0 123 0 bluetoothd: "
      + "[com.apple.bluetooth:CBStack] Ottilie connected\n"
    try Data(line.utf8).write(to: URL(filePath: log))
    let text = try HarkProgram.run("redact", log, folder.path("shared.log")).text
    #expect(!text.contains("0 removed values"))
    #expect(
      text.contains("proof    same entries, times and facts; words are not searched for\n"),
      "\(text)")
  }
}
