import HarkCore
import HarkCrypto

/// What a phone sends an accessory about a notification, by the names of Apple's `AccessoryNotification`.
package struct ForwardedNotification: Hashable, Sendable {
  package enum Kind: String, Sendable, CaseIterable {
    case add, update, remove, removeAll
  }

  package struct Action: Hashable, Sendable {
    package enum Kind: String, Sendable, CaseIterable {
      case background, textInput, dismiss
    }

    package var identifier: String
    package var title: String?
    package var kind = Kind.background
  }

  package var kind = Kind.add
  /// In the order in which they are written.
  package var texts: [Text: String] = [:]
  package var shouldAlert: Bool?
  package var actions: [Action] = []

  package enum Text: String, Sendable, CaseIterable {
    case title, subtitle, body, sourceName, sourceIdentifier, notificationIdentifier
    case threadIdentifier
  }

  package init(_ kind: Kind) { self.kind = kind }

  /// Writes it as `NotificationReader` reads it.
  package func write(to out: inout TextBuffer) {
    out.string("{\"kind\":\"\(kind.rawValue)\"")
    for name in Text.allCases {
      guard let text = texts[name] else { continue }
      out.string(",\"\(name.rawValue)\":")
      out.json(text)
    }
    if let shouldAlert { out.string(",\"shouldAlert\":\(shouldAlert)") }
    if !actions.isEmpty {
      out.string(",")
      writeActions(identifier: "identifier", to: &out) { "\"\($0.rawValue)\"" }
    }
    out.string("}")
  }

  /// Writes the member `actions`.
  /// - Parameters:
  ///   - identifier: What the identifier of an action is called.
  ///   - type: The JSON of an action's kind.
  func writeActions(
    identifier: String, to out: inout TextBuffer, type: (Action.Kind) -> String
  ) {
    out.string("\"actions\":[")
    for (index, action) in actions.enumerated() {
      out.string("\(index == 0 ? "" : ","){\"\(identifier)\":")
      out.json(action.identifier)
      if let title = action.title {
        out.string(",\"title\":")
        out.json(title)
      }
      out.string(",\"type\":\(type(action.kind))}")
    }
    out.string("]")
  }
}

/// Why notifications or a sealed conversation cannot be read, or cannot be made.
package struct SealError: Error, Hashable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}

/// Reads notifications from JSON: one object, or an array of them.
package struct NotificationReader {
  let reader: MemberReader
  /// More than anybody seals at once.
  package static let most = 1_000

  package static func read(_ bytes: [UInt8]) throws(SealError) -> [ForwardedNotification] {
    let reader = MemberReader(bytes)
    let root = try reader.root()
    if case .object(let members) = root.value, members.contains(where: { $0.name == "format" }) {
      throw SealError("a key file or an output of hark, not notifications")
    }
    let elements: [JSONNode]
    if case .array(let list) = root.value { elements = list } else { elements = [root] }
    guard !elements.isEmpty else { throw SealError("it contains no notification") }
    guard elements.count <= most else { throw SealError("more than \(most) notifications") }
    var result: [ForwardedNotification] = []
    for (index, element) in elements.enumerated() {
      let place = elements.count == 1 ? "" : "[\(index)]"
      result.append(try NotificationReader(reader: reader).notification(element, place))
    }
    return result
  }

  private func notification(
    _ node: JSONNode, _ place: String
  ) throws(SealError) -> ForwardedNotification {
    let texts = ForwardedNotification.Text.allCases.map(\.rawValue)
    let members = try reader.object(
      node, place, ["kind", "shouldAlert", "actions"] + texts)
    var kind = ForwardedNotification.Kind.add
    if let node = members["kind"] {
      kind = try reader.choice(node, "\(place).kind", ForwardedNotification.Kind.allCases)
    }
    var result = ForwardedNotification(kind)
    for name in ForwardedNotification.Text.allCases {
      guard let node = members[name.rawValue] else { continue }
      result.texts[name] = try reader.text(node, "\(place).\(name.rawValue)")
    }
    if let node = members["shouldAlert"] {
      guard case .bool(let flag) = node.value else {
        throw SealError("\(place).shouldAlert must be true or false")
      }
      result.shouldAlert = flag
    }
    for (index, node) in try reader.elements(members["actions"], "\(place).actions").enumerated() {
      result.actions.append(try action(node, "\(place).actions[\(index)]"))
    }
    if kind == .remove, result.texts[.notificationIdentifier] == nil {
      throw SealError(
        "\(place).notificationIdentifier is missing: a removal must name the notification")
    }
    return result
  }

  private func action(
    _ node: JSONNode, _ place: String
  ) throws(SealError) -> ForwardedNotification.Action {
    let members = try reader.object(node, place, ["identifier", "title", "type"])
    guard let identifier = members["identifier"] else {
      throw SealError("\(place).identifier is missing")
    }
    var result = ForwardedNotification.Action(
      identifier: try reader.text(identifier, "\(place).identifier"))
    if let title = members["title"] { result.title = try reader.text(title, "\(place).title") }
    if let kind = members["type"] {
      result.kind = try reader.choice(
        kind, "\(place).type", ForwardedNotification.Action.Kind.allCases)
    }
    return result
  }
}

