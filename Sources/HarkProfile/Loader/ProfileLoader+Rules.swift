import HarkCrypto
import HarkLayout
import HarkSession

// The items of `messages`.
extension ProfileLoader {
  private static let shared = ["when", "is", "doc", "partial"]

  func rule(_ node: SourceNode, _ encoding: Encoding, isPlaintext: Bool) -> Rule? {
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
    guard let kind = kind(need("is", in: node), isPlaintext) else { return nil }
    let number = ruleCount
    let (required, optional) = kind.members
    allow(
      Self.shared + (required + optional).map(\.rawValue) + kind.lists.map(\.rawValue)
        + (kind.isKey ? ["cipher-suite", "exact-size"] : [])
        + (kind.isConfiguration ? ["cleared", "address-order"] : [])
        + (kind.hasContents ? ["encoding", "messages"] : []),
      in: node)
    if kind.isSecret, !isSecret {
      diagnostics.error(
        node, "a password passes here: the channel or plaintext needs 'secret: true'")
    }
    var lists: [ItemList: Rule.Items] = [:]
    for list in kind.lists {
      lists[list] = node[list.rawValue].flatMap { items($0, of: list, encoding) }
    }
    return Rule(
      number: number, when: node["when"].flatMap { formula($0, encoding) }, kind: kind,
      suite: kind.isKey ? node["cipher-suite"].flatMap { suite($0) } : nil,
      needsExactSize: kind.isKey && bool(node["exact-size"]), takesPart: bool(node["partial"]),
      members: members(of: node, required, optional, encoding),
      cleared: kind.isConfiguration ? cleared(node["cleared"], encoding) : [:],
      addressOrder: kind.isConfiguration ? addressOrder(node) : nil, lists: lists,
      contents: kind.hasContents ? contents(node, isPlaintext: isPlaintext) : nil)
  }

  private func kind(_ node: SourceNode?, _ isPlaintext: Bool) -> Kind? {
    guard let node else { return nil }
    let allowed = Kind.allCases.filter { !isPlaintext || $0.isContent }
    if let kind = allowed.first(where: { $0.rawValue == node.text }) { return kind }
    let known = allowed.map(\.rawValue).joined(separator: ", ")
    diagnostics.error(node, "unknown kind \(node.kindName), expected: \(known)")
    return nil
  }

  private func members(
    of node: SourceNode, _ required: [Member], _ optional: [Member], _ encoding: Encoding
  ) -> [Member: Formula] {
    var members: [Member: Formula] = [:]
    for member in required {
      members[member] = need(member.rawValue, in: node).flatMap { formula($0, encoding) }
    }
    for member in optional {
      members[member] = node[member.rawValue].flatMap { formula($0, encoding) }
    }
    return members
  }

  private func items(
    _ node: SourceNode, of list: ItemList, _ encoding: Encoding
  ) -> Rule.Items? {
    let (required, optional) = list.members
    guard allow(["each", "when"] + (required + optional).map(\.rawValue), in: node),
      let each = formula(need("each", in: node), encoding)
    else { return nil }
    return Rule.Items(
      each: each, when: node["when"].flatMap { formula($0, encoding) },
      members: members(of: node, required, optional, encoding))
  }

  private func cleared(_ node: SourceNode?, _ encoding: Encoding) -> [Member: Formula] {
    guard let node, allow(Member.configuration.map(\.rawValue), in: node) else { return [:] }
    return members(of: node, [], Member.configuration, encoding)
  }

  /// Without it nobody could tell an address from its reverse.
  private func addressOrder(_ node: SourceNode) -> AccessoryControlDevice.AddressOrder? {
    let known = AccessoryControlDevice.AddressOrder.allCases
    guard let given = node["address-order"] else {
      let sources: [Member] = [.primarySource, .secondarySource]
      if let source = sources.compactMap({ node[$0.rawValue] }).first {
        diagnostics.error(source, "an address needs 'address-order' beside it")
      }
      return nil
    }
    if let order = known.first(where: { $0.rawValue == given.text }) { return order }
    let names = known.map(\.rawValue).joined(separator: " or ")
    diagnostics.error(given, "expected \(names), got \(given.kindName)")
    return nil
  }

  private func suite(_ node: SourceNode) -> CipherSuite? {
    if let suite = node.text.flatMap({ CipherSuite(spelling: $0) }) { return suite }
    diagnostics.error(node, "expected P256 or XWing, got \(node.kindName)")
    return nil
  }
}
