import Foundation
import HarkFilter
import HarkTestSupport
import Testing

/// The filters in docs/filters.md and `hark help filters`: all are understood, and each example finds something
/// in one of the samples.
@Suite struct FilterExampleTests {
  private static func text(_ name: String) throws -> String {
    try String(
      contentsOf: Project.root.appendingPathComponent(name), encoding: .utf8)
  }

  /// What the commands of the page filter with, and which command it is.
  static let commands: [(command: String, filter: String)] = {
    let page = (try? text("docs/filters.md")) ?? ""
    return page.matches(of: /hark (packets|timeline) session\.pklg -Y '([^']+)'/).map {
      (String($0.1), String($0.2))
    }
  }()

  /// The lines of help that are filters alone.
  static let ofHelp: [String] = {
    let help = (try? PacketEventFilterTests.hark(["help", "filters"]).text) ?? ""
    return help.components(separatedBy: "Comparisons")[0].split(separator: "\n")
      .filter { $0.hasPrefix("  ") }.map { $0.trimmingCharacters(in: .whitespaces) }
  }()

  /// Samples that examples may be of, with their keys.
  private static let samples: [PacketEventFilterTests.Sample] = [
    .init(name: "pebble-session", file: "pklg"), .init(name: "pebble-faults", file: "btsnoop"),
    .init(name: "aap-session", file: "btsnoop", keys: false),
    .init(name: "ancs-session", file: "btsnoop", keys: false),
  ]

  private static func finds(_ command: String, _ filter: String) throws -> Bool {
    for sample in samples {
      let found = try PacketEventFilterTests.hark(
        [command, sample.path, "-Y", filter] + sample.options)
      #expect(found.code == 0, "\(filter): \(found.stated)")
      if !found.text.isEmpty { return true }
    }
    return false
  }

  @Test func thereAreSome() {
    #expect(Self.commands.count >= 8 && Self.ofHelp.count >= 7)
  }

  @Test(arguments: commands) func ofThePage(_ command: String, _ filter: String) throws {
    #expect(try Self.finds(command, filter))
  }

  /// Those of lanes are of events, too.
  @Test(arguments: ofHelp) func ofTheHelp(_ filter: String) throws {
    #expect(try Self.finds("packets", filter) || Self.finds("timeline", filter))
  }

  /// All code on the page that compares something is a filter, but for what it calls a mistake.
  @Test func allAreUnderstood() throws {
    let text = try Self.text("docs/filters.md")
    let operators = /==|!=|<|>| contains | matches | in {| and | & |^not |^all |\[/
    let filters = text.matches(of: /`([^`\n]+)`/).map { String($0.1) }.filter { code in
      code.contains(operators) && code.contains(/^(not |all |len\(|count\()?[a-z]+[.a-zA-Z]*/)
        && !code.contains("…") && !code.contains("--") && !code.hasPrefix("hark ")
    }
    #expect(filters.count > 15)
    for filter in filters {
      let found = try PacketEventFilterTests.hark(
        ["packets", Self.samples[0].path, "-Y", filter])
      #expect(found.code == 0, "\(filter): \(found.stated)")
    }
  }
}
