import HarkCore
import HarkDissection

extension PacketJSON {
  /// The object that is open at a depth.
  private struct Level {
    static let noList = UInt16.max

    /// A bit for each of its keys, by the end of the key's number.
    var keys: UInt64 = 0
    /// The key of the list that is open in it.
    var list = Level.noList
  }

  /// The tree as nested objects.
  mutating func object(_ tree: borrowing Tree, _ bytes: RawSpan, to text: inout TextPen) {
    let start = text.count
    let isDone = unsafe withUnsafeTemporaryAllocation(
      of: Level.self, capacity: PacketSiblings.depths + 1
    ) { levels in unsafe plainObject(tree, bytes, levels, to: &text) }
    guard !isDone else { return }
    text.cut(to: start)
    siblings.find(tree, texts)
    var index = 0
    members(tree, bytes, &index, depth: 0, to: &text)
  }

  /// Writes a tree in which no key occurs twice in one object, except for the elements of lists that
  /// stand beside each other: in one go, in the order of the nodes.
  /// - Returns: Whether the tree is such a one.
  private mutating func plainObject(
    _ tree: borrowing Tree, _ bytes: RawSpan, _ levels: UnsafeMutableBufferPointer<Level>,
    to text: inout TextPen
  ) -> Bool {
    text.byte(UInt8(ascii: "{"))
    unsafe levels[0] = Level()
    var depth = 0
    var isFirst = true
    for index in 0..<tree.nodes.count {
      let node = tree.nodes[index]
      guard node.depth < PacketSiblings.depths else { return false }
      while depth > Int(node.depth) {
        unsafe close(levels[depth], to: &text)
        depth &-= 1
        isFirst = false
      }
      let field = texts[node.field]
      let (form, number) = (field.form, field.keyNumber)
      let isGroup = node.kind == .layer || node.kind == .group
      if form == .list, unsafe levels[depth].list == number {
        text.text(",{")
      } else {
        if unsafe levels[depth].list != Level.noList { text.byte(UInt8(ascii: "]")) }
        let bit: UInt64 = 1 &<< UInt64(number)
        if unsafe levels[depth].keys & bit != 0, repeats(tree, index) { return false }
        unsafe levels[depth].keys |= bit
        unsafe levels[depth].list = form == .list ? number : Level.noList
        key(field, isFirst, to: &text)
        isFirst = false
        if form == .list { text.byte(UInt8(ascii: "[")) }
        if isGroup { text.byte(UInt8(ascii: "{")) }
      }
      guard !isGroup else {
        depth &+= 1
        unsafe levels[depth] = Level()
        isFirst = true
        continue
      }
      value(node, field, bytes, to: &text)
      if form != .list, isExplained(node, field) {
        text.append(field.nameKey, of: field)
        name(node, field, bytes, to: &text)
      }
    }
    while depth >= 0 {
      unsafe close(levels[depth], to: &text)
      depth &-= 1
    }
    return true
  }

  /// Whether the object that the node at `index` is in has its key already.
  private func repeats(_ tree: borrowing Tree, _ index: Int) -> Bool {
    let depth = tree.nodes[index].depth
    let number = texts[tree.nodes[index].field].keyNumber
    var before = index - 1
    while before >= 0, tree.nodes[before].depth >= depth {
      let node = tree.nodes[before]
      if node.depth == depth, texts[node.field].keyNumber == number { return true }
      before -= 1
    }
    return false
  }

  /// Ends an object, and the list in it.
  @inline(__always)
  private func close(_ level: Level, to text: inout TextPen) {
    if level.list != Level.noList { text.byte(UInt8(ascii: "]")) }
    text.byte(UInt8(ascii: "}"))
  }

  @inline(__always)
  private func key(
    _ field: PacketFieldTexts.Reference, _ isFirst: Bool, to text: inout TextPen
  ) {
    var key = field.key
    // Without the comma.
    if isFirst {
      key.start += 1
      key.count -= 1
    }
    text.append(key, of: field)
  }

  /// The nodes from `index` on that are at `depth` or deeper, in an object.
  private mutating func members(
    _ tree: borrowing Tree, _ bytes: RawSpan, _ index: inout Int, depth: UInt8,
    to text: inout TextPen
  ) {
    text.byte(UInt8(ascii: "{"))
    var isFirst = true
    while index < tree.nodes.count, tree.nodes[index].depth >= depth {
      if siblings.isRepeated[index] {
        skip(tree, &index)
        continue
      }
      let node = tree.nodes[index]
      let field = texts[node.field]
      key(field, isFirst, to: &text)
      isFirst = false
      if field.form == .list || siblings.next[index] != 0 {
        array(tree, bytes, index, to: &text)
        skip(tree, &index)
      } else if node.kind == .layer || node.kind == .group {
        index += 1
        members(tree, bytes, &index, depth: depth + 1, to: &text)
      } else {
        value(node, field, bytes, to: &text)
        if isExplained(node, field) {
          text.append(field.nameKey, of: field)
          name(node, field, bytes, to: &text)
        }
        index += 1
      }
    }
    text.byte(UInt8(ascii: "}"))
  }

  /// Passes over a node and what is in it.
  private func skip(_ tree: borrowing Tree, _ index: inout Int) {
    let depth = tree.nodes[index].depth
    repeat { index += 1 } while index < tree.nodes.count && tree.nodes[index].depth > depth
  }

  /// All nodes with the key of the one at `first`, as an array, and their names as another.
  private mutating func array(
    _ tree: borrowing Tree, _ bytes: RawSpan, _ first: Int, to text: inout TextPen
  ) {
    var separator = UInt8(ascii: "[")
    var isExplained = false
    var current = first
    repeat {
      let node = tree.nodes[current]
      let field = texts[node.field]
      text.byte(separator)
      separator = UInt8(ascii: ",")
      if node.kind == .layer || node.kind == .group {
        var index = current + 1
        members(tree, bytes, &index, depth: node.depth + 1, to: &text)
      } else {
        value(node, field, bytes, to: &text)
        isExplained = isExplained || self.isExplained(node, field)
      }
      current = Int(siblings.next[current])
    } while current != 0
    text.byte(UInt8(ascii: "]"))
    guard isExplained else { return }
    let field = texts[tree.nodes[first].field]
    text.append(field.nameKey, of: field)
    separator = UInt8(ascii: "[")
    current = first
    repeat {
      let node = tree.nodes[current]
      let field = texts[node.field]
      text.byte(separator)
      separator = UInt8(ascii: ",")
      if field.isExplained { name(node, field, bytes, to: &text) } else { text.text("null") }
      current = Int(siblings.next[current])
    } while current != 0
    text.byte(UInt8(ascii: "]"))
  }
}
