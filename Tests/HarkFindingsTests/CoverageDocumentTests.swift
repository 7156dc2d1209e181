import Foundation
import HarkFindings
import HarkSession
import HarkTestSupport
import Testing

/// docs/coverage.md says of each item of Apple's documents which event shows it, which rule judges it and
/// which test proves it: all of them exist.
@Suite struct CoverageDocumentTests {
  private struct Row: Sendable {
    let item: String
    let shown: String
    let rules: String
    let tests: String
  }

  private static func rows() throws -> [Row] {
    let file = Project.root.appending(path: "docs/coverage.md")
    return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").compactMap { line in
      let cells = line.split(separator: "|", omittingEmptySubsequences: false)
        .map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count == 6, line.hasPrefix("|"), !cells[1].hasPrefix("---"), cells[1] != "item"
      else { return nil }
      return Row(item: cells[1], shown: cells[2], rules: cells[3], tests: cells[4])
    }
  }

  @Test func events() throws {
    let rows = try Self.rows()
    #expect(rows.count > 80)
    for row in rows {
      for match in row.shown.matches(of: /`app: ([a-z-]+)`/) {
        #expect(AppEvent.Kind(rawValue: String(match.1)) != nil, "\(row.item)")
      }
    }
    // Each event of the app's side that these documents lead to is on the page.
    let all = rows.map(\.shown).joined()
    let others: Set<AppEvent.Kind> = [
      .line, .declaration, .clock, .extensionNotLaunched, .notification, .forwardingDecision,
      .centralState, .deviceFound, .deviceConnected, .deviceDisconnected, .liveActivity,
      .completionMissing,
    ]
    for kind in AppEvent.Kind.allCases where !others.contains(kind) {
      #expect(all.contains("`app: \(kind.rawValue)`"), "\(kind.rawValue)")
    }
  }

  @Test func rules() throws {
    for row in try Self.rows() where row.rules != "–" && row.rules != "not yet" {
      let ids = row.rules.matches(of: /`([a-z]+\.[a-z-]+)`/).map { String($0.1) }
      #expect(!ids.isEmpty, "\(row.item)")
      for id in ids { #expect(Rules.named(id) != nil, "\(id)") }
    }
  }

  @Test func tests() throws {
    let folder = Project.root.appending(path: "Tests")
    var functions: [String: Set<String>] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path())
    where name.hasSuffix(".swift") {
      let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
      let names = Set(text.matches(of: /func ([A-Za-z]+)/).map { String($0.1) })
      for match in text.matches(of: /(?:struct|extension) ([A-Za-z]+)/) {
        functions[String(match.1), default: []].formUnion(names)
      }
    }
    let cases = Set(
      (FindingsMadeTests.cases + FindingsToldTests.keys + FindingsToldTests.sessions
        + FindingsToldTests.links + FindingsToldTests.declarations).map(\.testDescription))
    for row in try Self.rows() where row.tests != "not yet" {
      let named = row.tests.matches(of: /`([A-Za-z]+)\.([A-Za-z]+)`/)
      let made = row.tests.matches(of: /“([^”]+)”/)
      #expect(!named.isEmpty || !made.isEmpty, "\(row.item)")
      for match in named {
        #expect(functions[String(match.1)]?.contains(String(match.2)) == true, "\(match.0)")
      }
      for match in made { #expect(cases.contains(String(match.1)), "\(match.0)") }
    }
  }
}
