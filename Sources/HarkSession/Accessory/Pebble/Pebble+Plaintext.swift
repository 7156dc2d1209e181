import HarkCore
import HarkCrypto

extension Pebble {
  public static func decode(
    plaintext: [UInt8], direction: MessageDirection
  ) -> DecodedPlaintext {
    var reader = PlaintextReader(plaintext)
    var result = DecodedPlaintext()
    do throws(PlaintextProblem) {
      guard !plaintext.isEmpty else { throw .empty }
      switch direction {
      case .hostToAccessory: try message(&reader, &result)
      case .accessoryToHost: try reply(&reader, &result)
      }
      result.problem = reader.problemOfTheRest
    } catch {
      result.problem = error
    }
    result.fields = reader.fields
    return result
  }

  private static func message(
    _ reader: inout PlaintextReader, _ result: inout DecodedPlaintext
  ) throws(PlaintextProblem) {
    let type = try reader.number("Message Type")
    switch type {
    case 1: try present(&reader, &result)
    case 2:
      let identifier = reader.rest("Identifier")
      result.contents = [.remove(.init(notificationIdentifier: identifier))]
    case 3: result.contents = [.removeAllNotifications]
    default: throw .unknownType(UInt8(truncatingIfNeeded: type))
    }
  }

  /// Tag, length, value; what was read is in `result` also when the rest is missing.
  private static func present(
    _ reader: inout PlaintextReader, _ result: inout DecodedPlaintext
  ) throws(PlaintextProblem) {
    var value = AccessoryNotification()
    defer { result.contents = [.present(value)] }
    while reader.remaining > 0 {
      let (tag, length) = try reader.header("Field")
      switch tag {
      case 1: value.title = try text("Title", &reader, length)
      case 2: value.subtitle = try text("Subtitle", &reader, length)
      case 3: value.body = try text("Body", &reader, length)
      case 4: value.sourceName = try text("Source", &reader, length)
      case 5:
        let identifier = try text("Identifier", &reader, length)
        value.identifier = .init(notificationIdentifier: identifier)
      case 6:
        let flag = try reader.value("Alert", count: length) { .flag($0.first ?? 0 != 0) }
        value.alerting.shouldAlert = flag.first.map { $0 != 0 }
      case 7: value.actions.append(try action(&reader, length))
      default: _ = try reader.value("Unknown", count: length) { _ in .bytes }
      }
    }
  }

  private static func text(
    _ name: String, _ reader: inout PlaintextReader, _ length: Int
  ) throws(PlaintextProblem) -> String {
    let bytes = try reader.value(name, count: length) {
      .text(String(decoding: $0, as: UTF8.self))
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func action(
    _ reader: inout PlaintextReader, _ length: Int
  ) throws(PlaintextProblem) -> AccessoryNotification.Action {
    var action = AccessoryNotification.Action(identifier: "", title: nil, type: .background)
    try reader.group("Action", count: length) { (inner) throws(PlaintextProblem) in
      let flags = try inner.number("Action Flags")
      if flags & 1 != 0 { action.type = .textInput(placeholder: nil) }
      action.identifier = try inner.text("Action Identifier", size: 1)
      action.title = Optional(try inner.text("Action Title", size: 1)).nonEmpty
    }
    return action
  }

  private static func reply(
    _ reader: inout PlaintextReader, _ result: inout DecodedPlaintext
  ) throws(PlaintextProblem) {
    let notification = try reader.text("Notification Identifier", size: 1)
    let action = try reader.text("Action Identifier", size: 1)
    let text = try reader.text("Text", size: 2, littleEndian: true)
    let response = NotificationResponse(
      identifier: .init(notificationIdentifier: notification), actionIdentifier: action,
      userText: text)
    result.contents = [.response(response)]
  }
}
