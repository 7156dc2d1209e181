import HarkCore
import HarkDissection
import HarkTestSupport

/// What holds for any bytes at any place. Each function gives what is broken, in words.
public enum Laws {
  /// Every strict prefix, and seeded bit flips, besides the bytes themselves.
  public static func violations(
    _ bytes: [UInt8], _ place: AttachmentPoint, _ context: Context, flips: Int = 64
  ) -> [String] {
    var broken: [String] = []
    var tree = Tree()
    let entry = Catalog.shared.entry(at: place)
    for count in 0...bytes.count {
      let prefix = Array(bytes.prefix(count))
      broken += violations(prefix.raw, entry, context, &tree)
    }
    var random = SplitMix(seed: 7)
    for _ in 0..<(bytes.isEmpty ? 0 : flips) {
      var flipped = bytes
      for _ in 0..<3 {
        flipped[Int(random.next() % UInt64(bytes.count))] ^= UInt8(1) << UInt8(random.next() % 8)
      }
      broken += violations(flipped.raw, entry, context, &tree)
    }
    return broken
  }

  /// Every byte is claimed once or shown as undecoded, children lie inside their parents and behind
  /// the sibling before them, failures are inside the data, and the index and the tree agree.
  public static func violations(
    _ bytes: RawSpan, _ entry: Entry?, _ context: Context, _ tree: inout Tree,
    catalog: Catalog = .shared
  ) -> [String] {
    let described = catalog.describe(bytes, entry, context, into: &tree)
    var broken: [String] = []
    if described != entry.map({ catalog.summarize(bytes, $0, context) }) ?? Facts() {
      broken.append("index and tree differ")
    }
    for failure in tree.failures where failure.offset > bytes.byteCount {
      broken.append("\(failure): outside of the data")
    }
    return (broken + ranges(tree, bytes.byteCount)).map { "\($0) in \(Hex.text(bytes.array))" }
  }

  private static func ranges(_ tree: Tree, _ count: Int) -> [String] {
    var broken: [String] = []
    var claimed = 0
    var parents: [Tree.Node] = []
    var part: Range<Int>?
    for node in tree.nodes {
      parents.removeLast(max(0, parents.count - Int(node.depth)))
      if let parent = parents.last, !parent.range.contains(node.range) {
        broken.append("\(node.field.name) is outside its parent")
      }
      parents.append(node)
      guard node.kind != .layer, node.kind != .group else { continue }
      if node.kind == .part, part == node.range { continue }
      part = node.kind == .part ? node.range : nil
      if node.range.lowerBound != claimed {
        broken.append("\(node.field.name) begins at \(node.offset), not at \(claimed)")
      }
      claimed = node.range.upperBound
    }
    if claimed != count { broken.append("\(claimed) of \(count) bytes are claimed") }
    return broken
  }
}
