import Foundation
import HarkCore
import HarkLaws
import Testing

@testable import HarkDissection

/// What `hark fields` lists is what some packet has. A field is listed under a path where no packet has it if
/// nobody reads it, or if it is of a structure that several protocols share and only others of them read it.
@Suite struct FieldReachTests {
  /// The fields that were met, each with the layers that it stood in.
  private struct Met {
    private let paths = Array(Set(Catalog.shared.entries.map(\.path.description))).sorted()
    /// By the number of a layer's field: the place of its path in `paths`, from 1.
    private var layers = [Int](repeating: 0, count: Catalog.shared.definitions.count)
    /// By the number of the field and the place of the layer's path.
    private var isMet: [Bool]
    private var open = [Int](repeating: 0, count: 300)
    private var tree = Tree()

    init() {
      isMet = [Bool](repeating: false, count: layers.count * (paths.count + 1))
      for entry in Catalog.shared.entries {
        layers[Int(entry.layer.id)] = 1 + (paths.firstIndex(of: entry.path.description) ?? -1)
      }
    }

    mutating func read(_ bytes: [UInt8], _ place: Place, _ context: Context) {
      Catalog.shared.describe(bytes.raw, place, context, into: &tree)
      for index in tree.nodes.indices {
        let node = tree.nodes[index]
        let (depth, id) = (Int(node.depth), Int(node.field.id))
        if node.kind == .layer {
          open[depth + 1] = layers[id]
        } else {
          open[depth + 1] = open[depth]
          isMet[id * (paths.count + 1) + open[depth]] = true
        }
      }
    }

    /// The paths of shared fields of which no value was met. A field that several layers declare counts for the one that it
    /// stands in; one that its layer borrows, for the path that its own protocol gives it.
    var missing: [String] {
      var declaring: [UInt16: Set<Int>] = [:]
      let all = Catalog.shared.paths.map { path, field, entry in
        (path, field, 1 + (paths.firstIndex(of: entry.path.description) ?? -1))
      }
      for (_, field, layer) in all { declaring[field.id, default: []].insert(layer) }
      var (listed, found) = (Set<String>(), Set<String>())
      for (path, field, layer) in all where (declaring[field.id]?.count ?? 0) > 1 {
        listed.insert(path)
        let others = declaring[field.id] ?? []
        for place in 0...paths.count where place == layer || !others.contains(place) {
          if isMet[Int(field.id) * (paths.count + 1) + place] { found.insert(path) }
        }
      }
      return listed.subtracting(found).sorted()
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

  /// For each code that may stand in front, octets of one value behind it: numbers of groups, too.
  private static func made(for place: Place) -> [[UInt8]] {
    let fills: [UInt8] = [0, 1, 2, 3, 0xFF]
    func filled(_ front: [UInt8]) -> [[UInt8]] {
      fills.map { front + [UInt8](repeating: $0, count: 255) }
    }
    let codes = HCICommand.names.keys.map {
      [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8 & 0xFF)]
    }
    switch place {
    case .record(.command): return codes.flatMap { filled($0 + [255]) }
    case .record(.event):
      let named = (0...255).map { filled([$0, 255]) }
      let ofLE = (0...80).map { filled([0x3E, 255, $0]) }
      let returns = codes.map { filled([0x0E, 255, 1] + $0 + [0]) }
      return (named + ofLE + returns).flatMap { $0 }
    default:
      return (0...255).flatMap { code in
        [0, 1, 0xFF].map { [code] + [UInt8](repeating: $0, count: 60) }
      }
    }
  }

  /// Each field that a protocol declares is named a second time: where it is read.
  @Test func eachIsRead() throws {
    let files = try #require(
      FileManager.default.enumerator(at: CatalogTests.sources, includingPropertiesForKeys: nil))
    var words: [Substring: Int] = [:]
    var declared: Set<Substring> = []
    for case let file as URL in files where file.pathExtension == "swift" {
      let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
      for line in lines where !line.contains("//") {
        for match in line.matches(of: /[A-Za-z_][A-Za-z0-9_]*/) {
          words[match.0, default: 0] += 1
        }
        if let match = line.firstMatch(of: /let ([A-Za-z0-9_]+) = Field\(/) {
          declared.insert(match.1)
        }
      }
    }
    #expect(declared.count > 2_000)
    #expect(declared.filter { words[$0, default: 0] < 2 }.sorted() == [])
  }

  @Test func eachSharedOneIsMet() throws {
    let samples = try Self.samples()
    #expect(samples.count > 500)
    var met = Met()
    let places = Catalog.shared.entries.flatMap(\.places)
    var contexts = [Context()]
    for manufacturer: UInt16 in [0x0002, 0x000F, 0x001D, 0x0046, 0x005D, 0x0059] {
      var context = Context()
      context.manufacturer = manufacturer
      contexts.append(context)
    }
    for place in places {
      let isOfVendors = [.record(.command), .record(.event)].contains(place)
      for context in isOfVendors ? contexts : [Context()] {
        for bytes in samples { met.read(bytes, place, context) }
        for bytes in Self.made(for: place) { met.read(bytes, place, context) }
      }
    }
    #expect(met.missing == [])
  }
}
