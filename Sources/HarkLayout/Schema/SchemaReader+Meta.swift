import HarkCore

// KSY reference, "Meta section".
extension SchemaReader {
  /// The version of Kaitai Struct whose rules are followed.
  private static let version = [0, 11]
  private static let oldest = [0, 6]

  func readMeta(_ node: SourceNode, into type: TypeSpecification) {
    guard node.pairs != nil else {
      diagnostics.error(node, "expected map, got \(node.kindName)")
      return
    }
    allow(
      [
        "application", "bit-endian", "encoding", "endian", "file-extension", "id", "imports",
        "ks-debug", "ks-opaque-types", "ks-version", "ks-zero-copy-substream", "license", "tags",
        "title", "xref",
      ], in: node)
    if let id = node["id"] { type.meta.id = identifier(id, "meta") }
    type.meta.title = node["title"]?.text ?? ""
    if let version = node["ks-version"] { check(version: version) }
    type.meta.imports = items(node["imports"])
    type.meta.endian = endian(node["endian"])
    if let bits = node["bit-endian"] {
      switch bits.text {
      case "le": type.meta.isBitLittleEndian = true
      case "be": type.meta.isBitLittleEndian = false
      default:
        diagnostics.error(
          bits, "unable to parse bit endianness: expected `le` or `be`, got \(bits.kindName)")
      }
    }
    if let encoding = node["encoding"], string(encoding) != nil {
      type.meta.encoding = encoding
      check(encoding: encoding)
    }
    type.meta.allowsOpaqueTypes = bool(node["ks-opaque-types"], default: false)
  }

  private func endian(_ node: SourceNode?) -> TypeSpecification.Endian? {
    guard let node else { return nil }
    if node.text == "le" || node.text == "be" { return .fixed(isLittle: node.text == "le") }
    guard node.pairs != nil else {
      diagnostics.error(
        node, "unable to parse endianness: `le`, `be` or calculated endianness map is expected")
      return nil
    }
    allow(["switch-on", "cases"], in: node)
    guard let on = expression(need("switch-on", in: node)), let cases = need("cases", in: node)
    else { return nil }
    var result: [(when: ExpressionKey?, isLittle: Bool)] = []
    for (key, value) in pairs(cases) {
      guard value.text == "le" || value.text == "be" else {
        diagnostics.error(value, "expected be / le, got \(value.kindName)")
        continue
      }
      let when = key.scalar?.text == "_" ? nil : expression(key)
      if key.scalar?.text == "_" || when != nil { result.append((when, value.text == "le")) }
    }
    return .calculated(on, result)
  }

  func need(_ key: String, in node: SourceNode) -> SourceNode? {
    if let value = node[key] { return value }
    diagnostics.error(node, "missing mandatory argument `\(key)`")
    return nil
  }

  private func check(version node: SourceNode) {
    guard let scalar = node.scalar else {
      diagnostics.error(node, "expected string, got \(node.kindName)")
      return
    }
    var text = Substring(scalar.text)
    // YAML takes 0.10 for a number: it is 0.1 then, for Kaitai as well.
    if scalar.isPlain, text.filter({ $0 == "." }).count == 1 {
      while text.hasSuffix("0"), !text.hasSuffix(".0") { text.removeLast() }
    }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let numbers = parts.compactMap {
      $0.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 } ? Int($0) : nil
    }
    guard numbers.count == parts.count, (2...3).contains(parts.count) else {
      diagnostics.error(
        node, "invalid compiler version '\(scalar.text)', expected 'X.Y' or 'X.Y.Z'")
      return
    }
    if numbers.lexicographicallyPrecedes(Self.oldest) {
      diagnostics.error(
        node, "minimum allowed version is 0.6, but got \(text) (a version in quotes stays a text)")
    } else if Self.version.lexicographicallyPrecedes(Array(numbers.prefix(2))) {
      diagnostics.error(
        node, "this layout requires Kaitai Struct \(text), but hark supports 0.11")
    }
  }

  /// Kaitai warns about encodings it does not know and continues: reading with one fails.
  func check(encoding node: SourceNode) {
    guard let name = node.text else { return }
    if let canonical = TextEncoding.canonicalName(of: name) {
      if canonical != name {
        diagnostics.warning(node, "use canonical encoding name `\(canonical)` instead of `\(name)`")
      }
    } else {
      let hint = name.hint(among: TextEncoding.canonical)
      diagnostics.warning(node, "unrecognized encoding name '\(name)'\(hint)")
    }
  }
}
