import Foundation
import HarkTestSupport
import Testing

/// What commands say about themselves.
@Suite struct HelpTests {
  private struct Dump: Decodable {
    let command: Command
  }

  private struct Command: Decodable {
    let commandName: String
    let discussion: String?
    let subcommands: [Command]?

    /// Each command line that leads to a command.
    func paths(below path: [String] = []) -> [[String]] {
      let all = (subcommands ?? []).flatMap { $0.paths(below: path + [$0.commandName]) }
      return [path] + all
    }
  }

  private static func all() throws -> Command {
    let (text, _, _) = try HarkProgram.run("--experimental-dump-help")
    return try JSONDecoder().decode(Dump.self, from: Data(text.utf8)).command
  }

  /// The command line of each help there is.
  static func helps() throws -> [[String]] {
    try all().paths().filter { $0 != ["help"] }.map { $0 + ["--help"] }
      + [["help", "filters"], ["record", "-Y", "x", "--help"]]
  }

  /// An example, or a row of a table, that is broken into two lines is none.
  @Test func nothingLaidOutIsBroken() throws {
    func check(_ command: Command) {
      let lines = (command.discussion ?? "").split(separator: "\n")
      let long = lines.filter { $0.hasPrefix(" ") && $0.count > 80 }.map(String.init)
      #expect(long.isEmpty, "\(command.commandName): \(long)")
      for command in command.subcommands ?? [] { check(command) }
    }
    try check(Self.all())
  }

  /// On terminals as they are when they are opened.
  @Test func fitsEightyColumns() throws {
    let helps = try Self.helps()
    #expect(helps.count > 25)
    for help in helps {
      let (text, _, code) = try OtherProgram.run(
        HarkProgram.url.path, help)
      #expect(code == 0)
      let long = text.split(separator: "\n").filter { $0.count > 80 }.map(String.init)
      #expect(long.isEmpty, "\(help): \(long)")
    }
  }
}
