import HarkCore

/// Reads a document into the types it declares. It reports errors and continues.
struct SchemaReader {
  let diagnostics: Diagnostics
  private static let identifier = "/^[a-z][a-z0-9_]*$/"

  /// The type that a whole file describes; nil if it describes none.
  func read(_ root: SourceNode) -> TypeSpecification? {
    guard root.pairs != nil else {
      diagnostics.error(root, "expected map, got \(root.kindName)")
      return nil
    }
    guard let meta = root["meta"] else {
      diagnostics.error(root.below("meta"), "no `meta/id` encountered in top-level type")
      return nil
    }
    guard meta.pairs != nil else {
      diagnostics.error(meta, "expected map, got \(meta.kindName)")
      return nil
    }
    guard let id = meta["id"]?.text else {
      diagnostics.error(meta, "no `meta/id` encountered in top-level type")
      return nil
    }
    return type(root, name: id, outer: nil)
  }

  private func type(
    _ node: SourceNode, name: String, outer: TypeSpecification?
  ) -> TypeSpecification {
    let type = TypeSpecification(name: name, node: node, outer: outer)
    guard node.pairs != nil else {
      diagnostics.error(node, "expected map, got \(node.kindName)")
      return type
    }
    allow(
      [
        "meta", "doc", "doc-ref", "params", "seq", "instances", "types", "enums", "to-string",
      ], in: node, hark: outer == nil ? ["-hark-attach", "-hark-stream"] : [])
    if let meta = node["meta"] { readMeta(meta, into: type) }
    type.documentation = documentation(node)
    for (index, item) in items(node["params"]).enumerated() {
      if let parameter = parameter(item, index) { type.parameters.append(parameter) }
    }
    for item in items(node["seq"]) {
      type.sequence.append(attribute(item, id: nil, kind: .sequence))
    }
    for (key, value) in pairs(node["instances"]) {
      let id = identifier(key, "instance")
      type.instances.append(attribute(value, id: id, kind: .instance))
    }
    for (key, value) in pairs(node["types"]) {
      let name = identifier(key, "type")
      type.types.append(self.type(value, name: name, outer: type))
    }
    for (key, value) in pairs(node["enums"]) {
      type.enums.append(enumeration(value, name: identifier(key, "enum"), in: type))
    }
    if let text = node["to-string"] { type.toString = expression(text) }
    if outer == nil { readExtras(node, into: &type.extras) }
    declareMembers(of: type)
    return type
  }

  private func declareMembers(of type: TypeSpecification) {
    var places: [String: String] = [:]
    func declare(_ id: String, _ node: SourceNode, _ member: TypeSpecification.Member) {
      if let before = places[id] {
        diagnostics.error(
          node, "duplicate attribute ID '\(id)', previously defined at \(before)")
      } else {
        places[id] = node.path
        type.members[id] = member
      }
    }
    for parameter in type.parameters {
      declare(parameter.id, parameter.node["id"] ?? parameter.node, .parameter(parameter))
    }
    for attribute in type.sequence {
      guard let id = attribute.id else { continue }
      declare(id, attribute.node["id"] ?? attribute.node, .attribute(attribute))
    }
    for instance in type.instances {
      if let id = instance.id { declare(id, instance.node, .instance(instance)) }
    }
  }

  // MARK: Enums, params, documentation

  private func enumeration(
    _ node: SourceNode, name: String, in type: TypeSpecification
  ) -> EnumSpecification {
    let result = EnumSpecification(name: name, node: node, outer: type)
    var places: [String: String] = [:]
    for (key, value) in pairs(node) {
      guard let number = key.integer else {
        diagnostics.error(key, "expected an integer, got \(key.kindName)")
        continue
      }
      var label = value
      var documentation = Documentation()
      if value.pairs != nil {
        allow(["id", "doc", "doc-ref"], in: value)
        documentation = self.documentation(value)
        guard let id = value["id"] else {
          diagnostics.error(value, "missing mandatory argument `id`")
          continue
        }
        label = id
      }
      guard label.text != nil else {
        diagnostics.error(label, "expected string or map, got \(label.kindName)")
        continue
      }
      let name = identifier(label, "enum member")
      if let before = places[name] {
        diagnostics.error(
          label, "duplicate enum member ID: '\(name)', previously defined at \(before)")
      }
      places[name] = label.path
      result.members.append(
        EnumSpecification.Member(value: number, name: name, documentation: documentation))
    }
    return result
  }

