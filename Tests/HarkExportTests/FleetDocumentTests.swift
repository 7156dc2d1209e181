import Foundation
import HarkTestSupport
import Testing

@testable import HarkExport

/// docs/fleet.md says what is: its tables have these columns, and its queries give rows.
@Suite struct FleetDocumentTests {
  static func document() throws -> String {
    try String(contentsOf: Project.root.appending(path: "docs/fleet.md"), encoding: .utf8)
  }

  @Test(arguments: ExportTable.allCases) func columns(_ table: ExportTable) throws {
    let parts = try Self.document().components(separatedBy: "### `\(table.name)`\n")
    let section = try #require(
      parts.last?.components(separatedBy: "\n## ").first?
        .components(separatedBy: "\n### ").first)
    let documented = section.split(separator: "\n").filter { $0.hasPrefix("| `") }.flatMap { line in
      (line.split(separator: "|").first ?? "").split(separator: ",")
        .map { $0.trimmingCharacters(in: CharacterSet(charactersIn: " `")) }
    }
    #expect(Set(documented) == Set(table.columns.map(\.name)))
    #expect(documented.count == table.columns.count)
  }

  @Test func queries() throws {
    let queries = try Self.document().components(separatedBy: "```sql\n").dropFirst()
      .map { $0.components(separatedBy: "```")[0] }
    #expect(queries.count >= 8)
    let folder = try TestFolder()
    let output = folder.path("fleet.sqlite")
    let names = ["pebble-session", "pebble-faults", "ancs-session", "notifbridge-v0"]
    try ExportCommandTests.export(
      Project.capture("pebble-faults"), Project.capture("pebble-session"),
      Project.capture("ancs-session"), Project.capture("notifbridge-v0"), output)
    let reader = try FleetReader(output)
    #expect(try reader.rows("SELECT 1 FROM capture").count >= names.count)
    for query in queries {
      let rows = try reader.rows(query)
      // Without keys no one sees that a nonce is used again.
      #expect(!rows.isEmpty || query.contains("keys.nonce-reuse"), "\(query)")
    }
  }

  /// The page says what the database says, runs nothing, and is the same again.
  @Test func report() throws {
    let folder = try TestFolder()
    let output = folder.path("fleet.sqlite")
    try ExportCommandTests.export(
      Project.capture("pebble-faults"), Project.capture("mistakes"), output)
    let rules = try FleetReader(output).rows("SELECT rule, captures FROM finding_rule")
    #expect(!rules.isEmpty)
    for form in ["html", "md", "json"] {
      let (first, second) = (folder.path("1." + form), folder.path("2." + form))
      for path in [first, second] {
        let run = try OtherProgram.run(HarkProgram.url.path, ["report", output, "-o", path])
        #expect(run.code == 0, "\(run.stated)")
      }
      let text = try String(contentsOfFile: first, encoding: .utf8)
      #expect(try text == String(contentsOfFile: second, encoding: .utf8))
      for rule in rules { #expect(text.contains(rule[0] ?? "-"), "\(form) \(rule)") }
      guard form == "html" else { continue }
      #expect(text.contains("default-src 'none'; style-src 'sha256-"))
      #expect(!text.contains("<script") && !text.contains("http://") && !text.contains("https://"))
    }
    let other = folder.path("other.sqlite")
    try (try Data(contentsOf: URL(filePath: output)).prefix(16) + Data(count: 4_080))
      .write(to: URL(filePath: other))
    let run = try OtherProgram.run(
      HarkProgram.url.path, ["report", other, "-o", folder.path("x.html")])
    #expect(run.code == 1)
  }
}
