import HarkLayout

// What channels, plaintexts and messages hold: an encoding and messages, there or in a form.
extension ProfileLoader {
  static let contentsKeys =
    ["form", "encoding", "switch-on", "messages", "versions"] + Member.whole.map(\.rawValue)

  func plaintext(_ node: SourceNode) -> Profile.Plaintext? {
    guard allow(["doc", "from", "secret", "when"] + Self.contentsKeys, in: node) else {
      return nil
    }
    isSecret = bool(node["secret"])
    let direction = direction(node["from"])
    guard let contents = contents(node, isPlaintext: true) else { return nil }
    return Profile.Plaintext(
      direction: direction, isSecret: isSecret,
      when: node["when"].flatMap { formula($0, .raw) }, contents: contents)
  }

  func contents(_ node: SourceNode, isPlaintext: Bool = false) -> Profile.Contents? {
    if let name = node["form"] {
      if let double = node["encoding"] ?? node["messages"] {
        diagnostics.error(double, "the form already defines this")
      }
      return form(name) { node in
        allow(["doc"] + Self.contentsKeys, in: node)
        return contents(node, isPlaintext: isPlaintext)
      }
    }
    return encoding(need("encoding", in: node)) { encoding in
      let messages = items(need("messages", in: node))
      let selector = node["switch-on"].flatMap { formula($0, encoding) }
      let rules = messages.compactMap {
        rule($0, encoding, isPlaintext: isPlaintext, isSelected: selector != nil)
      }
      return Profile.Contents(
        encoding: encoding, selector: selector, rules: rules,
        head: head(node, encoding, isPlaintext: isPlaintext))
    }
  }

  private func head(
    _ node: SourceNode, _ encoding: Encoding, isPlaintext: Bool
  ) -> Profile.Head {
    var head = Profile.Head()
    for member in Member.whole {
      guard let value = node[member.rawValue] else { continue }
      if isPlaintext {
        head.members[member] = formula(value, encoding)
      } else {
        diagnostics.error(value, "only sealed messages have the key '\(member.rawValue)'")
      }
    }
    guard let versions = node["versions"] else { return head }
    head.versions = items(versions).compactMap { number($0, 0...0xFFFF_FFFF) }
    if head.members[.messageVersion] == nil {
      diagnostics.error(versions, "missing key 'message-version'")
    }
    return head
  }
}
