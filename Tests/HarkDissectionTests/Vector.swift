import HarkCore
import Testing

@testable import HarkDissection

/// Bytes, where they hang, and every line of the tree they must give.
struct Vector: Sendable, CustomTestStringConvertible {
  let source: String
  let place: Place
  let bytes: [UInt8]
  let lines: [String]
  var context = Context()

  init(
    _ source: String, _ place: Place, _ hex: String, context: Context = Context(),
    _ lines: [String]
  ) {
    self.source = source
    self.place = place
    self.bytes = Hex.bytes(hex) ?? []
    self.lines = lines
    self.context = context
  }

  var testDescription: String { source }

  func check() {
    var tree = Tree()
    Catalog.builtIn.describe(bytes.span.bytes, place, context, into: &tree)
    #expect(Catalog.builtIn.lines(tree, of: bytes.span.bytes) == lines)
    Laws.check(bytes, place, context)
  }
}

/// What holds for any bytes at any place.
enum Laws {
  static func check(_ bytes: [UInt8], _ place: Place, _ context: Context) {
    for count in 0...bytes.count { prefix(Array(bytes.prefix(count)), place, context) }
    var random = SplitMix(seed: 7)
    for _ in 0..<64 where !bytes.isEmpty {
      var flipped = bytes
      for _ in 0..<3 {
        flipped[Int(random.next() % UInt64(bytes.count))] ^= UInt8(1) << UInt8(random.next() % 8)
      }
      prefix(flipped, place, context)
    }
  }

  /// Every byte is claimed once or shown as undecoded; children lie inside their parents;
  /// the index and the tree agree.
  static func prefix(_ bytes: [UInt8], _ place: Place, _ context: Context) {
    var tree = Tree()
    let span = bytes.span.bytes
    let described = Catalog.builtIn.describe(span, place, context, into: &tree)
    let summarized = Catalog.builtIn.summarize(span, place, context)
    #expect(described == summarized, "index and tree differ")
    var claimed = [Int](repeating: 0, count: bytes.count)
    var parents: [Tree.Node] = []
    var lastPart: Range<Int>?
    for node in tree.nodes {
      parents.removeLast(max(0, parents.count - Int(node.depth)))
      if let parent = parents.last {
        #expect(parent.range.contains(node.range), "\(node.field.name) is outside its parent")
      }
      #expect(node.range.upperBound <= bytes.count)
      parents.append(node)
      guard node.kind != .layer, node.kind != .group else { continue }
      if node.kind == .part, lastPart == node.range { continue }
      lastPart = node.kind == .part ? node.range : nil
      for index in node.range.clamped(to: 0..<bytes.count) { claimed[index] += 1 }
    }
    #expect(claimed.allSatisfy { $0 == 1 }, "claims \(claimed) of \(Hex.text(bytes))")
    for failure in tree.failures { #expect(failure.offset <= bytes.count) }
  }
}

/// A small generator with a fixed sequence for each seed.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
