import Foundation
import Testing

/// `hark report`: the file that it writes, and those that it must not write.
@Suite struct ReportCommandTests {
  static let sample = ConvertTests.sample("pebble-session/pebble-session.btsnoop")

  /// The accessory's name and address are in the capture, and in the report that is made of it.
  @Test(arguments: ["html", "md", "json"]) func redacted(_ form: String) throws {
    let folder = try ConvertTests.Folder()
    let (plain, shared) = (folder.path("plain.\(form)"), folder.path("shared.\(form)"))
    #expect(try ConvertTests.hark("report", Self.sample, "-o", plain).code == 0)
    let (_, said, code) = try ConvertTests.hark("report", Self.sample, "--redact", "-o", shared)
    #expect(code == 0)
    #expect(said.isEmpty, "\(said)")
    let texts = try [plain, shared].map { try String(contentsOfFile: $0, encoding: .utf8) }
    for secret in ["Acme Watch 4F2A", "E2:4F:2A:22:22:22"] {
      #expect(texts[0].contains(secret))
      #expect(!texts[1].contains(secret))
    }
  }

  /// Logs of the app's side are redacted with the capture, and what keys open is told to be left out.
  @Test func redactedLogs() throws {
    let folder = try ConvertTests.Folder()
    let (plain, shared) = (folder.path("plain.md"), folder.path("shared.md"))
    let arguments = [
      "report", Self.sample, "--keys", ConvertTests.sample("pebble-session/accessory.harkkeys"),
      "--app-log", ConvertTests.sample("app-side/pebble-log.ndjson"),
      "--app-log", ConvertTests.sample("app-side/pebble-journal.ndjson"),
    ]
    let program = GoldenTranscriptTests.program.path
    #expect(try ConvertTests.run(program, arguments + ["-o", plain]).code == 0)
    let (_, said, code) = try ConvertTests.run(program, arguments + ["--redact", "-o", shared])
    #expect(code == 0)
    let withheld = "11 sealed messages that the keys open stay locked here"
    #expect(said.count == 1 && said[0].contains(withheld), "\(said)")
    let texts = try [plain, shared].map { try String(contentsOfFile: $0, encoding: .utf8) }
    #expect(texts[1].contains(withheld))
    for secret in ["Acme Watch 4F2A", "E2:4F:2A:22:22:22", "com.acme.watch.helper"] {
      #expect(texts[0].contains(secret) && !texts[1].contains(secret))
    }
    // The journal fits the redacted capture as it fits the other.
    let clock = "app-log-2.ndjson: its times are shifted by -2.721 s"
    #expect(texts[1].contains(clock))
    #expect(texts[0].contains(clock.replacing("app-log-2", with: "pebble-journal")))
  }

  /// None of the captures is emptied, whichever it is.
  @Test(arguments: [[], ["--redact"]]) func capturesStay(_ options: [String]) throws {
    let folder = try ConvertTests.Folder()
    let capture = folder.path("second.btsnoop")
    try FileManager.default.copyItem(atPath: Self.sample, toPath: capture)
    let arguments = ["report", Self.sample, capture, "--format", "html", "-o", capture] + options
    let (_, said, code) = try ConvertTests.run(GoldenTranscriptTests.program.path, arguments)
    #expect(code == 1)
    #expect(said == ["hark: \(capture): is the capture itself; name another file to write to"])
    #expect(FileManager.default.contentsEqual(atPath: Self.sample, andPath: capture))
  }

  /// One device has one pseudonym in all captures of a report, and with a map the same captures give the
  /// same bytes.
  @Test func map() throws {
    let folder = try ConvertTests.Folder()
    let again = folder.path("again.btsnoop")
    try FileManager.default.copyItem(atPath: Self.sample, toPath: again)
    let map = folder.path("bug.map")
    var bundles: [[UInt8]] = []
    for name in ["first.zip", "second.zip"] {
      let bundle = folder.path(name)
      let code = try ConvertTests.hark(
        "report", Self.sample, again, "--bundle", bundle, "--map", map
      ).code
      #expect(code == 0)
      bundles.append([UInt8](try Data(contentsOf: URL(filePath: bundle))))
    }
    #expect(bundles[0] == bundles[1])
    // “Acme Watch 4F2A”, and what it became.
    let table = try String(contentsOfFile: map, encoding: .utf8)
    #expect(table.contains("\nname\t41636d652057617463682034463241\t"))
    let report = folder.path("report.json")
    _ = try ConvertTests.hark("report", Self.sample, again, "--redact", "-o", report)
    let json = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: report)))
    let captures = try #require((json as? [String: Any])?["captures"] as? [[String: Any]])
    let addresses = captures.map { capture in
      (capture["devices"] as? [[String: Any]] ?? []).flatMap { $0["addresses"] as? [String] ?? [] }
    }
    #expect(addresses.count == 2 && !addresses[0].isEmpty)
    #expect(addresses[0] == addresses[1])
  }

  @Test func mapNeedsRedaction() throws {
    let folder = try ConvertTests.Folder()
    let arguments = [
      "report", Self.sample, "-o", folder.path("a.html"), "--map", folder.path("a.map"),
    ]
    #expect(try ConvertTests.run(GoldenTranscriptTests.program.path, arguments).code == 64)
  }
}
