import Foundation
import Testing

/// `hark redact`: what it says of captures that cannot be read to their end.
@Suite struct RedactCommandTests {
  /// The first 5000 bytes end within a record; the result is cut at the same place.
  @Test func truncated() throws {
    let folder = try ConvertTests.Folder()
    let (capture, shared) = (folder.path("cut.btsnoop"), folder.path("shared.btsnoop"))
    let whole = try Data(
      contentsOf: URL(fileURLWithPath: ConvertTests.sample("pebble-session/pebble-session.btsnoop"))
    )
    try whole.prefix(5_000).write(to: URL(fileURLWithPath: capture))
    let (text, said, code) = try ConvertTests.hark("redact", capture, shared)
    #expect(code == 2)
    #expect(said.count == 1 && said[0].hasPrefix("hark: \(capture): truncated: "), "\(said)")
    #expect(text.contains(": redacted (share), "))
    #expect(try Data(contentsOf: URL(fileURLWithPath: shared)).count == 5_000)
    #expect(try ConvertTests.hark("info", shared).code == 2)
  }
}
