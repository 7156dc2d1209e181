import Foundation
import HarkTestSupport
import Testing

/// Manual pages and completions, as packages install them.
@Suite struct ManualPageTests {
  private struct Dump: Decodable { let command: Command }

  private struct Command: Decodable {
    let commandName: String
    let arguments: [Argument]?
    let subcommands: [Command]?

    /// The names of all options, also of its commands.
    var options: [String] {
      let own = (arguments ?? []).filter { $0.shouldDisplay ?? true }.flatMap { $0.names ?? [] }
      return own.filter { $0.kind == "long" }.map(\.name) + (subcommands ?? []).flatMap(\.options)
    }
  }

  private struct Argument: Decodable {
    let shouldDisplay: Bool?
    let names: [Name]?
  }

  private struct Name: Decodable {
    let kind: String
    let name: String
  }

  private static let mandoc = "/usr/bin/mandoc"

  private static func make(_ folder: TestFolder) throws {
    let recorder = HarkProgram.url.deletingLastPathComponent().appending(path: "hark-record")
    let tool = Project.root.appending(path: "Tools/man-pages").path
    let made = try OtherProgram.run(
      "/usr/bin/env",
      [
        "python3", "-B", tool, HarkProgram.url.path, recorder.path, folder.path("man1"), "--date",
        "2026-01-01",
      ])
    try #require(made.code == 0, "\(made.stated)")
  }

  /// Each command has a page with all of its options.
  @Test func commands() throws {
    let folder = try TestFolder()
    try Self.make(folder)
    let (text, _, _) = try HarkProgram.run("--experimental-dump-help")
    let root = try JSONDecoder().decode(Dump.self, from: Data(text.utf8)).command
    let commands = (root.subcommands ?? []).filter { !["help", "record"].contains($0.commandName) }
    #expect(commands.count > 20)
    for command in commands {
      let page = String(
        decoding: try folder.bytes("man1/hark-\(command.commandName).1"), as: UTF8.self)
      for option in command.options {
        #expect(
          page.contains("Fl -\(option)"), "hark-\(command.commandName).1 lacks --\(option)")
      }
    }
    for page in ["hark.1", "hark-record.1"] { #expect(try !folder.bytes("man1/\(page)").isEmpty) }
  }

  /// mandoc finds nothing to complain about.
  @Test(.enabled(if: OtherProgram.isThere(mandoc)))
  func lint() throws {
    let folder = try TestFolder()
    try Self.make(folder)
    let pages = try FileManager.default.contentsOfDirectory(atPath: folder.path("man1"))
      .map { folder.path("man1/\($0)") }
    #expect(pages.count > 20)
    let found = try OtherProgram.run(
      "/usr/bin/env", ["MANPATH=\(folder.path(""))", Self.mandoc, "-T", "lint"] + pages)
    // The pages themselves are not in the index of installed pages.
    let lines = found.text.split(separator: "\n").filter {
      !$0.contains("referenced manual not found")
    }
    #expect(lines.isEmpty, "\(lines)")
  }

  /// Shells read the completions without an error.
  @Test func completions() throws {
    let folder = try TestFolder()
    let tool = Project.root.appending(path: "Tools/completions").path
    let made = try OtherProgram.run("/bin/sh", [tool, HarkProgram.url.path, folder.path("share")])
    #expect(made.code == 0 && made.stated.isEmpty)
    let bash = folder.path("share/bash-completion/completions/hark")
    let read = try OtherProgram.run("/usr/bin/env", ["bash", "-n", bash])
    #expect(read.code == 0, "\(read.stated)")
    for (file, text) in [
      ("zsh/vendor-completions/_hark", "#compdef hark\n"),
      ("fish/vendor_completions.d/hark.fish", "function "),
    ] {
      let found = String(decoding: try folder.bytes("share/\(file)"), as: UTF8.self)
      #expect(found.hasPrefix(text), "\(file)")
    }
  }

  /// As the scripts call the program: the word to complete is the last one.
  @Test(arguments: [
    (["packets", "-e"], "att.op", ["att.opcode"]), (["packets", "-Y"], "att.op", ["att.opcode"]),
    (["packets", "a.pcap", "-e"], "frame.number,att.op", ["frame.number,att.opcode"]),
    (
      ["timeline", Project.capture("pebble-session/pebble-session.btsnoop"), "--device"], "acme",
      ["Acme Watch 4F2A"]
    ),
    (
      ["timeline", Project.capture("pebble-session/pebble-session.btsnoop"), "--device"], "E2:",
      ["E2:4F:2A:22:22:22"]
    ),
  ])
  func words(_ before: [String], _ word: String, _ expected: [String]) throws {
    let option = ["-e": "--field", "-Y": "--filter"][before.last ?? ""] ?? "--device"
    let line = ["hark"] + before + [word]
    let run = try OtherProgram.run(
      HarkProgram.url.path,
      ["---completion", before[0], "--", option, "\(line.count - 1)", "\(word.count)"] + line)
    #expect(run.text.split(separator: "\n").map(String.init) == expected, "\(run)")
  }
}
