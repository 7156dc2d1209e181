import HarkCore

/// NotifBridge's first plaintext: kind 0x02, lengths most significant first. The commands that go
/// back are 0x10 and 0x11.
enum NotifBridgeBinary {
  static func decode(_ plaintext: [UInt8]) -> DecodedPlaintext {
    var reader = PlaintextReader(plaintext)
    var result = DecodedPlaintext()
    do throws(PlaintextProblem) {
      let kind = try reader.number("Kind")
      switch kind {
      case 0x02: try notification(&reader, &result)
      case 0x10:
        result.contents = [.clear(try identifier(&reader))]
      case 0x11:
        let identifier = try identifier(&reader)
        let action = try reader.text("Action Identifier", size: 1)
        let text = reader.remaining > 0 ? try reader.text("User Text", size: 1) : nil
        result.contents = [
          .response(
            NotificationResponse(
              identifier: identifier, actionIdentifier: action, userText: text))
        ]
      default: throw .unknownType(UInt8(truncatingIfNeeded: kind))
      }
      result.problem = reader.problemOfTheRest
    } catch {
      result.problem = error
    }
    result.fields = reader.fields
    return result
  }

  private static func identifier(
    _ reader: inout PlaintextReader
  ) throws(PlaintextProblem) -> AccessoryNotification.Identifier {
    let source = try reader.text("Source Identifier", size: 1)
    let notification = try reader.text("Notification Identifier", size: 1)
    return .init(sourceIdentifier: source, notificationIdentifier: notification)
  }

  /// What was read is in `result` also when the rest is missing.
  private static func notification(
    _ reader: inout PlaintextReader, _ result: inout DecodedPlaintext
  ) throws(PlaintextProblem) {
    var value = AccessoryNotification()
    defer { result.contents = [.present(value)] }
    value.title = Optional(try reader.text("Title", size: 2)).nonEmpty
    value.subtitle = Optional(try reader.text("Subtitle", size: 2)).nonEmpty
    value.body = Optional(try reader.text("Body", size: 2)).nonEmpty
    value.sourceName = Optional(try reader.text("Source Name", size: 1)).nonEmpty
    value.identifier = try identifier(&reader)
    value.threadIdentifier = Optional(try reader.text("Thread Identifier", size: 1)).nonEmpty
    value.alerting.hasSound = try reader.number("Has Sound") != 0
    let attributes = try reader.number("Attributes")
    value.attributes = .init(rawValue: UInt8(truncatingIfNeeded: attributes))
    for _ in 0..<(try reader.number("Action Count")) {
      value.actions.append(try action(&reader))
    }
    value.sourceIconSize = present(try reader.block("Source Icon", size: 4))
    value.contextIconSize = present(try reader.block("Context Icon", size: 4))
    for _ in 0..<(try reader.number("Attachment Count")) {
      let uti = try reader.text("Attachment Type", size: 1)
      let size = try reader.block("Attachment", size: 4)
      value.attachments.append(.init(uti: uti, size: size))
    }
  }

  private static func action(
    _ reader: inout PlaintextReader
  ) throws(PlaintextProblem) -> AccessoryNotification.Action {
    let identifier = try reader.text("Action Identifier", size: 1)
    let title = Optional(try reader.text("Action Title", size: 1)).nonEmpty
    let type: AccessoryNotification.ActionType
    switch try reader.number("Action Type") {
    case 0: type = .background
    case 1:
      let placeholder = try reader.text("Action Placeholder", size: 1)
      type = .textInput(placeholder: Optional(placeholder).nonEmpty)
    case 2: type = .dismiss
    case let other: type = .unknown(UInt8(truncatingIfNeeded: other))
    }
    return .init(identifier: identifier, title: title, type: type)
  }

  private static func present(_ size: Int) -> Int? { size > 0 ? size : nil }
}
