import Foundation
import HarkSamples
import HarkTestSupport
import Testing

/// The commands with their options and exit codes, and the declarations of HarkKit: scripts and programs rely on them, so
/// each change must be deliberate. See docs/compatibility.md.
@Suite struct InterfaceTests {
  private struct Dump: Decodable {
    let command: Command
  }

  private struct Command: Decodable {
    let commandName: String
    let discussion: String?
    let arguments: [Argument]?
    let subcommands: [Command]?
  }

  private struct Argument: Decodable {
    struct Name: Decodable {
      let kind: String
      let name: String

      var text: String { (kind == "long" ? "--" : "-") + name }
    }

    let kind: String
    let names: [Name]?
    let valueName: String?
    let isOptional: Bool
    let isRepeating: Bool
    let allValues: [String]?

    /// `--format, -f <format>: text, json`
    var text: String {
      let names = (names ?? []).map(\.text).sorted { $0.count > $1.count }.joined(separator: ", ")
      let value = kind == "flag" ? nil : valueName.map { "<\($0)>" }
      var text = [names, value ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
      if isRepeating { text += " ..." }
      if !isOptional { text += " (required)" }
      // Lists that grow with each protocol or rule are no interface of their own.
      if let values = allValues, !values.isEmpty, values.count < 20 {
        text += ": " + values.joined(separator: ", ")
      }
      return text
    }
  }

  private static func write(_ command: Command, below path: [String], to text: inout String) {
    let path = path + [command.commandName]
    text += path.joined(separator: " ") + "\n"
    for argument in command.arguments ?? [] { text += "  \(argument.text)\n" }
    for code in exitCodes(command.discussion ?? "") { text += "  exit code \(code)\n" }
    for command in command.subcommands ?? [] where command.commandName != "help" {
      write(command, below: path, to: &text)
    }
  }

  /// The lines of `Exit codes:`, without what they mean.
  private static func exitCodes(_ discussion: String) -> [Int] {
    let lines = discussion.split(separator: "\n", omittingEmptySubsequences: false)
    guard let start = lines.firstIndex(where: { $0.hasPrefix("Exit codes:") }) else { return [] }
    return lines[(start + 1)...].prefix { $0.hasPrefix("  ") }.compactMap { line in
      line.dropFirst(2).prefix { $0.isNumber }.isEmpty
        ? nil : Int(line.dropFirst(2).prefix { $0.isNumber })
    }
  }

  @Test func isAsReleased() throws {
    let dump = try HarkProgram.run("--experimental-dump-help")
    let command = try JSONDecoder().decode(Dump.self, from: Data(dump.text.utf8)).command
    var text = ""
    Self.write(command, below: [], to: &text)
    expectGolden(text, "Tests/Transcripts/interface.golden")
  }

  /// The lines that declare what is public, without bodies. Enum cases have no access of their own.
  @Test func `HarkKit is as released`() throws {
    let folder = Project.root.appending(path: "Sources/HarkKit")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    var text = ""
    for file in files.filter({ $0.hasSuffix(".swift") }).sorted() {
      let lines = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
        .split(separator: "\n")
      for (number, line) in lines.enumerated() {
        let declaration = line.drop { $0 == " " }
        let isCase = declaration.hasPrefix("case ") && lines[number - 1].contains("public enum ")
        guard declaration.hasPrefix("public ") || isCase else { continue }
        // A declaration ends where its body or a value begins; a long one continues up to its bracket.
        var whole = String(line)
        var next = number + 1
        while whole.filter({ $0 == "(" }).count > whole.filter({ $0 == ")" }).count,
          next < lines.count
        {
          whole += " " + lines[next].drop { $0 == " " }
          next += 1
        }
        let end = whole.range(of: " {")?.lowerBound ?? whole.endIndex
        text += whole[..<end] + "\n"
      }
    }
    expectGolden(text, "Tests/Transcripts/harkkit.golden")
  }
}
