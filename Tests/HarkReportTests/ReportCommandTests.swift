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
}
