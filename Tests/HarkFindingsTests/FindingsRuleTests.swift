import Foundation
import HarkCapture
import HarkCore
import HarkFilter
import HarkSession
import HarkTestSupport
import Testing

@testable import HarkFindings

/// Reports how many events it took, and until when time passed.
private struct Clock: Rule {
  static let about = RuleDescription(
    id: "test.clock", title: "", severity: .info, needs: [], meaning: "", source: "", fix: "")
  private var events = 0
  private var times: [Timestamp] = []

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    events += 1
  }

  mutating func tick(
    _ time: Timestamp, _ session: borrowing Session, _ report: inout RuleReport
  ) {
    times.append(time)
  }

  mutating func finish(_ session: borrowing Session, _ report: inout RuleReport) {
    report.found(
      Place(endOf: session), observed: "\(events) events", expected: "\(times.map(\.nanoseconds))")
  }
}

/// An export without text leaves out what may be of people or devices, and keeps what cannot.
@Test func valuesOfSentences() {
  let text: FindingText = "\("Zoë") sent \(public: 3) messages"
  #expect(text.text == "Zoë sent 3 messages")
  #expect(text.withoutValues == "… sent 3 messages")
}

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

  /// At the end of a capture time passes until its last packet, which caused no event: a rule takes only events that
  /// are in the timeline.
  @Test func timePasses() {
    var session = Session()
    var findings = Findings([Clock.self])
    var taken = 0
    // HCI_LE_Connection_Complete causes an event; HCI_Number_Of_Completed_Packets of no connection causes none.
    // Vol 4, Part E, 7.7.65.1, 7.7.19
    let connected = Hex.bytes("3e1301004000000066554433221118000000480000") ?? []
    for (seconds, bytes) in [(1, connected), (60, [0x13, 0x01, 0x00])] as [(Int64, [UInt8])] {
      var record = CaptureRecord()
      (record.kind, record.time) = (.event, Timestamp(nanoseconds: seconds * 1_000_000_000))
      record.direction = .controllerToHost
      (record.count, record.originalCount) = (bytes.count, bytes.count)
      session.index(record, bytes.raw)
      taken += session.events.count
      findings.take(session)
      session.dropEvents()
    }
    findings.finish(session)
    #expect(taken > 0)
    #expect(findings.all.map(\.observed) == ["\(taken) events"])
    #expect(findings.all.map(\.expected) == ["[60000000000]"])
  }
}
