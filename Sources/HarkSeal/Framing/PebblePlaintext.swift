/// What Pebble's phone side seals: a type, then tags with lengths; `dissectors/pebble/pebble.ksy`.
enum PebblePlaintext {
  private static let tags: [(ForwardedNotification.Text, tag: UInt8, longest: Int)] = [
    (.title, 1, 120), (.subtitle, 2, 120), (.body, 3, 255), (.sourceName, 4, 120),
    (.notificationIdentifier, 5, 120),
  ]
  private static let mostActions = 4
  /// The firmware's longest plaintext.
  private static let longest = 2_048

  static func write(_ notification: ForwardedNotification) throws(SealError) -> [UInt8] {
    switch notification.kind {
    case .remove: return [2] + (notification.texts[.notificationIdentifier] ?? "").utf8
    case .removeAll: return [3]
    case .add, .update: break
    }
    var bytes: [UInt8] = [1]
    for (name, tag, longest) in tags {
      guard let text = notification.texts[name] else { continue }
      bytes += [tag] + (try sized(text, name.rawValue, longest))
    }
    if let shouldAlert = notification.shouldAlert { bytes += [6, 1, shouldAlert ? 1 : 0] }
    guard notification.actions.count <= mostActions else {
      throw SealError(
        "\(notification.actions.count) actions; Pebble supports at most \(mostActions)")
    }
    for action in notification.actions {
      guard action.kind != .dismiss else {
        throw SealError("an action of type dismiss; Pebble supports background and textInput")
      }
      let value =
        try [action.kind == .textInput ? 1 : 0] + sized(action.identifier, "identifier", 120)
        + sized(action.title ?? "", "title", 120)
      bytes += [7, UInt8(value.count)] + value
    }
    guard bytes.count <= longest else {
      throw SealError("a notification of \(bytes.count) bytes; Pebble supports at most \(longest)")
    }
    return bytes
  }

  private static func sized(
    _ text: String, _ name: String, _ longest: Int
  ) throws(SealError) -> [UInt8] {
    let octets = Array(text.utf8)
    guard octets.count <= longest else {
      throw SealError(
        "\(name) has \(octets.count) bytes of UTF-8; Pebble supports at most \(longest)")
    }
    return [UInt8(octets.count)] + octets
  }

  static func read(_ bytes: [UInt8]) throws(SealError) -> ForwardedNotification {
    var rest = bytes[...]
    switch rest.popFirst() {
    case 1: break
    case 2:
      var result = ForwardedNotification(.remove)
      result.texts[.notificationIdentifier] = String(decoding: rest, as: UTF8.self)
      return result
    case 3: return ForwardedNotification(.removeAll)
    default: throw SealError("the plaintext is not a message from Pebble's phone side")
    }
    var result = ForwardedNotification(.add)
    while let tag = rest.popFirst() {
      var value = try sized(&rest)
      if let text = tags.first(where: { $0.tag == tag })?.0 {
        result.texts[text] = String(decoding: value, as: UTF8.self)
      } else if tag == 6 {
        result.shouldAlert = value.first.map { $0 != 0 }
      } else if tag == 7 {
        let flags = value.popFirst() ?? 0
        let identifier = String(decoding: try sized(&value), as: UTF8.self)
        let title = String(decoding: try sized(&value), as: UTF8.self)
        result.actions.append(
          .init(
            identifier: identifier, title: title.isEmpty ? nil : title,
            kind: flags & 1 != 0 ? .textInput : .background))
      }
    }
    return result
  }

  private static func sized(_ rest: inout ArraySlice<UInt8>) throws(SealError) -> ArraySlice<UInt8>
  {
    guard let count = rest.popFirst().map(Int.init), rest.count >= count else {
      throw SealError("the plaintext ends inside a Pebble field")
    }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }
}
