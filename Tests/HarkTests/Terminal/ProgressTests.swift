import Foundation
import HarkTestSupport
import Testing

/// Progress on a terminal while the output goes to a file. script(1) makes the terminal.
@Suite(.enabled(if: OtherProgram.isThere("/usr/bin/script"))) struct ProgressTests {
  @Test func `output to a file leaves the line`() throws {
    let folder = try TestFolder()
    let bytes = try Data(
      contentsOf: URL(filePath: Project.capture("pebble-session/pebble-session.btsnoop")))
    let (header, records) = (bytes.prefix(16), bytes.dropFirst(16))
    let many = (0..<60).reduce(into: Data()) { data, _ in data += records }
    try (header + many).write(to: folder.url.appending(path: "first"))
    try many.write(to: folder.url.appending(path: "second"))
    // The mark on the terminal comes after the second part was read, and before the end.
    let command =
      "cd '\(folder.url.path)'; { cat first; sleep 1.3; cat second; sleep 1; printf '|' >&2; }"
      + " | '\(HarkProgram.url.path)' packets - > rows"
    let (text, _, code) = try OtherProgram.run(
      "/usr/bin/script", ["-qec", command, "/dev/null"])
    #expect(code == 0)
    #expect(text.contains("\r\u{1B}[Khark: "), "\(text.debugDescription)")
    #expect(text.contains(" packets"), "\(text.debugDescription)")
    #expect(!text.contains("\r\u{1B}[K|"), "\(text.debugDescription)")
    #expect(text.hasSuffix("\r\u{1B}[K"), "\(text.debugDescription)")
    let rows = try String(contentsOf: folder.url.appending(path: "rows"), encoding: .utf8)
    #expect(rows.split(separator: "\n").count == 2 * 60 * 193)
  }
}
