import HarkCore
import HarkDissection

/// Which nodes of a tree have the same key beside them, so that no object gets a key twice.
struct PacketSiblings {
  private struct Seen {
    /// The parent under which the key was seen last.
    var parent: UInt64 = 0
    var node: UInt32 = 0
  }

  private static let depths = 32
  private let keyCount: Int
  private var seen: [Seen]
  private var parents = [UInt64](repeating: 0, count: depths + 1)
  private var lists = [UInt16](repeating: .max, count: depths + 1)
  private var serial: UInt64 = 1
  /// For each node, the next one with the same key in the same object; 0 where there is none.
  private(set) var next: [UInt32] = []
  /// Whether the node is not the first with its key.
  private(set) var isRepeated: [Bool] = []

  init(keyCount: Int) {
    self.keyCount = keyCount
    seen = [Seen](repeating: Seen(), count: keyCount * Self.depths)
  }

  /// Whether no object has a key twice, except for elements of a list beside each other.
  mutating func areDistinct(
    in tree: borrowing Tree, _ texts: borrowing PacketFieldTexts
  ) -> Bool {
    let first = serial
    let count = tree.nodes.count
    serial &+= UInt64(count) &+ 1
    parents[0] = first
    lists[0] = .max
    let keyCount = self.keyCount
    return unsafe seen.withUnsafeMutableBufferPointer { seen in
      for index in 0..<count {
        let node = tree.nodes[index]
        let depth = Int(node.depth)
        guard depth < Self.depths else { return false }
        let field = texts[node.field]
        if node.kind == .layer || node.kind == .group {
          parents[depth + 1] = first &+ UInt64(index) &+ 1
          lists[depth + 1] = .max
        }
        if field.form == .list, lists[depth] == field.keyNumber { continue }
        lists[depth] = field.form == .list ? field.keyNumber : .max
        let slot = depth &* keyCount &+ Int(field.keyNumber)
        if unsafe seen[slot].parent == parents[depth] { return false }
        unsafe seen[slot].parent = parents[depth]
      }
      return true
    }
  }

  /// Finds the nodes with equal keys.
  mutating func find(_ tree: borrowing Tree, _ texts: borrowing PacketFieldTexts) {
    let count = tree.nodes.count
    next.removeAll(keepingCapacity: true)
    isRepeated.removeAll(keepingCapacity: true)
    parents[0] = serial
    for index in 0..<count {
      let node = tree.nodes[index]
      let depth = min(Int(node.depth), Self.depths - 1)
      let parent = parents[depth]
      parents[depth + 1] = serial &+ UInt64(index) &+ 1
      let slot = depth &* keyCount &+ Int(texts[node.field].keyNumber)
      let before = seen[slot]
      next.append(0)
      isRepeated.append(before.parent == parent)
      if before.parent == parent { next[Int(before.node)] = UInt32(truncatingIfNeeded: index) }
      seen[slot] = Seen(parent: parent, node: UInt32(truncatingIfNeeded: index))
    }
    serial &+= UInt64(count) &+ 1
  }
}
