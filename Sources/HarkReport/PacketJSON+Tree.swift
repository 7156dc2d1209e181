import HarkCore
import HarkDissection

extension PacketJSON {
  /// The tree as nested objects.
  mutating func object(_ tree: borrowing Tree, _ bytes: RawSpan, to text: inout TextPen) {
    if siblings.areDistinct(in: tree, texts) {
      plainObject(tree, bytes, to: &text)
    } else {
      siblings.find(tree, texts)
      var index = 0
      members(tree, bytes, &index, depth: 0, to: &text)
    }
  }

  /// Writes a tree in which no key occurs twice in one object, except for the elements of lists that
  /// stand beside each other: in one go, in the order of the nodes.
  private mutating func plainObject(
    _ tree: borrowing Tree, _ bytes: RawSpan, to text: inout TextPen
  ) {
    text.byte(UInt8(ascii: "{"))
    open[0] = Self.noList
    var depth = 0
    var isFirst = true
    for index in 0..<tree.nodes.count {
      let node = tree.nodes[index]
      let field = texts[node.field]
      while depth > Int(node.depth) {
        close(depth, to: &text)
        depth -= 1
        isFirst = false
      }
      let isGroup = node.kind == .layer || node.kind == .group
      if open[depth] == field.keyNumber {
        text.text(",{")
      } else {
        if open[depth] != Self.noList { text.byte(UInt8(ascii: "]")) }
        open[depth] = Self.noList
        key(field, isFirst, to: &text)
        isFirst = false
        if field.form == .list {
          text.byte(UInt8(ascii: "["))
          open[depth] = field.keyNumber
        }
        if isGroup { text.byte(UInt8(ascii: "{")) }
      }
      guard !isGroup else {
        depth += 1
        open[depth] = Self.noList
        isFirst = true
        continue
      }
      value(node, field, bytes, to: &text)
      if field.isExplained, field.form != .list {
        text.append(field.nameKey, of: texts)
        name(node, field, bytes, to: &text)
      }
    }
    while depth >= 0 {
      close(depth, to: &text)
      depth -= 1
    }
  }

  /// Ends the object at `depth`, and the list in it.
  @inline(__always)
  private func close(_ depth: Int, to text: inout TextPen) {
    if open[depth] != Self.noList { text.byte(UInt8(ascii: "]")) }
    text.byte(UInt8(ascii: "}"))
  }

  @inline(__always)
  private func key(
    _ field: borrowing PacketFieldTexts.Texts, _ isFirst: Bool, to text: inout TextPen
  ) {
    var key = field.key
    if isFirst {
      key.start += 1
      key.count -= 1
    }
    text.append(key, of: texts)
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
        if field.isExplained {
          text.append(field.nameKey, of: texts)
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
        isExplained = isExplained || field.isExplained
      }
      current = Int(siblings.next[current])
    } while current != 0
    text.byte(UInt8(ascii: "]"))
    guard isExplained else { return }
    text.append(texts[tree.nodes[first].field].nameKey, of: texts)
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
