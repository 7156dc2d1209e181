import HarkCore
import HarkCrypto
import HarkLayout
import HarkSession

// The items of `messages`.
extension ProfileLoader {
  private static let shared = ["when", "is", "of", "needs", "doc", "partial"]
  private static let inForms = ["of", "needs", "doc"]

  /// - Parameter isSelected: Whether the messages are cases of one expression.
  func rule(
    _ node: SourceNode, _ encoding: Encoding, isPlaintext: Bool, isSelected: Bool
  ) -> Rule? {
    guard node.pairs != nil else {
      diagnostics.error(node, "expected map, got \(node.kindName)")
      return nil
    }
    ruleCount += 1
    guard ruleCount <= Self.mostRules else {
      if ruleCount == Self.mostRules + 1 {
        diagnostics.error(node, "more than \(Self.mostRules) messages")
      }
      return nil
    }
    guard let kind = kind(need("is", in: node), isPlaintext) else {
      checkRest(of: node, encoding, isPlaintext: isPlaintext)
      return nil
    }
    guard let name = node["form"], !kind.hasMessages else {
      return rule(node, nil, kind, encoding, isPlaintext: isPlaintext, isSelected: isSelected)
    }
    return form(name) { form in
      let (required, optional) = kind.members
      allow(
        Self.inForms + (required + optional).map(\.rawValue) + kind.lists.map(\.rawValue)
          + (kind.isConfiguration ? ["cleared", "address-order"] : []),
        in: form)
      return rule(node, form, kind, encoding, isPlaintext: isPlaintext, isSelected: isSelected)
    }
  }

  /// Reports what is wrong with a message of unknown kind, as far as that does not depend on the kind.
  private func checkRest(of node: SourceNode, _ encoding: Encoding, isPlaintext: Bool) {
    for key in ["when", "of"] + Member.allCases.map(\.rawValue) {
      _ = node[key].flatMap { formula($0, encoding) }
    }
    _ = needs(node["needs"], encoding)
    if node["encoding"] != nil {
      _ = contents(node, isPlaintext: isPlaintext)
    } else {
      for inner in items(node["messages"]) {
        _ = rule(inner, encoding, isPlaintext: isPlaintext, isSelected: false)
      }
    }
  }

  /// - Parameter form: What else is given of it.
  private func rule(
    _ node: SourceNode, _ form: SourceNode?, _ kind: Kind, _ encoding: Encoding,
    isPlaintext: Bool, isSelected: Bool
  ) -> Rule {
    let number = ruleCount
    let (required, optional) = kind.members
    allow(
      Self.shared + (required + optional).map(\.rawValue) + kind.lists.map(\.rawValue)
        + (kind.isKey ? ["cipher-suite", "exact-size"] : [])
        + (kind.isConfiguration ? ["cleared", "address-order"] : [])
        + (kind.hasContents ? Self.contentsKeys : kind.hasMessages ? ["messages"] : ["form"])
        + (isSelected ? ["case"] : []),
      in: node)
    if kind.isSecret, !isSecret {
      diagnostics.error(
        node, "this message contains a password: the channel or plaintext needs 'secret: true'")
    }
    func at(_ key: String) -> SourceNode? { node[key] ?? form?[key] }
    if kind == .privateKey, node["cipher-suite"] == nil, at("public-key") == nil {
      diagnostics.error(
        node,
        "a private key alone does not show its suite: add 'cipher-suite', or the 'public-key' it belongs to"
      )
    }
    func formula(_ key: String) -> Formula? { at(key).flatMap { self.formula($0, encoding) } }
    var members: [Member: Formula] = [:]
    for member in required where form?[member.rawValue] == nil {
      _ = need(member.rawValue, in: node)
    }
    for member in required + optional { members[member] = formula(member.rawValue) }
    if kind == .privateKey, encoding.source == nil, let name = members[.key]?.fieldName {
      secretNames.insert(name)
    }
    var locations: [Member: SourceLocation] = [:]
    for member in members.keys { locations[member] = at(member.rawValue)?.location }
    for (member, formula) in members {
      if let node = at(member.rawValue) { checkWords(of: formula, member, kind, node) }
    }
    var lists: [ItemList: Rule.Items] = [:]
    for list in kind.lists {
      lists[list] = at(list.rawValue).flatMap { items($0, of: list, encoding) }
    }
    return Rule(
      number: number, selected: isSelected ? node["case"].flatMap { constant($0, encoding) } : nil,
      when: formula("when"), kind: kind, scope: formula("of"),
      needs: needs(at("needs"), encoding),
      suite: kind.isKey ? node["cipher-suite"].flatMap { suite($0) } : nil,
      needsExactSize: kind.isKey && bool(node["exact-size"]), takesPart: bool(node["partial"]),
      members: members, cleared: kind.isConfiguration ? cleared(at("cleared"), encoding) : [:],
      addressOrder: kind.isConfiguration ? addressOrder(at) : nil, lists: lists,
      contents: contents(of: kind, node, encoding, isPlaintext), location: node.location,
      locations: locations)
  }

