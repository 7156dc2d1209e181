import FoundationEssentials
import HarkCore
import HarkCrypto

extension NotifBridge {
  /// Takes the second version's JSON, told by its first byte, or the first version's binary form.
  public static func decode(
    plaintext: [UInt8], direction: MessageDirection
  ) -> DecodedPlaintext {
    guard let first = plaintext.first else {
      var result = DecodedPlaintext()
      result.problem = .empty
      return result
    }
    return first == UInt8(ascii: "{")
      ? NotifBridgePlaintext.decode(plaintext, direction)
      : NotifBridgeBinary.decode(plaintext)
  }
}

/// Event (phone to accessory) and Command (back), version 3: JSON.
enum NotifBridgePlaintext {
  struct Identity: Decodable {
    var sourceIdentifier: String
    var notificationIdentifier: String

    var value: AccessoryNotification.Identifier {
      .init(sourceIdentifier: sourceIdentifier, notificationIdentifier: notificationIdentifier)
    }
  }

  struct Event: Decodable {
    var version: Int?
    var id: String?
    var kind: String
    var notification: NotifBridgeNotification?
    var identity: Identity?
    var result: Outcome?
    /// Seconds since 2001-01-01, as JSONEncoder writes dates.
    var sentAt: Double?
  }

  struct Outcome: Decodable {
    var commandID: String
    var success: Bool
    var message: String?
  }

  struct Command: Decodable {
    var version: Int?
    var id: String?
    var kind: String
    var identity: Identity
    var actionIdentifier: String?
    var userText: String?
    var replyTo: String?
    var didAlert: Bool?
  }

  static func decode(_ plaintext: [UInt8], _ direction: MessageDirection) -> DecodedPlaintext {
    var result = DecodedPlaintext()
    let scan = JSONScan(plaintext)
    if let problem = scan.problem { result.problem = .json(problem) }
    if scan.objects.count > 1 {
      result.problem = .json(.concatenatedJSON(objects: scan.objects.count))
    }
    guard let range = scan.objects.first else { return result }
    let data = Data(plaintext[range])
    do throws(PlaintextProblem) {
      switch direction {
      case .hostToAccessory: try event(data, &result)
      case .accessoryToHost: try command(data, &result)
      }
    } catch {
      result.problem = error
    }
    return result
  }

  private static func event(
    _ data: Data, _ result: inout DecodedPlaintext
  ) throws(PlaintextProblem) {
    let event = try read(Event.self, data)
    result.id = event.id
    result.version = event.version
    result.sentAt = event.sentAt.map(Timestamp.init(sinceReferenceDate:))
    try check(event.version)
    switch event.kind {
    case "add": result.contents = [.add(try need(event.notification, "notification").value)]
    case "update": result.contents = [.update(try need(event.notification, "notification").value)]
    case "remove": result.contents = [.remove(try need(event.identity, "identity").value)]
    case "removeAll": result.contents = [.removeAllNotifications]
    case "commandResult":
      let outcome = try need(event.result, "result")
      result.contents = [
        .commandResult(
          commandID: outcome.commandID, success: outcome.success, message: outcome.message ?? "")
      ]
    default: throw .json(.wrong(field: "kind"))
    }
  }

  private static func command(
    _ data: Data, _ result: inout DecodedPlaintext
  ) throws(PlaintextProblem) {
    let command = try read(Command.self, data)
    result.id = command.id
    result.version = command.version
    try check(command.version)
    let identifier = command.identity.value
    switch command.kind {
    case "clear": result.contents = [.clear(identifier)]
    case "displayed": result.contents = [.displayed(identifier, didAlert: command.didAlert)]
    case "respond":
      result.contents = [
        .response(
          NotificationResponse(
            identifier: identifier, actionIdentifier: command.actionIdentifier,
            userText: command.userText))
      ]
    default: throw .json(.wrong(field: "kind"))
    }
  }

  private static func check(_ version: Int?) throws(PlaintextProblem) {
    if let version, version != 3 { throw .version(version) }
  }

  private static func need<Value>(
    _ value: Value?, _ field: String
  ) throws(PlaintextProblem) -> Value {
    guard let value else { throw .json(.missing(field: field)) }
    return value
  }

  private static func read<Value: Decodable>(
    _ type: Value.Type, _ data: Data
  ) throws(PlaintextProblem) -> Value {
    do {
      return try JSONDecoder().decode(type, from: data)
    } catch DecodingError.keyNotFound(let key, _) {
      throw .json(.missing(field: key.stringValue))
    } catch DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context)
    {
      throw .json(.wrong(field: context.codingPath.last?.stringValue ?? ""))
    } catch {
      throw .json(.notJSON(offset: 0))
    }
  }
}

extension Timestamp {
  /// Seconds since 2001-01-01 00:00:00 UTC; what lies outside of the type's range saturates.
  init(sinceReferenceDate seconds: Double) {
    let nanoseconds = (seconds + 978_307_200) * 1e9
    self.init(nanoseconds: Int64(exactly: nanoseconds.rounded()) ?? (seconds > 0 ? .max : .min))
  }
}
