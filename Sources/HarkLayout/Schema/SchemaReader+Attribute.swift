// KSY reference, "Attribute specification".
extension SchemaReader {
  enum AttributeKind { case sequence, instance }

  private static let common = ["doc", "doc-ref", "type", "if", "valid", "repeat", "enum"]
  private static let delimited = [
    "size", "size-eos", "terminator", "include", "consume", "eos-error", "pad-right", "process",
    "contents", "encoding", "parent",
  ]
  private static let numbers = ["terminator", "include", "consume", "eos-error"]
  private static let extras = [
    "-hark-unit", "-hark-format", "-hark-severity", "-hark-checksum", "-hark-with-next",
    "-hark-personal",
  ]

  func attribute(_ node: SourceNode, id: String?, kind: AttributeKind) -> Attribute {
    guard node.pairs != nil else {
      diagnostics.error(node, "expected map, got \(node.kindName)")
      return Attribute(id: id, node: node, isInstance: kind == .instance)
    }
    let id = node["id"].flatMap { kind == .sequence ? identifier($0, "attribute") : nil } ?? id
    let result = Attribute(id: id, node: node, isInstance: kind == .instance)
    result.documentation = documentation(node)
    if kind == .instance, node["value"] != nil {
      readValueInstance(node, into: result)
      return result
    }
    result.type = type(node["type"])
    checkKeys(of: node, result, kind)
    if kind == .instance {
      result.position = expression(node["pos"])
      result.stream = expression(node["io"])
    }
    readBytes(node, into: result)
    result.condition = expression(node["if"])
    result.repetition = repetition(node)
    result.enumeration = node["enum"]
    if let parent = node["parent"] {
      result.parent =
        parent.bool == false ? .none : expression(parent).map { .given($0) } ?? .implicit
    }
    if let process = node["process"] { result.process = self.process(process) }
    if let valid = node["valid"] { result.validation = validation(valid, of: node) }
    readExtras(node, into: &result.extras)
    return result
  }

  private func readValueInstance(_ node: SourceNode, into result: Attribute) {
    let allowed = ["value", "doc", "doc-ref", "enum", "if"]
    for (key, _) in node.pairs ?? [] {
      guard let name = key.scalar?.text, !name.hasPrefix("-"), !allowed.contains(name) else {
        continue
      }
      diagnostics.error(
        key, "invalid key found in value instance, allowed: \(allowed.joined(separator: ", "))")
    }
    let others = node.pairs?.compactMap(\.key.scalar?.text).filter { !$0.hasPrefix("-hark-") }
    allow(others ?? [], in: node, hark: Self.extras)
    result.value = expression(node["value"])
    result.isBroken = result.value == nil
    result.condition = expression(node["if"])
    result.enumeration = node["enum"]
    readExtras(node, into: &result.extras)
  }

  private func checkKeys(of node: SourceNode, _ attribute: Attribute, _ kind: AttributeKind) {
    var keys = Self.common + (kind == .sequence ? ["id"] : ["pos", "io"])
    switch attribute.type {
    case .one(let reference) where reference.kind.isNumber: keys += Self.numbers
    default: keys += Self.delimited
    }
    switch node["repeat"]?.text {
    case "expr": keys.append("repeat-expr")
    case "until": keys.append("repeat-until")
    default: break
    }
    // Members that belong to another kind of repeat are reported there.
    if node["repeat"]?.text == "expr", node["repeat-expr"] == nil { keys.append("repeat-until") }
    if node["repeat"]?.text == "until", node["repeat-until"] == nil { keys.append("repeat-expr") }
    allow(keys, in: node, hark: Self.extras)
  }

