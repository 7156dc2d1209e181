import HarkCore
import HarkCrypto
import HarkSession

// What a profile makes of a message, for those who write one.
extension Profile.Contents {
  /// A message as a tree, with the rule that takes it.
  func tree(_ bytes: [UInt8], _ frames: [PacketID] = []) -> MessageTreeText? {
    let message = encoding.read(bytes)
    var tree = encoding.tree(bytes, frames) ?? MessageTreeText("raw", bytes, frames)
    tree.isInPacket = encoding.isAttached || encoding.isRaw
    tree.rule = reading(message)
    return tree
  }

  /// The rule that takes a message, and the values of its expressions; nil if none does.
  private func reading(_ message: DecodedMessage) -> RuleReading? {
    var evaluator = Evaluator(message.value)
    guard case .rule(let rule) = choose(&evaluator) else { return nil }
    if let scope = rule.scope {
      let part = evaluator.value(scope)
      if case .object = part { evaluator.here = part }
    }
    return rule.reading(&evaluator, hiding: message.secretNames)
  }
}

extension Rule {
  /// - Parameter secrets: Members whose values are not shown.
  fileprivate func reading(
    _ evaluator: inout Evaluator, hiding secrets: Set<String>
  ) -> RuleReading {
    let (required, optional) = kind.members
    var read: [RuleReading.Member] = []
    for member in required + optional {
      guard let formula = members[member] else { continue }
      let value = evaluator.value(member, of: self)
      var text: String? = value.summary
      if case .null = value { text = nil }
      if kind == .privateKey || member == .password || formula.uses(secrets) {
        text = text.map { _ in RuleReading.Member.hidden }
      }
      let place = locations[member]
      read.append(
        RuleReading.Member(
          member.rawValue, line: place?.line ?? 0, column: place?.column ?? 0, value: text,
          isRequired: required.contains(member)))
    }
    return RuleReading(
      kind.rawValue, line: location?.line ?? 0, column: location?.column ?? 0, read,
      lists: kind.lists.compactMap { list(of: $0, &evaluator, hiding: secrets) })
  }

  /// What it makes of the items of a list; nil if the rule has no such list.
  private func list(
    of list: ItemList, _ evaluator: inout Evaluator, hiding secrets: Set<String>
  ) -> RuleReading.List? {
    guard let items = lists[list] else { return nil }
    let (required, optional) = list.members
    let read = evaluator.items(list, of: self) { evaluator, items in
      (required + optional).compactMap { member -> RuleReading.Member? in
        guard let formula = items.members[member] else { return nil }
        let value = evaluator.value(formula)
        var text: String? = value.summary
        if case .null = value { text = nil }
        if formula.uses(secrets) { text = text.map { _ in RuleReading.Member.hidden } }
        let place = items.locations[member]
        return RuleReading.Member(
          member.rawValue, line: place?.line ?? 0, column: place?.column ?? 0, value: text,
          isRequired: required.contains(member))
      }
    }
    return RuleReading.List(
      list.rawValue, line: items.location?.line ?? 0, column: items.location?.column ?? 0, read)
  }
}

extension Profile {
  /// What it makes of a decrypted message, from the outermost envelope inwards; nothing that may contain a
  /// password.
  public func trees(plaintext: [UInt8], direction: MessageDirection) -> [MessageTreeText] {
    let candidates = plaintexts.filter { $0.direction ?? direction == direction }
    guard !candidates.contains(where: { $0.isSecret || $0.contents.marksKeysInside }) else {
      return []
    }
    var first: MessageTreeText?
    for candidate in candidates {
      if let when = candidate.when {
        var evaluator = Evaluator(.bytes(plaintext))
        guard evaluator.value(when).bool == true else { continue }
      }
      guard let tree = candidate.contents.tree(plaintext) else { continue }
      if tree.rule != nil { return [tree] + candidate.contents.envelopes(plaintext, depth: 0) }
      first = first ?? tree
    }
    return first.map { [$0] } ?? []
  }
}

extension Profile.Contents {
  private static var deepest: Int { 8 }

  /// The messages inside of one.
  fileprivate func envelopes(_ bytes: [UInt8], depth: Int) -> [MessageTreeText] {
    var evaluator = Evaluator(encoding.read(bytes).value)
    guard depth < Self.deepest, case .rule(let rule) = choose(&evaluator), rule.kind == .envelope,
      let inner = rule.contents,
      let body = try? evaluator.inside(rule, { evaluator in evaluator.bytes(.body, of: rule) }),
      let tree = inner.tree(body)
    else { return [] }
    return [tree] + inner.envelopes(body, depth: depth + 1)
  }
}
