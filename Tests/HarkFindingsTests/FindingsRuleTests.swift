import Foundation
import HarkFilter
import HarkFindings
import HarkTestSupport
import Testing

/// What holds for every rule.
@Suite struct FindingsRuleTests {
  /// A file in the folder is a line in the list.
  @Test func everyFileIsListed() throws {
    let folder = Project.root.appending(path: "Sources/HarkFindings/Rules")
    var files: [String] = []
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path())
    where name.hasSuffix(".swift") && name.contains("/") {
      let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
      let type = name.split(separator: "/").last?.dropLast(6) ?? ""
      #expect(text.contains("struct \(type): Rule {"), "\(name)")
      files.append(String(type))
    }
    #expect(files.sorted() == Rules.all.map { "\($0)" }.sorted())
  }

  @Test func identifiersAreUnique() {
    let ids = Rules.all.map { $0.about.id }
    #expect(Set(ids).count == ids.count)
    for id in ids { #expect(Rules.named(id) != nil) }
  }

  /// Filters know the names of all rules.
  @Test func filters() throws {
    for rule in Rules.all { _ = try Filter("rule == \"\(rule.about.id)\"") }
  }

  @Test(arguments: Rules.all.map { $0.about.id }) func texts(_ id: String) throws {
    let rule = try #require(Rules.named(id)).about
    #expect(id.wholeMatch(of: /[a-z]+\.[a-z0-9]+(-[a-z0-9]+)*/) != nil)
    #expect(!rule.title.hasSuffix(".") && rule.title.count <= 75)
    #expect(rule.meaning.hasSuffix(".") && rule.fix.hasSuffix("."))
    #expect(rule.source.count > 10 && !rule.source.hasSuffix("."))
    for text in [rule.title, rule.meaning, rule.source, rule.fix] {
      #expect(!text.contains("  ") && text == text.trimmingCharacters(in: .whitespaces))
    }
  }

  /// The table of docs/findings.md has a row for each, in the order of the list.
  @Test func everyRuleIsDocumented() throws {
    let file = Project.root.appending(path: "docs/findings.md")
    let text = try String(contentsOf: file, encoding: .utf8)
    let rows = text.matches(of: /\n\| `([a-z]+\.[a-z0-9-]+)` \| ([a-z]+) \| ([^|]+) \|/)
    #expect(rows.map { String($0.1) } == Rules.all.map { $0.about.id })
    #expect(rows.map { String($0.2) } == Rules.all.map { $0.about.severity.name })
    #expect(rows.map { String($0.3) } == Rules.all.map { $0.about.title })
  }
}
