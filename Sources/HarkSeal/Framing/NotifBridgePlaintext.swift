import HarkCore

/// What NotifBridge's phone side seals: its Event of version 3, as Swift's `JSONEncoder` writes it.
enum NotifBridgePlaintext {
  static func write(_ notification: ForwardedNotification, number: Int) -> [UInt8] {
    var text = TextBuffer()
    let digits = String(number, radix: 16)
    let last = String(repeating: "0", count: 12 - digits.count) + digits
    text.string("{\"version\":3,\"id\":\"00000000-0000-4000-8000-\(last)\"")
    text.string(",\"kind\":\"\(notification.kind.rawValue)\",\"sentAt\":\(800_000_000 + number)")
    switch notification.kind {
    case .removeAll: break
    case .remove:
      text.string(",\"identity\":{")
      write(notification, [.sourceIdentifier, .notificationIdentifier], to: &text)
      text.string("}")
    case .add, .update:
      text.string(",\"notification\":{")
      var isFirst = write(notification, ForwardedNotification.Text.allCases, to: &text)
      if let shouldAlert = notification.shouldAlert {
        text.string("\(isFirst ? "" : ",")\"shouldAlert\":\(shouldAlert)")
        isFirst = false
      }
      if !notification.actions.isEmpty {
        if !isFirst { text.string(",") }
        // As Swift writes an enumeration.
        notification.writeActions(identifier: "id", to: &text) { "{\"\($0.rawValue)\":{}}" }
      }
      text.string("}")
    }
    text.string("}")
    return text.bytes
  }

  /// - Returns: Whether nothing was written.
  @discardableResult
  private static func write(
    _ notification: ForwardedNotification, _ names: [ForwardedNotification.Text],
    to text: inout TextBuffer
  ) -> Bool {
    var isFirst = true
    for name in names {
      // The source's identifier is in every identity.
      let missing = name == .sourceIdentifier ? "" : nil
      guard let value = notification.texts[name] ?? missing else { continue }
      text.string("\(isFirst ? "" : ",")\"\(name.rawValue)\":")
      text.json(value)
      isFirst = false
    }
    return isFirst
  }

  static func read(_ bytes: [UInt8]) throws(SealError) -> ForwardedNotification {
    let reader = MemberReader(bytes)
    let root = try Self.members(reader.root())
    guard let kindNode = root["kind"] else { throw SealError("the plaintext has no kind") }
    let kind = try reader.choice(kindNode, "kind", ForwardedNotification.Kind.allCases)
    var result = ForwardedNotification(kind)
    guard let node = root["notification"] ?? root["identity"] else { return result }
    let members = try Self.members(node)
    for name in ForwardedNotification.Text.allCases {
      guard let node = members[name.rawValue] else { continue }
      let text = try reader.text(node, name.rawValue)
      if !text.isEmpty { result.texts[name] = text }
    }
    if case .bool(let flag)? = members["shouldAlert"]?.value { result.shouldAlert = flag }
    for node in try reader.elements(members["actions"], "actions") {
      let members = try Self.members(node)
      guard let identifier = members["id"] else { throw SealError("an action has no id") }
      var action = ForwardedNotification.Action(identifier: try reader.text(identifier, "id"))
      if let title = members["title"] { action.title = try reader.text(title, "title") }
      if let type = members["type"] {
        let name = try Self.members(type).keys.first ?? ""
        action.kind = ForwardedNotification.Action.Kind(rawValue: name) ?? .background
      }
      result.actions.append(action)
    }
    return result
  }

  private static func members(_ node: JSONNode) throws(SealError) -> [String: JSONNode] {
    guard case .object(let list) = node.value else {
      throw SealError("the plaintext is not a NotifBridge event")
    }
    return Dictionary(list.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
  }
}
