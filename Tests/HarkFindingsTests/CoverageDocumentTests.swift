import Foundation
import HarkFindings
import HarkSession
import HarkTestSupport
import Testing

/// docs/coverage.md says about each item of Apple's documents which event shows it, which rule judges it and
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
      .completionMissing, .internetMessage,
    ]
    for kind in AppEvent.Kind.allCases where !others.contains(kind) {
      #expect(all.contains("`app: \(kind.rawValue)`"), "\(kind.rawValue)")
    }
  }

  /// The names that the documents have, by the section of the page about them.
  private static func names() throws -> [String: Set<String>] {
    let file = Project.root.appending(path: "Tests/AppleNames/names.txt")
    var names: [String: Set<String>] = [:]
    var section = ""
    for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
      if line.hasPrefix("#") { continue }
      if let match = line.wholeMatch(of: /\[(.+)\]/) {
        section = String(match.1)
      } else {
        names[section, default: []].formUnion(line.split(separator: " ").map(String.init))
      }
    }
    return names
  }

  /// `Placement` of `AccessoryControlDevice.Placement`; identifiers stay whole.
  private static func last(_ name: String) -> String {
    name.hasPrefix("com.") ? name : name.split(separator: ".").last.map(String.init) ?? name
  }

  private static let others = "not interfaces"

  @Test func allNames() throws {
    let file = Project.root.appending(path: "docs/coverage.md")
    let page = try String(contentsOf: file, encoding: .utf8)
    let sections = page.components(separatedBy: "\n## ").dropFirst()
    let names = try Self.names()
    #expect(names.count == 6 && sections.count == 5)
    for section in sections {
      let title = String(section.prefix { $0 != "\n" })
      for name in try #require(names[title]) {
        #expect(section.contains(Self.last(name)), "\(title): \(name)")
      }
    }
  }

  /// No name of the documents is left out of the list, where they are beside the project.
  @Test func documents() throws {
    let folder = Project.root.appending(path: "../shared/seeds")
    guard let files = try? FileManager.default.contentsOfDirectory(atPath: folder.path()) else {
      return
    }
    let all = Set(try Self.names().values.joined())
    let known = all.union(all.map(Self.last)).union(
      all.map { $0.prefix { $0 != "(" } }.map(String.init))
    // Names have a capital inside, or are those of bundles or build settings.
    let pattern =
      /(?:[A-Za-z_][A-Za-z0-9_]*)(?:\.[A-Za-z][A-Za-z0-9-]*)*(?:\((?:[a-zA-Z_]*:)+\))?/
    for name in files.sorted() {
      let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
      let links = text.replacing(
        /\([a-z]+\/[^)]*\)+|https:[^)\s]*|[a-z]+\/[a-z\/():]*\.md/, with: " ")
      for match in links.matches(of: pattern) {
        let name = String(match.0)
        guard name.contains(/[a-z][A-Z]/) || name.hasPrefix("com.") || name.hasPrefix("EX_") else {
          continue
        }
        let plain = name.prefix { $0 != "(" }.split(separator: ".").last.map(String.init) ?? name
        #expect(known.contains(name) || known.contains(plain), "\(name)")
      }
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
      (FindingsMadeTests.cases + FindingsReportedTests.keys + FindingsReportedTests.sessions
        + FindingsReportedTests.links + FindingsReportedTests.declarations).map(\.testDescription))
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
