import Foundation
import HarkTestSupport
import Testing

/// `hark report`: the file that it writes, and those that it must not write.
@Suite struct ReportCommandTests {
  static let sample = Project.capture("pebble-session/pebble-session.btsnoop")

  /// The accessory's name and address are in the capture, and in the report that is made of it.
  @Test(arguments: ["html", "md", "json"]) func redacted(_ form: String) throws {
    let folder = try TestFolder()
    let (plain, shared) = (folder.path("plain.\(form)"), folder.path("shared.\(form)"))
    #expect(try HarkProgram.run("report", Self.sample, "-o", plain).code == 0)
    let (_, stated, code) = try HarkProgram.run("report", Self.sample, "--redact", "-o", shared)
    #expect(code == 0)
    #expect(stated.isEmpty, "\(stated)")
    let texts = try [plain, shared].map { try String(contentsOfFile: $0, encoding: .utf8) }
    for secret in ["Acme Watch 4F2A", "E2:4F:2A:22:22:22"] {
      #expect(texts[0].contains(secret))
      #expect(!texts[1].contains(secret))
    }
  }

  /// Logs of the app's side are redacted with the capture, and what keys open is reported to be left out.
  @Test func redactedLogs() throws {
    let folder = try TestFolder()
    let (plain, shared) = (folder.path("plain.md"), folder.path("shared.md"))
    let arguments = [
      "report", Self.sample, "--keys", Project.capture("pebble-session/accessory.harkkeys"),
      "--app-log", Project.capture("app-side/pebble-log.ndjson"),
      "--app-log", Project.capture("app-side/pebble-journal.ndjson"),
    ]
    let program = HarkProgram.url.path
    #expect(try OtherProgram.run(program, arguments + ["-o", plain]).code == 0)
    let (_, stated, code) = try OtherProgram.run(program, arguments + ["--redact", "-o", shared])
    #expect(code == 0 && stated.isEmpty, "\(stated)")
    let texts = try [plain, shared].map { try String(contentsOfFile: $0, encoding: .utf8) }
    #expect(texts[1].contains("The findings use keys that decrypt 11 encrypted messages."))
    #expect(texts[1].contains("hark decrypted 11 of 11 encrypted messages."))
    // The report does not ask for keys that it used.
    #expect(texts[1].contains(": decrypted with its key; its content is left out"))
    #expect(texts[1].contains("; its private key is known"))
    #expect(!texts[1].contains("encrypted message to") && !texts[1].contains("key file"))
    for secret in ["Acme Watch 4F2A", "E2:4F:2A:22:22:22", "com.acme.watch.helper"] {
      #expect(texts[0].contains(secret) && !texts[1].contains(secret))
    }
    // The journal fits the redacted capture as it fits the other, by what is left that both show.
    #expect(texts[1].contains("app-log-2.ndjson: hark shifted its times by -2.7"))
    #expect(texts[0].contains("pebble-journal.ndjson: hark shifted its times by -2.721 s"))
    // Other keys replace the captured ones.
    #expect(texts[0].contains("The capture contains 3 pairing keys"))
    #expect(!texts[1].contains("pairing keys"))
    #expect(texts[1].contains("hark replaced the keys in the capture; the replacements"))
  }

