import Foundation
import HarkFilter
import HarkSamples
import HarkTestSupport
import Testing

/// A lane has the same name in every output, option and document.
@Suite struct LaneNameTests {
  private static let lanes = FilterProperty.lanes

  private static func text(of document: String) throws -> String {
    try String(contentsOf: Project.root.appending(path: document), encoding: .utf8)
  }

  @Test func documents() throws {
    let row = try #require(
      Self.text(of: "docs/timeline-json.md").split(separator: "\n").first {
        $0.hasPrefix("| `lane` |")
      })
    let named = row.matches(of: #/`([a-z0-9]+)`/#).map { String($0.1) }
    #expect(named == ["lane"] + Self.lanes)
    for name in ["timeline", "diff", "report"] {
      let schema = try Self.text(of: "docs/schemas/\(name).json")
      let list = try #require(schema.firstMatch(of: #/"lane": {\s*"enum": \[([^\]]*)\]/#)).1
      #expect(list.matches(of: #/"([^"]*)"/#).map { String($0.1) } == Self.lanes, "\(name)")
    }
  }

  @Test func help() throws {
    let help = try HarkProgram.transcript(["timeline", "--help"]).split { $0.isWhitespace }
      .joined(separator: " ")
    let begin = try #require(help.range(of: "Lanes: ")).upperBound
    let end = try #require(help.range(of: "Examples:")).lowerBound
    let named = help[begin..<end].replacing(#/ \([^)]*\)/#, with: "")
      .split { !$0.isLetter && !$0.isNumber }.map(String.init)
    #expect(named == Self.lanes)
  }

  /// Text, JSON, `--lane` and filters agree, with short names too.
  @Test(arguments: lanes + FilterProperty.laneAliases.keys.sorted())
  func outputs(_ name: String) throws {
    let folder = "captures/pebble-session/"
    let arguments = [
      "timeline", folder + "pebble-session.btsnoop", "-k",
      folder + "accessory.harkkeys",
    ]
    let full = FilterProperty.laneAliases[name] ?? name
    let chosen = try HarkProgram.transcript(arguments + ["--lane", name])
    #expect(chosen == (try HarkProgram.transcript(arguments + ["--lane", full])))
    let filtered = try HarkProgram.transcript(
      arguments + ["-f", "json", "-Y", "lane == \(name)"])
    let json = filtered.split(separator: "\n").filter { $0.hasPrefix("{") }
    #expect(json.allSatisfy { $0.contains("\"lane\":\"\(full)\"") })
    let lines = chosen.matches(of: #/(?m)^\d\d:\d\d:\d\d\.\d{3} +\+[0-9.]+  .{17}  ([a-z0-9]+)  /#)
    #expect(lines.allSatisfy { $0.1 == full })
    #expect(lines.isEmpty == json.isEmpty)
  }
}