/// What reading members of JSON objects needs.
struct MemberReader {
  let bytes: [UInt8]

  private static let mostLevels = 16
  private static let mostValues = 100_000

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  func root() throws(SealError) -> JSONNode {
    if let contents = FileContents(bytes) { throw SealError("\(contents), not JSON") }
    do {
      return try JSONParser.read(
        bytes, in: bytes.indices,
        .init(levels: Self.mostLevels, values: Self.mostValues, takesDuplicates: false))
    } catch {
      let before = bytes[..<min(error.offset, bytes.count)]
      let line = before.count { $0 == 0x0A } + 1
      let reason: String =
        switch error.reason {
        case .expected(let what): "not JSON: expected \(what)"
        case .expectedEnd: "not JSON: expected the end of the file"
        case .tooDeep: "more than \(Self.mostLevels) levels"
        case .tooMany: "more than \(Self.mostValues) values"
        case .duplicate: "the same member twice"
        }
      throw SealError("line \(line): \(reason)")
    }
  }

  func object(
    _ node: JSONNode, _ place: String, _ known: [String]
  ) throws(SealError) -> [String: JSONNode] {
    guard case .object(let list) = node.value else {
      throw SealError("\(place.isEmpty ? "the text" : place) must be an object")
    }
    var members: [String: JSONNode] = [:]
    for (name, value) in list {
      guard known.contains(name) else { throw Self.unknown(name, place, known) }
      members[name] = value
    }
    return members
  }

  /// As in key files, a name is shown only when it resembles a known one: it may be a key.
  private static func unknown(_ name: String, _ place: String, _ known: [String]) -> SealError {
    let subject = place.isEmpty ? "the object" : place
    let all = known.joined(separator: ", ")
    guard let near = Spelling.nearest(to: name, in: known) else {
      return SealError("\(subject) has an unknown member; known members are \(all)")
    }
    return SealError(
      "\(subject) has an unknown member '\(name)'; did you mean '\(near)'? Known members are \(all)"
    )
  }

  func elements(_ node: JSONNode?, _ place: String) throws(SealError) -> [JSONNode] {
    guard let node else { return [] }
    guard case .array(let list) = node.value else { throw SealError("\(place) must be an array") }
    return list
  }

  func text(_ node: JSONNode, _ place: String) throws(SealError) -> String {
    guard case .string(let range) = node.value else { throw SealError("\(place) must be a string") }
    return JSONParser.string(range, in: bytes)
  }

  func hex(_ node: JSONNode?, _ place: String) throws(SealError) -> [UInt8] {
    guard let node else { throw SealError("\(place) is missing") }
    guard let bytes = Hex.bytes(try text(node, place)) else {
      throw SealError("\(place) must be hexadecimal digits")
    }
    return bytes
  }

  func choice<Choice: RawRepresentable<String>>(
    _ node: JSONNode, _ place: String, _ all: [Choice]
  ) throws(SealError) -> Choice {
    let text = try text(node, place)
    guard let choice = all.first(where: { $0.rawValue == text }) else {
      throw SealError("\(place) must be one of \(all.map(\.rawValue).joined(separator: ", "))")
    }
    return choice
  }
}
