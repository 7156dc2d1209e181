import HarkCore
import HarkDissection
import Synchronization

/// What filters look up in a catalog, found out once: paths are made of static strings, and walking all declarations
/// takes milliseconds.
final class FilterCatalog: Sendable {
  let catalog: Catalog
  /// The number of each path, in the order of the catalog.
  let numbers: [String: UInt16]
  /// By the field's number: the number of the path of the layer it stands for, or `.max`.
  let layers: [UInt16]
  /// By a path or the beginning of one, in lowercase: its protocols.
  private let protocols: [String: [Entry]]
  /// By a path in lowercase: how it is spelled.
  private let spellings: [String: [String]]
  /// By the field's number: the numbers of the paths that declare it, where they are several.
  private let declaring = Mutex<[UInt16: Set<UInt16>]?>(nil)

  private static let shared = FilterCatalog(.shared)

  static func of(_ catalog: Catalog) -> FilterCatalog {
    catalog === Catalog.shared ? shared : FilterCatalog(catalog)
  }

  private init(_ catalog: Catalog) {
    self.catalog = catalog
    var numbers: [String: UInt16] = [:]
    var layers = [UInt16](repeating: .max, count: catalog.definitions.count)
    var protocols: [String: [Entry]] = [:]
    for entry in catalog.entries {
      let path = entry.path.description
      let number = numbers[path] ?? UInt16(truncatingIfNeeded: numbers.count)
      numbers[path] = number
      if Int(entry.layer.id) < layers.count { layers[Int(entry.layer.id)] = number }
      var beginning = path.lowercased()[...]
      while true {
        protocols[String(beginning), default: []].append(entry)
        guard let dot = beginning.lastIndex(of: ".") else { break }
        beginning = beginning[..<dot]
      }
    }
    (self.numbers, self.layers, self.protocols) = (numbers, layers, protocols)
    spellings = Dictionary(grouping: numbers.keys.sorted()) { $0.lowercased() }
  }

  /// The protocols whose path, in lowercase, is `path` or begins with it.
  func protocols(at path: String) -> [Entry] { protocols[path] ?? [] }

  /// The fields whose path, in lowercase, is `path`.
  func fields(at path: String) -> [(field: Field, entry: Entry)] {
    guard let dot = path.lastIndex(of: ".") else { return [] }
    let label = path[path.index(after: dot)...]
    return (spellings[String(path[..<dot])] ?? []).flatMap { catalog.declared(by: $0) }
      .filter { $0.label.lowercased() == label }.map { ($0.field, $0.entry) }
  }

  /// The layers that declare each of the `wanted` fields, where they are several.
  func declaring(_ wanted: Set<UInt16>) -> [UInt16: Set<UInt16>] {
    declaring.withLock { known in
      let all = known ?? allDeclaring()
      known = all
      return wanted.reduce(into: [:]) { found, field in found[field] = all[field] }
    }
  }

  private func allDeclaring() -> [UInt16: Set<UInt16>] {
    var declaring: [UInt16: Set<UInt16>] = [:]
    for (path, number) in numbers {
      for (_, field, _) in catalog.declared(by: path) {
        declaring[field.id, default: []].insert(number)
      }
    }
    return declaring.filter { $0.value.count > 1 }
  }
}
