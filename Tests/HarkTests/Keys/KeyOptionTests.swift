import Foundation
import HarkTestSupport
import Testing

/// Every command that reads a capture takes keys in the same ways.
@Suite struct KeyOptionTests {
  private struct Dump: Decodable { let command: Command }

  private struct Command: Decodable {
    struct Argument: Decodable {
      struct Name: Decodable { let name: String }
      let kind: String
      let names: [Name]?
      let isRepeating: Bool
    }

    let commandName: String
    let arguments: [Argument]?
    let subcommands: [Command]?

    /// Each command that does something, by its command line.
    func all(below path: [String] = []) -> [(name: String, command: Command)] {
      let below = (subcommands ?? []).flatMap { $0.all(below: path + [$0.commandName]) }
      // extcap does something of its own, too.
      let isGroup =
        !below.isEmpty && arguments?.contains { $0.names?.first?.name == "keys" } != true
      return (isGroup ? [] : [(path.joined(separator: " "), self)]) + below
    }
  }

  private static let options = ["keys", "ltk", "irk", "link-key", "accessory-key", "passkey"]

  /// Commands that read no capture; `record` passes its arguments on. A new command is here, or takes keys.
  private static let others: Set = [
    "check-app", "fields", "dissectors list", "dissectors show", "dissectors check", "record",
    "extcap install", "extcap uninstall", "keys list", "keys show", "keys add", "keys export",
    "keys remove", "keys rekey", "keys generate", "seal", "help",
  ]

  private static func commands() throws -> [(name: String, command: Command)] {
    let (text, _, _) = try HarkProgram.run("--experimental-dump-help")
    return try JSONDecoder().decode(Dump.self, from: Data(text.utf8)).command.all()
  }

  @Test func eachTakesAll() throws {
    let commands = try Self.commands()
    #expect(commands.count > 35)
    #expect(Self.others.isSubset(of: commands.map(\.name)))
    for (name, command) in commands where !Self.others.contains(name) {
      for option in Self.options {
        let found = command.arguments?.first { $0.names?.contains { $0.name == option } == true }
        #expect(found?.isRepeating == true, "\(name): --\(option)")
      }
    }
    let recorder = try HarkProgram.run("record", "-Y", "att", "--help").text
    for option in Self.options { #expect(recorder.contains("--\(option) <"), "record: \(option)") }
  }

  /// A run of each, as far as it needs no more than files: a file that HARK_KEYS names, and a key of each option, are
  /// read.
  @Test func eachReadsThem() throws {
    let folder = try TestFolder()
    let capture = Project.capture("pebble-session/pebble-session.btsnoop")
    let runs: [String: [String]] = [
      "timeline": [capture], "live": [capture], "findings": [capture],
      "report": [capture, "-o", folder.path("r.html")],
      "diff": [capture, capture],
      "minimize": [capture, "--finding", "keys.nonce-reuse", "-o", folder.path("m.btsnoop")],
      "expect": [Project.capture("pebble-session/expectations.yaml"), capture],
      "info": [capture], "gatt": [capture], "streams": [capture], "packets": [capture],
      "show": [capture, "1"], "explain": [capture], "doctor": [capture],
      "dissectors try": [
        Project.root.appending(path: "dissectors/pebble/pebble.ksy").path, capture,
      ],
      "dissectors guess": [capture],
      "dissectors kaitai": [capture, "1", "-o", folder.path("k.bin")],
      "export": [capture, folder.path("e.sqlite")],
      "convert": [capture, folder.path("c.pcap")], "redact": [capture, folder.path("r.btsnoop")],
      "keys import": [folder.path("new.harkkeys"), capture],
      "open": [Project.root.appending(path: "Tests/Transcripts/sealed.json").path],
    ]
    let names = Set(try Self.commands().map(\.name)).subtracting(Self.others)
    #expect(names.subtracting(runs.keys) == ["extcap"])
    let missing = folder.path("no-such.harkkeys")
    for (name, arguments) in runs.sorted(by: { $0.key < $1.key }) {
      let words = name.split(separator: " ").map(String.init) + arguments
      let named = try OtherProgram.run(
        "/usr/bin/env", ["HARK_KEYS=\(missing)", HarkProgram.url.path] + words)
      #expect(named.code == 1, "\(name)")
      #expect(named.stated.contains { $0.contains("no-such.harkkeys") }, "\(name): \(named.stated)")
      // Each is reported by its name, as often as it is given.
      let wrong = try OtherProgram.run(
        HarkProgram.url.path,
        words + Self.options.dropFirst().flatMap { ["--\($0)", "zz", "--\($0)", "zz"] })
      #expect(wrong.code == 64, "\(name)")
      for option in Self.options.dropFirst() {
        let reported = wrong.stated.filter { $0.hasPrefix("hark: --\(option) takes ") }
        #expect(reported.count == 2, "\(name) --\(option): \(wrong.stated)")
      }
    }
  }
}