  private func parameter(_ node: SourceNode, _ index: Int) -> Parameter? {
    guard node.pairs != nil else {
      diagnostics.error(node, "expected map, got \(node.kindName)")
      return nil
    }
    allow(["id", "type", "enum", "doc", "doc-ref"], in: node)
    guard let id = node["id"] else {
      diagnostics.error(node, "missing mandatory argument `id`")
      return nil
    }
    let result = Parameter(id: identifier(id, "parameter"), node: node)
    result.documentation = documentation(node)
    result.enumeration = node["enum"]
    if let type = node["type"], let text = string(type) {
      do throws(ExpressionError) {
        result.type = (type, try ExpressionParser.parseType(text).name)
      } catch {
        diagnostics.error(type, error.message)
      }
    }
    return result
  }

  func documentation(_ node: SourceNode) -> Documentation {
    var result = Documentation()
    if let doc = node["doc"] { result.text = string(doc) ?? "" }
    if let references = node["doc-ref"] {
      result.references = (references.items ?? [references]).compactMap { string($0) }
    }
    return result
  }

  // MARK: Parts of documents

  /// Reports keys that are not allowed. Those that begin with `-` always are, unless they would
  /// be hark's own and are not.
  func allow(_ keys: [String], in node: SourceNode, hark: [String] = []) {
    for (key, _) in node.pairs ?? [] {
      guard let name = key.scalar?.text else {
        diagnostics.error(node, "expected string as a key, got \(key.kindName)")
        continue
      }
      if keys.contains(name) || hark.contains(name) { continue }
      if name.hasPrefix("-hark-") {
        diagnostics.error(
          key,
          hark.isEmpty
            ? "no `-hark-` key is allowed here"
            : "unknown key found\(name.hint(among: hark)), expected: "
              + hark.sorted().joined(separator: ", "))
      } else if !name.hasPrefix("-") {
        diagnostics.error(
          key,
          "unknown key found\(name.hint(among: keys + hark)), expected: "
            + keys.sorted().joined(separator: ", "))
      }
    }
  }

  func items(_ node: SourceNode?) -> [SourceNode] {
    guard let node else { return [] }
    guard let items = node.items else {
      diagnostics.error(node, "expected array, got \(node.kindName)")
      return []
    }
    return items
  }

  func pairs(_ node: SourceNode?) -> [(key: SourceNode, value: SourceNode)] {
    guard let node else { return [] }
    guard let pairs = node.pairs else {
      diagnostics.error(node, "expected map, got \(node.kindName)")
      return []
    }
    return pairs
  }

  func string(_ node: SourceNode) -> String? {
    if let text = node.text { return text }
    diagnostics.error(node, "expected string, got \(node.kindName)")
    return nil
  }

  func bool(_ node: SourceNode?, default value: Bool) -> Bool {
    guard let node else { return value }
    if let value = node.bool { return value }
    diagnostics.error(node, "expected boolean, got \(node.kindName)")
    return value
  }

  func octet(_ node: SourceNode?) -> UInt8? {
    guard let node else { return nil }
    if let value = node.integer?.int, let octet = UInt8(exactly: value) { return octet }
    diagnostics.error(node, "expected an integer from 0 to 255, got \(node.kindName)")
    return nil
  }

  func identifier(_ node: SourceNode, _ what: String) -> String {
    guard let text = string(node) else { return "" }
    if !Self.isIdentifier(text) {
      diagnostics.error(node, "invalid \(what) ID: '\(text)', expected \(Self.identifier)")
    }
    return text
  }

  static func isIdentifier(_ text: String) -> Bool {
    guard let first = text.utf8.first, first >= 0x61, first <= 0x7A else { return false }
    return text.utf8.allSatisfy {
      $0 >= 0x61 && $0 <= 0x7A || $0 >= 0x30 && $0 <= 0x39 || $0 == 0x5F
    }
  }

  /// An expression: any scalar's text is one, be it a number, a truth value or quoted.
  func expression(_ node: SourceNode?) -> ExpressionKey? {
    guard let node, let text = string(node) else { return nil }
    do throws(ExpressionError) {
      return ExpressionKey(node: node, expression: try ExpressionParser.parse(text))
    } catch {
      diagnostics.error(node, "'\(text)': \(error.message)")
      return nil
    }
  }
}
