import Foundation
import HarkCore
import HarkLaws
import Testing

@testable import HarkDissection

/// What `hark fields` lists is what some packet has: each field is met, under the path that it is listed
/// with, in bytes of the tests of dissectors and in random ones, at all places where protocols hang.
@Suite struct FieldReachTests {
  /// The fields that were met, each with the paths of the layers it stood in.
  private struct Met {
    private var layers: [UInt16: Set<String>] = [:]
    private let names = Dictionary(
      Catalog.shared.entries.map { ($0.layer.id, $0.path.description) },
      uniquingKeysWith: { a, _ in a })
    private var tree = Tree()
    private(set) var count = 0

    mutating func read(_ bytes: [UInt8], _ place: Place, _ context: Context = Context()) {
      Catalog.shared.describe(bytes.raw, place, context, into: &tree)
      count += 1
      var open = [String](repeating: "", count: 260)
      for node in tree.nodes {
        let depth = Int(node.depth)
        if node.kind == .layer {
          open[depth + 1] = names[node.field.id] ?? ""
        } else {
          open[depth + 1] = open[depth]
          layers[node.field.id, default: []].insert(open[depth])
        }
      }
    }

    /// The paths of which no value was met. A field that several layers declare counts for the one that it
    /// stands in; one that its layer borrows, for the path that its own protocol gives it.
    var missing: [String] {
      var declaring: [UInt16: Set<String>] = [:]
      for (_, field, entry) in Catalog.shared.paths {
        declaring[field.id, default: []].insert(entry.path.description)
      }
      var found: Set<String> = []
      var all: Set<String> = []
      for (path, field, entry) in Catalog.shared.paths {
        all.insert(path)
        let met = layers[field.id] ?? []
        if met.contains(entry.path.description)
          || met.contains(where: { declaring[field.id]?.contains($0) != true })
        {
          found.insert(path)
        }
      }
      return all.subtracting(found).sorted()
    }
  }

  /// Every run of hexadecimal digits in the tests of this folder, without blanks.
  private static func samples() throws -> [[UInt8]] {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    var found: Set<[UInt8]> = []
    for case let file as URL in try #require(
      FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
    where file.pathExtension == "swift" {
      let text = try String(contentsOf: file, encoding: .utf8)
      for match in text.matches(of: /"([0-9a-fA-F ]{2,})"/) {
        if let bytes = Hex.bytes(match.1.filter { $0 != " " }) { found.insert(bytes) }
      }
    }
    return found.sorted { $0.lexicographicallyPrecedes($1) }
  }

  @Test func eachIsMet() throws {
    let samples = try Self.samples()
    #expect(samples.count > 500)
    var met = Met()
    let places = Catalog.shared.entries.flatMap(\.places)
    for place in places {
      for bytes in samples { met.read(bytes, place) }
    }
    #expect(met.missing == [])
  }
}