  private func readBytes(_ node: SourceNode, into result: Attribute) {
    result.size = expression(node["size"])
    result.sizeToEnd = bool(node["size-eos"], default: false)
    result.terminator = octet(node["terminator"])
    result.includesTerminator = bool(node["include"], default: false)
    result.consumesTerminator = bool(node["consume"], default: true)
    result.needsTerminator = bool(node["eos-error"], default: true)
    result.padding = octet(node["pad-right"])
    result.encoding = node["encoding"]
    if let encoding = node["encoding"], string(encoding) != nil { check(encoding: encoding) }
    if let contents = node["contents"] { result.contents = self.contents(contents) }
    if result.size != nil, result.sizeToEnd {
      diagnostics.error(node, "only one of `size` and `size-eos` must be specified")
    }
    if result.contents != nil, let type = node.key("type") {
      diagnostics.error(type, "`contents` takes no `type`")
    }
    let isBytes: Bool =
      switch result.type {
      case .bytes: true
      case .one(let reference): if case .string = reference.kind { true } else { false }
      case .choice: false
      }
    let isGiven = node["size"] != nil || node["terminator"] != nil || result.isDelimited
    if isBytes, result.contents == nil, !isGiven, node["contents"] == nil {
      diagnostics.error(node, "its end is undefined: add `size`, `size-eos` or `terminator`")
    }
  }

  private func contents(_ node: SourceNode) -> [UInt8]? {
    var bytes: [UInt8] = []
    for part in node.items ?? [node] {
      if let number = part.integer {
        guard let octet = number.int.flatMap({ UInt8(exactly: $0) }) else {
          diagnostics.error(part, "expected an integer from 0 to 255, got \(part.kindName)")
          return nil
        }
        bytes.append(octet)
      } else if let text = part.text {
        bytes += Array(text.utf8)
      } else {
        diagnostics.error(part, "expected a string or bytes, got \(part.kindName)")
        return nil
      }
    }
    return bytes
  }

  private func repetition(_ node: SourceNode) -> Attribute.Repetition {
    guard let key = node["repeat"] else { return .none }
    switch key.text {
    case "eos": return .toEnd
    case "expr":
      guard node["repeat-expr"] != nil else {
        diagnostics.error(key, "`repeat: expr` requires a `repeat-expr` expression")
        return .none
      }
      return expression(node["repeat-expr"]).map { .count($0) } ?? .toEnd
    case "until":
      guard node["repeat-until"] != nil else {
        diagnostics.error(key, "`repeat: until` requires a `repeat-until` expression")
        return .none
      }
      return expression(node["repeat-until"]).map { .until($0) } ?? .toEnd
    default:
      diagnostics.error(key, "expected eos / expr / until, got \(key.kindName)")
      return .none
    }
  }

  private func process(_ node: SourceNode) -> Attribute.Process? {
    guard let text = string(node) else { return nil }
    do throws(ExpressionError) {
      let (name, arguments) = try ExpressionParser.parseProcess(text)
      let kinds: [String: (kind: Attribute.Process.Kind, count: Int)] = [
        "xor": (.xor, 1), "rol": (.rotateLeft, 1), "ror": (.rotateRight, 1), "zlib": (.zlib, 0),
      ]
      guard let known = kinds[name] else {
        diagnostics.error(node, "custom processing (`\(name)`) is not supported")
        return nil
      }
      guard arguments.count == known.count else {
        diagnostics.error(
          node, "`\(name)` takes \(known.count) arguments, \(arguments.count) are given")
        return nil
      }
      return Attribute.Process(
        kind: known.kind, node: node,
        argument: arguments.first.map { ExpressionKey(node: node, expression: $0) })
    } catch {
      diagnostics.error(node, error.message)
      return nil
    }
  }

  // KSY reference, "Valid".
  private func validation(_ node: SourceNode, of attribute: SourceNode) -> [Attribute.Validation] {
    guard node.pairs != nil else { return expression(node).map { [.equal($0)] } ?? [] }
    allow(["eq", "min", "max", "any-of", "expr", "in-enum"], in: node)
    var result: [Attribute.Validation] = []
    if let key = expression(node["eq"]) { result.append(.equal(key)) }
    if let key = expression(node["min"]) { result.append(.least(key)) }
    if let key = expression(node["max"]) { result.append(.most(key)) }
    if let list = node["any-of"] {
      result.append(.anyOf(items(list).compactMap { expression($0) }))
    }
    if let key = expression(node["expr"]) { result.append(.expression(key)) }
    if let key = node["in-enum"] {
      if key.bool != true {
        diagnostics.error(key, "only `true` is supported as value, got \(key.kindName)")
      } else if attribute["enum"] == nil {
        diagnostics.error(key, "`valid/in-enum` requires the `enum` key")
      } else {
        result.append(.inEnum(key))
      }
    }
    return result
  }
}
