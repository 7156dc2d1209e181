import Foundation
import HarkTestSupport
import Testing

/// `--as text`: packets among other lines, which no format is detected in.
@Suite struct TextFormTests {
  /// HCI_Reset and its Command Complete (Core 6.0, volume 4, part E, sections 7.3.2 and 7.7.14), as `hcidump --raw` prints them.
  private static let text =
    "$ sudo hcidump --raw\r\n< 01 03 0C 00\r\nstopped\r\n> 04 0E 04 01 03 0C 00\r\n"

  @Test(arguments: [
    (["show"], ["2"], "Reset"), (["explain"], [], "no encryption in this capture"),
    (["packets"], [], "Reset"),
    (["info"], [], "2"), (["timeline"], [], "eset"),
  ])
  func commands(_ command: [String], _ rest: [String], _ expected: String) throws {
    let folder = try TestFolder()
    let path = folder.url.appending(path: "session.txt")
    try Self.text.write(to: path, atomically: true, encoding: .utf8)
    let words = command + [path.path] + rest
    let undetected = try OtherProgram.run(HarkProgram.url.path, words)
    #expect(undetected.code == 1 && undetected.text.isEmpty, "\(undetected)")
    let read = try OtherProgram.run(HarkProgram.url.path, words + ["--as", "text"])
    #expect(read.code == 0 && read.text.contains(expected), "\(read)")
  }
}
