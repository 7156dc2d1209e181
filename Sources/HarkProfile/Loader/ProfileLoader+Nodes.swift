import HarkCore
import HarkLayout

// Parts of the document, each reported if it is not what it should be.
extension ProfileLoader {
  /// Reports keys that are not allowed. False if `node` is no map.
  @discardableResult
  func allow(_ keys: [String], in node: SourceNode) -> Bool {
    guard let pairs = node.pairs else {
      diagnostics.error(node, "expected map, got \(node.kindName)")
      return false
    }
    for (key, _) in pairs {
      let name = key.scalar?.text ?? ""
      guard !keys.contains(name) else { continue }
      diagnostics.error(
        key,
        "unknown key found\(name.hint(among: keys)), expected: "
          + keys.sorted().joined(separator: ", "))
    }
    return true
  }

  func need(_ key: String, in node: SourceNode) -> SourceNode? {
    if let value = node[key] { return value }
    if node.pairs != nil { diagnostics.error(node, "missing key '\(key)'") }
    return nil
  }

  func items(_ node: SourceNode?) -> [SourceNode] {
    guard let node else { return [] }
    if let items = node.items { return items }
    diagnostics.error(node, "expected array, got \(node.kindName)")
    return []
  }

  func pairs(_ node: SourceNode?) -> [(key: SourceNode, value: SourceNode)] {
    guard let node else { return [] }
    if let pairs = node.pairs { return pairs }
    diagnostics.error(node, "expected map, got \(node.kindName)")
    return []
  }

  func string(_ node: SourceNode) -> String? {
    if let text = node.text { return text }
    diagnostics.error(node, "expected string, got \(node.kindName)")
    return nil
  }

  func bool(_ node: SourceNode?) -> Bool {
    guard let node else { return false }
    if let value = node.bool { return value }
    diagnostics.error(node, "expected true or false, got \(node.kindName)")
    return false
  }

  func number(_ node: SourceNode, _ range: ClosedRange<Int>) -> Int? {
    if let value = node.integer?.int, range.contains(value) { return value }
    diagnostics.error(
      node,
      "expected an integer from \(range.lowerBound) to \(range.upperBound), got \(node.kindName)")
    return nil
  }

  func uuid(_ node: SourceNode) -> BluetoothUUID? {
    if let uuid = node.text.flatMap({ BluetoothUUID(written: $0) }) { return uuid }
    diagnostics.error(node, "expected a UUID, got \(node.kindName)")
    return nil
  }

  /// Text stands for its bytes, a list for octets.
  func bytes(_ node: SourceNode) -> [UInt8]? {
    if let items = node.items {
      return items.compactMap { number($0, 0...255).map { UInt8(truncatingIfNeeded: $0) } }
    }
    return string(node).map { Array($0.utf8) }
  }
}
