// What is in `type`. KSY reference, "Type".
extension SchemaReader {
  func type(_ node: SourceNode?) -> AttributeType {
    guard let node else { return .bytes }
    if node.scalar != nil { return reference(node).map { .one($0) } ?? .bytes }
    guard node.pairs != nil else {
      diagnostics.error(node, "expected map or string, found \(node.kindName)")
      return .bytes
    }
    allow(["switch-on", "cases"], in: node)
    let on = need("switch-on", in: node)
    guard let cases = need("cases", in: node), let on = expression(on) else { return .bytes }
    guard let pairs = cases.pairs else {
      diagnostics.error(cases, "expected map, got \(cases.kindName)")
      return .bytes
    }
    var result: [SwitchType.Case] = []
    for (key, value) in pairs {
      guard let text = key.scalar?.text else {
        diagnostics.error(cases, "expected string as a case, got \(key.kindName)")
        continue
      }
      guard let reference = reference(value) else { continue }
      if text == "_" {
        result.append(SwitchType.Case(node: key, when: nil, type: reference))
      } else if let when = expression(key) {
        result.append(SwitchType.Case(node: key, when: when, type: reference))
      }
    }
    return .choice(SwitchType(on: on, cases: result))
  }

  private func reference(_ node: SourceNode) -> TypeReference? {
    guard let text = string(node) else { return nil }
    do throws(ExpressionError) {
      let (name, arguments) = try ExpressionParser.parseType(text)
      guard !name.isArray else {
        diagnostics.error(node, "declare an array with `repeat`, not with `[]`")
        return nil
      }
      if name.path.names.count == 1, !name.path.isAbsolute, arguments.isEmpty,
        let kind = TypeReference.Kind(builtIn: name.path.names[0])
      {
        return TypeReference(node: node, kind: kind)
      }
      return TypeReference(node: node, kind: .user(name.path), arguments: arguments)
    } catch {
      diagnostics.error(node, "'\(text)': \(error.message)")
      return nil
    }
  }
}

extension TypeReference.Kind {
  /// `u2`, `s4be`, `f8`, `b3`, `str`, `strz`.
  init?(builtIn name: String) {
    switch name {
    case "str": self = .string
    case "strz": self = .terminatedString
    case "u1": self = .integer(octets: 1, isSigned: false, isLittle: nil)
    case "s1": self = .integer(octets: 1, isSigned: true, isLittle: nil)
    default:
      var rest = Substring(name)
      guard let letter = rest.popFirst() else { return nil }
      var isLittle: Bool?
      if rest.hasSuffix("le") || rest.hasSuffix("be") {
        isLittle = rest.hasSuffix("le")
        rest.removeLast(2)
      }
      guard rest.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), rest.first != "0",
        let number = Int(rest)
      else { return nil }
      switch letter {
      case "u" where [2, 4, 8].contains(number):
        self = .integer(octets: number, isSigned: false, isLittle: isLittle)
      case "s" where [2, 4, 8].contains(number):
        self = .integer(octets: number, isSigned: true, isLittle: isLittle)
      case "f" where [4, 8].contains(number): self = .float(octets: number, isLittle: isLittle)
      case "b" where number <= 64: self = .bits(number, isLittle: isLittle)
      default: return nil
      }
    }
  }

  var isNumber: Bool {
    switch self {
    case .integer, .float, .bits: true
    case .string, .terminatedString, .user: false
    }
  }
}
