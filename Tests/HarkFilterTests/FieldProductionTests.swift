import Foundation
import HarkCore
import HarkTestSupport
import Testing

@testable import HarkDissection
@testable import HarkFilter

/// `hark fields` lists nothing that cannot match: each path comes of a record. Records follow from the tables that
/// protocols declare, are those of the dissectors' tests, or are made by hand; where none of them shows a
/// path, they are changed until one does. What records say is compared elsewhere: here it counts that they say it.
@Suite struct FieldProductionTests {
  /// Listed paths that no record is found for, and why. One that is found has to go.
  static let unproven: [String: String] = [
    "resolved.identity": "no record has it: a session with an IRK adds it"
  ]

  private static let outcome = Result { try search() }

  /// A record for each path that one is found for, and the other paths.
  private static func search() throws -> (found: [String: FieldRecord], missing: [String]) {
    let tests = Project.tests.appending(path: "HarkDissectionTests")
    let literals = try TestLiterals(in: tests)
    var search = FieldSearch()
    var kept: [ObjectIdentifier: [FieldRecord]] = [:]
    for record in TableRecords.all + MadeRecords.all where search.read(record) {
      kept[ObjectIdentifier(record.entry), default: []].append(record)
    }
    for entry in FieldRecord.catalog.entries {
      let seeds = literals.bytes + (entry.path.description == "hfp" ? literals.lines : [])
      kept[ObjectIdentifier(entry), default: []] += search.read(seeds, as: entry)
    }
    // Few paths need many changes, and some that one protocol declares are in another's packets only.
    for most in [4_000, 100_000] {
      for entry in FieldRecord.catalog.entries {
        search.search(entry, kept[ObjectIdentifier(entry)] ?? [], most: most)
      }
    }
    return (search.found, search.missing)
  }

  @Test func eachListedFieldIsProduced() throws {
    let search = try Self.outcome.get()
    #expect(search.found.count > 3_800)
    #expect(search.missing.filter { Self.unproven[$0] == nil } == [])
    #expect(Set(Self.unproven.keys).subtracting(search.missing) == [])
  }

  /// The filter that asks for the path alone fits the record that shows it, and no record without it.
  @Test func filtersMatchThem() throws {
    let found = try Self.outcome.get().found
    var tree = Tree()
    for path in DailyPart.of(found.keys.sorted(), oneIn: 16) {
      guard let record = found[path] else { continue }
      var run = FilterRun(try Filter(path))
      record.describe(into: &tree)
      run.begin()
      run.scan(tree, record.bytes.raw)
      let isFound = run.result()
      #expect(isFound, "\(path): \(Hex.text(record.bytes)) as \(record.entry.name)")
      Catalog.shared.describe(RawSpan(), nil as Entry?, Context(), into: &tree)
      run.begin()
      run.scan(tree, RawSpan())
      let isFoundElsewhere = run.result()
      #expect(!isFoundElsewhere, "\(path)")
    }
  }
}