  private func contents(
    of kind: Kind, _ node: SourceNode, _ encoding: Encoding, _ isPlaintext: Bool
  ) -> Profile.Contents? {
    if kind.hasContents { return contents(node, isPlaintext: isPlaintext) }
    guard kind == .several else { return nil }
    let rules = items(need("messages", in: node)).compactMap {
      rule($0, encoding, isPlaintext: isPlaintext, isSelected: false)
    }
    return Profile.Contents(encoding: encoding, rules: rules)
  }

  private func constant(_ node: SourceNode, _ encoding: Encoding) -> ProfileValue? {
    guard let formula = formula(node, encoding) else { return nil }
    if case .constant(let value) = formula { return value }
    diagnostics.error(node, "expected a constant such as kind::hello, 7 or '\"hello\"'")
    return nil
  }

  /// One expression or a list of them.
  private func needs(_ node: SourceNode?, _ encoding: Encoding) -> [Formula] {
    guard let node else { return [] }
    return (node.items ?? [node]).compactMap { formula($0, encoding) }
  }

  private func kind(_ node: SourceNode?, _ isPlaintext: Bool) -> Kind? {
    guard let node else { return nil }
    let allowed = Kind.allCases.filter { !isPlaintext || $0.isContent }
    if let kind = allowed.first(where: { $0.rawValue == node.text }) { return kind }
    let known = allowed.map(\.rawValue).joined(separator: ", ")
    let hint = (node.text ?? "").hint(among: allowed.map(\.rawValue))
    diagnostics.error(node, "unknown kind \(node.kindName)\(hint), expected: \(known)")
    return nil
  }

  private func items(
    _ node: SourceNode, of list: ItemList, _ encoding: Encoding
  ) -> Rule.Items? {
    let (required, optional) = list.members
    guard allow(["each", "when"] + (required + optional).map(\.rawValue), in: node) else {
      return nil
    }
    let (each, when) = (formula(need("each", in: node), encoding), formula(node["when"], encoding))
    var members: [Member: Formula] = [:]
    for member in required { _ = need(member.rawValue, in: node) }
    for member in required + optional {
      members[member] = node[member.rawValue].flatMap { formula($0, encoding) }
    }
    guard let each else { return nil }
    var result = Rule.Items(each: each, when: when, members: members)
    result.location = node.location
    for member in members.keys { result.locations[member] = node[member.rawValue]?.location }
    return result
  }

  private func cleared(_ node: SourceNode?, _ encoding: Encoding) -> [Member: Formula] {
    guard let node, allow(Member.configuration.map(\.rawValue), in: node) else { return [:] }
    var members: [Member: Formula] = [:]
    for member in Member.configuration {
      members[member] = node[member.rawValue].flatMap { formula($0, encoding) }
    }
    return members
  }

  /// Without it, an address cannot be distinguished from its reverse.
  private func addressOrder(
    _ at: (String) -> SourceNode?
  ) -> AccessoryControlDevice.AddressOrder? {
    let known = AccessoryControlDevice.AddressOrder.allCases
    guard let given = at("address-order") else {
      let sources: [Member] = [.primarySource, .secondarySource]
      if let source = sources.compactMap({ at($0.rawValue) }).first {
        diagnostics.error(source, "an address needs 'address-order' beside it")
      }
      return nil
    }
    if let order = known.first(where: { $0.rawValue == given.text }) { return order }
    let names = known.map(\.rawValue).joined(separator: " or ")
    let hint = (given.text ?? "").hint(among: known.map(\.rawValue))
    diagnostics.error(given, "expected \(names), got \(given.kindName)\(hint)")
    return nil
  }

  private func suite(_ node: SourceNode) -> CipherSuite? {
    if let suite = node.text.flatMap({ CipherSuite(spelling: $0) }) { return suite }
    let hint = (node.text ?? "").hint(among: ["P256", "XWing"])
    diagnostics.error(node, "expected P256 or XWing, got \(node.kindName)\(hint)")
    return nil
  }
}
