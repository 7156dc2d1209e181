import Foundation
import HarkTestSupport
import Testing

/// `hark redact`: what it says of captures that cannot be read to their end.
@Suite struct RedactCommandTests {
  /// The first 5000 bytes end within a record; the result is cut at the same place.
  @Test func truncated() throws {
    let folder = try TestFolder()
    let (capture, shared) = (folder.path("cut.btsnoop"), folder.path("shared.btsnoop"))
    let whole = try Data(
      contentsOf: URL(fileURLWithPath: Project.capture("pebble-session/pebble-session.btsnoop"))
    )
    try whole.prefix(5_000).write(to: URL(fileURLWithPath: capture))
    let (text, said, code) = try HarkProgram.run("redact", capture, shared)
    #expect(code == 2)
    #expect(said.count == 1 && said[0].hasPrefix("hark: \(capture): truncated: "), "\(said)")
    #expect(text.contains(": redacted (strict), "))
    #expect(try Data(contentsOf: URL(fileURLWithPath: shared)).count == 5_000)
    #expect(try HarkProgram.run("info", shared).code == 2)
  }

  /// A capture of the same format is none of another, whatever it is called.
  @Test func ending() throws {
    let folder = try TestFolder()
    let shared = folder.path("shared.pklg")
    let sample = Project.capture("pebble-session/pebble-session.btsnoop")
    let (_, said, code) = try HarkProgram.run("redact", sample, shared)
    #expect(code == 1 && said.first?.contains("hark convert OUT.btsnoop \(shared)") == true)
    #expect(!FileManager.default.fileExists(atPath: shared))
    #expect(try HarkProgram.run("redact", sample, folder.path("shared.log")).code == 0)
  }
}
