import Foundation
import HarkTestSupport
import Testing

@testable import hark

/// Output on a terminal goes through a pager, as git's does. script(1) makes the terminal.
@Suite(.enabled(if: OtherProgram.isThere("/usr/bin/script"))) struct PagerTests {
  private static let capture = Project.capture("pebble-session/pebble-session.btsnoop")
  /// A pager that marks each line.
  private static let marking = "sed s/^/@/"

  /// What a command prints on a terminal, with its exit code.
  /// - Parameter input: The file that is its standard input.
  private static func terminal(
    _ words: [String], pager: String?, variable: String = "HARK_PAGER", input: String = "/dev/null"
  ) throws -> (lines: [String], code: Int32) {
    let quoted = ([HarkProgram.url.path] + words).map { "'\($0)'" }.joined(separator: " ")
    let setting = pager.map { "\(variable)='\($0)'" } ?? ""
    let command =
      "unset PAGER HARK_PAGER LESS; TERM=xterm NO_COLOR=1 \(setting) \(quoted) < '\(input)'"
    let (text, _, code) = try OtherProgram.run(
      "/usr/bin/script", ["-qec", command, "/dev/null"])
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    return (lines.dropLast(text.last?.isNewline == true ? 1 : 0).map(String.init), code)
  }

  @Test func showsLongOutput() throws {
    let plain = try Self.terminal(["info", Self.capture], pager: "cat")
    #expect(plain.code == 0 && plain.lines.count > 10)
    for variable in ["HARK_PAGER", "PAGER"] {
      let paged = try Self.terminal(
        ["info", Self.capture], pager: Self.marking, variable: variable)
      #expect(paged.code == 0, "\(variable)")
      #expect(paged.lines == plain.lines.map { "@" + $0 }, "\(variable)")
    }
    let off = try Self.terminal(["info", Self.capture, "--no-pager"], pager: Self.marking)
    #expect(off.code == 0 && off.lines == plain.lines)
  }

  /// Complaints after output are in the pager, which has the terminal; without output there is no pager.
  @Test func keepsExitCodesAndComplaints() throws {
    let cut = Project.capture("pebble-session/pebble-session.btsnoop")
    let folder = try TestFolder()
    let bytes = try Data(contentsOf: URL(filePath: cut))
    try bytes.dropLast(5).write(to: folder.url.appending(path: "cut.btsnoop"))
    let truncated = try Self.terminal(
      ["timeline", folder.path("cut.btsnoop")], pager: Self.marking)
    #expect(truncated.code == 2)
    #expect(truncated.lines.last?.hasPrefix("@hark: ") == true, "\(truncated.lines.suffix(1))")
    let missing = try Self.terminal(["info", folder.path("missing")], pager: Self.marking)
    #expect(missing.code == 1)
    #expect(missing.lines.count == 1 && missing.lines[0].hasPrefix("hark: "), "\(missing.lines)")
  }

  /// A pager that does not read to the end ends hark, too.
  @Test func endsWithThePager() throws {
    let found = try Self.terminal(["packets", Self.capture], pager: "head -n 2")
    #expect(found.lines.count == 2 && found.code == 0, "\(found.lines)")
  }

  @Test func isLeftOutWhereNoOneReadsPages() throws {
    for words in [["info", "-"], ["live", "-", "--lane", "link"]] {
      let found = try Self.terminal(words, pager: Self.marking, input: Self.capture)
      #expect(found.code == 0 && found.lines.count > 5, "\(words)")
      #expect(!found.lines.contains { $0.hasPrefix("@") }, "\(words)")
    }
    let piped = try HarkProgram.run("info", Self.capture)
    #expect(piped.code == 0 && piped.text.contains("packets"))
  }

  /// A missing program is no reason to show nothing.
  @Test func doesWithoutAMissingPager() throws {
    let found = try Self.terminal(["info", Self.capture], pager: "no-such-pager --x")
    #expect(found.code == 0 && found.lines.count > 10)
  }

  @Test(arguments: Pager.commands.subtracting(["help"]).sorted())
  func everyPagedCommandHasTheOption(_ command: String) throws {
    let help = try HarkProgram.run("help", command)
    #expect(help.text.contains("--no-pager"))
  }
}
