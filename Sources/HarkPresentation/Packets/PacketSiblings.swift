import HarkCore
import HarkDissection
import HarkPlatform

/// Which nodes of a tree have the same key beside them, so that no object gets a key twice.
@safe final class PacketSiblings {
  private struct Seen {
    /// The parent under which the key was seen last.
    var parent: UInt64 = 0
    var node: UInt32 = 0
  }

  static let depths = 32
  private let keyCount: Int
  /// For each depth, by the number of the key; never freed before the siblings are.
  private let seen: UnsafeMutablePointer<Seen>
  private var parents = [UInt64](repeating: 0, count: depths + 1)
  private var serial: UInt64 = 1
  /// For each node, the next one with the same key in the same object; 0 if there is none.
  private(set) var next: [UInt32] = []
  /// Whether the node is not the first with its key.
  private(set) var isRepeated: [Bool] = []

  init(keyCount: Int) {
    self.keyCount = keyCount
    // Zeros that take no memory until they are written to: few trees need this.
    guard let memory = unsafe calloc(keyCount * Self.depths, MemoryLayout<Seen>.stride) else {
      preconditionFailure("out of memory")
    }
    unsafe seen = memory.assumingMemoryBound(to: Seen.self)
  }

  deinit { unsafe free(seen) }

  /// Finds the nodes with equal keys.
  func find(_ tree: borrowing Tree, _ texts: borrowing PacketFieldTexts) {
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
      let before = unsafe seen[slot]
      next.append(0)
      isRepeated.append(before.parent == parent)
      if before.parent == parent { next[Int(before.node)] = UInt32(truncatingIfNeeded: index) }
      unsafe seen[slot] = Seen(parent: parent, node: UInt32(truncatingIfNeeded: index))
    }
    serial &+= UInt64(count) &+ 1
  }
}