  /// What rules find with keys is in a redacted report as it is in `hark findings`, without what the keys
  /// open.
  @Test(arguments: [
    "pebble-faults", "pebble-wrong-derivation", "pebble-bytes-trap", "pebble-rekey",
    "pebble-reboot",
  ])
  func redactedFindings(_ name: String) throws {
    let folder = try TestFolder()
    let capture = Project.capture("\(name)/\(name).btsnoop")
    let keys = ["--keys", Project.capture("\(name)/accessory.harkkeys")]
    let program = HarkProgram.url.path
    func findings(_ bytes: Data) throws -> [[String: Any]] {
      let json = try #require(try JSONSerialization.jsonObject(with: bytes) as? [String: Any])
      let one = (json["captures"] as? [[String: Any]])?.first ?? json
      return try #require(one["findings"] as? [[String: Any]])
    }
    let original = try OtherProgram.run(program, ["findings", capture, "--format", "json"] + keys)
    let wanted = try findings(Data(original.text.utf8))
    let path = folder.path("shared.json")
    #expect(
      try OtherProgram.run(program, ["report", capture, "--redact", "-o", path] + keys).code == 0)
    let bytes = try Data(contentsOf: URL(filePath: path))
    let found = try findings(bytes)
    #expect(!wanted.isEmpty && wanted.count == found.count)
    #expect(wanted.contains { ($0["rule"] as? String)?.hasPrefix("keys.") == true })
    // The sessions are those of the original, and their counts add up to what the description says.
    let shared =
      try #require(
        try JSONSerialization.jsonObject(with: bytes) as? [String: Any])["captures"]
      as? [[String: Any]]
    let sessions = try #require(shared?.first?["sessions"] as? [[String: Any]])
    let names = sessions.compactMap { $0["session"] as? String }
    #expect(names.count == sessions.count && !names.isEmpty && !names.contains(""))
    let read = sessions.compactMap { $0["read"] as? Int }.reduce(0, +)
    let locked = sessions.compactMap { $0["locked"] as? Int }.reduce(0, +)
    let summary = try #require(shared?.first?["summary"] as? String)
    #expect(summary.contains("\(read) of \(read + locked) "))
    let counts = ": \(read) decrypted, \(locked) not decrypted"
    #expect(locked == 0 || String(decoding: bytes, as: UTF8.self).contains(counts))
    for (finding, twin) in zip(wanted, found) {
      for member in ["rule", "severity", "confidence", "observed", "expected"] {
        #expect(finding[member] as? String == twin[member] as? String)
      }
      #expect(finding["frames"] as? [Int] == twin["frames"] as? [Int])
      #expect(finding["occurrences"] as? Int == twin["occurrences"] as? Int)
      #expect(finding["device"] as? String == "Acme Watch 4F2A")
      let label = try #require(twin["device"] as? String)
      #expect(label.count == 15 && label != "Acme Watch 4F2A")
    }
    let text = String(decoding: bytes, as: UTF8.self)
    let truth = try String(
      contentsOfFile: Project.capture("\(name)/truth.json"), encoding: .utf8)
    for secret in ["Boarding now.", "Paid, thank you.", "Motion in the garden."] {
      #expect(name != "pebble-faults" || truth.contains(secret))
      #expect(!text.contains(secret))
    }
    for secret in ["Acme Watch 4F2A", "E2:4F:2A:22:22:22"] { #expect(!text.contains(secret)) }
  }

  /// A framing may be called as the device is: that is no reason for not writing the report.
  @Test func framingCalledAsDevice() throws {
    let folder = try TestFolder()
    let path = folder.path("shared.json")
    let (_, stated, code) = try OtherProgram.run(
      HarkProgram.url.path,
      [
        "report", Project.capture("helmet-session/helmet-session.btsnoop"), "--redact", "-o",
        path,
        "--keys", Project.capture("helmet-session/accessory.harkkeys"),
      ])
    #expect(code == 0 && stated.isEmpty, "\(stated)")
    let json = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: path)))
    let captures = try #require((json as? [String: Any])?["captures"] as? [[String: Any]])
    let devices = try #require(captures.first?["devices"] as? [[String: Any]])
    #expect(!devices.isEmpty && !devices.contains { $0["name"] as? String == "Acme Helmet" })
  }

  /// A report with something of what was removed is not written.
  @Test func titleWithName() throws {
    let folder = try TestFolder()
    let path = folder.path("shared.md")
    let (_, stated, code) = try OtherProgram.run(
      HarkProgram.url.path,
      ["report", Self.sample, "--redact", "-o", path, "--title", "Why Acme Watch 4F2A fails"])
    #expect(code == 1 && !FileManager.default.fileExists(atPath: path))
    #expect(
      stated == [
        "hark: a name from the captures would remain in the title of the report",
        "hark: nothing was written",
      ])
  }

  /// A device may have the name of something that every report has: words of hark's own, a date, a heading, a color.
  @Test(arguments: ["interval 30 ms,", "as Central, int", "### Description", "font-family: sy"])
  func innocentNames(_ name: String) throws {
    let folder = try TestFolder()
    var bytes = try Project.bytes(Self.sample)
    // Of the same length.
    let (old, new) = (Data("Acme Watch 4F2A".utf8), Data(name.utf8))
    try #require(old.count == new.count)
    while let place = bytes.firstRange(of: old) { bytes.replaceSubrange(place, with: new) }
    let capture = folder.path("named.btsnoop")
    try bytes.write(to: URL(filePath: capture))
    for form in ["md", "html", "json"] {
      let path = folder.path("shared.\(form)")
      let run = try HarkProgram.run("report", capture, "--redact", "-o", path)
      #expect(run.code == 0 && run.stated.isEmpty, "\(form): \(run.stated)")
    }
  }

  /// None of the captures is emptied, whichever it is.
  @Test(arguments: [[], ["--redact"]]) func capturesStay(_ options: [String]) throws {
    let folder = try TestFolder()
    let capture = folder.path("second.btsnoop")
    try FileManager.default.copyItem(atPath: Self.sample, toPath: capture)
    let arguments = ["report", Self.sample, capture, "--format", "html", "-o", capture] + options
    let (_, stated, code) = try OtherProgram.run(HarkProgram.url.path, arguments)
    #expect(code == 1)
    #expect(stated == ["hark: \(capture): this is the capture itself; choose another output file"])
    #expect(FileManager.default.contentsEqual(atPath: Self.sample, andPath: capture))
  }

  /// One device has one pseudonym in all captures of a report, and with a map the same captures give the
  /// same bytes.
  @Test func map() throws {
    let folder = try TestFolder()
    let again = folder.path("again.btsnoop")
    try FileManager.default.copyItem(atPath: Self.sample, toPath: again)
    let map = folder.path("bug.map")
    var bundles: [[UInt8]] = []
    for name in ["first.zip", "second.zip"] {
      let bundle = folder.path(name)
      let code = try HarkProgram.run(
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
    _ = try HarkProgram.run("report", Self.sample, again, "--redact", "-o", report)
    let json = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: report)))
    let captures = try #require((json as? [String: Any])?["captures"] as? [[String: Any]])
    let addresses = captures.map { capture in
      (capture["devices"] as? [[String: Any]] ?? []).flatMap { $0["addresses"] as? [String] ?? [] }
    }
    #expect(addresses.count == 2 && !addresses[0].isEmpty)
    #expect(addresses[0] == addresses[1])
  }

  /// Captures with the same name are told apart by their folders, in a report and by `hark diff`.
  @Test func sameNames() throws {
    let folder = try TestFolder()
    let paths = try ["good", "bad"].map { name in
      try FileManager.default.createDirectory(
        atPath: folder.path(name), withIntermediateDirectories: true)
      let path = folder.path("\(name)/x.btsnoop")
      try FileManager.default.copyItem(atPath: Self.sample, toPath: path)
      return path
    }
    let report = folder.path("r.json")
    #expect(try HarkProgram.run("report", paths[0], paths[1], "-o", report).code == 0)
    let text = try String(contentsOfFile: report, encoding: .utf8)
    #expect(text.contains(#""name":"good/x.btsnoop""#) && text.contains(#""name":"bad/x.btsnoop""#))
    #expect(!text.contains(folder.path("good")))
    let diff = try HarkProgram.run("diff", paths[0], paths[1], "-f", "json").text
    #expect(diff.contains(#""good":"\#(paths[0])","bad":"\#(paths[1])""#))
    #expect(try HarkProgram.run("diff", paths[0], paths[0]).code == 0)
  }

  @Test func mapNeedsRedaction() throws {
    let folder = try TestFolder()
    let arguments = [
      "report", Self.sample, "-o", folder.path("a.html"), "--map", folder.path("a.map"),
    ]
    #expect(try OtherProgram.run(HarkProgram.url.path, arguments).code == 64)
  }

  /// Notes that were written on another capture, and on packets that this one does not have.
  @Test func notesThatDoNotFit() throws {
    let folder = try TestFolder()
    let capture = Project.capture("pebble-session/pebble-session.btsnoop")
    let notes = """
      {"capture":"other.pklg","notes":[{"packets":[44,46],"text":"here"},{"packets":[190,194],"text":"there"}]}
      """
    try Data(notes.utf8).write(to: URL(filePath: folder.path("n.json")))
    let (text, stated, code) = try HarkProgram.run(
      "report", capture, "--notes", folder.path("n.json"), "-f", "md", "-o", "-")
    #expect(code == 0)
    #expect(text.contains("#44–46: here") || text.contains("#\u{200B}44–46: here"))
    #expect(!text.contains("there —") && !text.contains(": there\n"))
    #expect(
      stated.contains {
        $0.hasSuffix(
          "notes on other.pklg, not on pebble-session.btsnoop: the packets may be others")
      })
    #expect(
      stated.contains {
        $0.hasSuffix(
          "1 note left out: on packets that the capture does not have, such as #190–194")
      })
    // What is read from standard input may be the other capture.
    let piped = try HarkProgram.transcript(
      ["report", "-", "--notes", folder.path("n.json"), "-f", "md", "-o", "-"],
      input: Project.bytes(capture))
    #expect(piped.contains("1 note left out") && !piped.contains("notes on other.pklg"), "\(piped)")
  }
}
