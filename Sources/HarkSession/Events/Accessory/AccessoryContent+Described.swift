import HarkCore
import HarkCrypto
import HarkDissection

// The meaning of messages for the receiver.
extension AccessoryContent {
  /// - Parameter type: The role of the type in a comparison. The content of a refused message does not distinguish
  ///   steps.
  package func describe(type: EventRole = .identity, to sink: inout some EventSink) {
    switch self {
    case .add(let notification):
      sink.word("type", "add", type)
      notification.describe(to: &sink)
    case .update(let notification):
      sink.word("type", "update", type)
      notification.describe(to: &sink)
    case .present(let notification):
      sink.word("type", "present", type)
      notification.describe(to: &sink)
    case .remove(let identifier):
      sink.word("type", "remove", type)
      identifier.describe(to: &sink)
    case .removeAllNotifications: sink.word("type", "remove-all", type)
    case .response(let response):
      sink.word("type", "response", type)
      response.describe(to: &sink)
    case .clear(let identifier):
      sink.word("type", "clear", type)
      identifier.describe(to: &sink)
    case .displayed(let identifier, let didAlert):
      sink.word("type", "displayed", type)
      identifier.describe(to: &sink)
      sink.flag("did_alert", didAlert)
    case .commandResult(let id, let success, let message):
      sink.word("type", "command-result", type)
      sink.identifier("command", id)
      sink.flag("success", success)
      sink.text("message", message)
    case .application(let application, let name):
      sink.word("type", "application", type)
      sink.product("source_identifier", application)
      sink.identifier("source", name)
    case .request(let request): request.describe(type: type, to: &sink)
    case .refused(let content, let error, let characteristic):
      sink.word("type", "refused", type)
      sink.number("error", error)
      sink.word("error_name", AssignedNumbers.attError(error, of: characteristic))
      sink.object("refused") { content.describe(type: .incidental, to: &$0) }
    case .media(let message): message.describe(type: type, to: &sink)
    case .configuration(let report): report.describe(to: &sink)
    case .externalAccessory(let session, let message): message.describe(of: session, to: &sink)
    case .transport(let event, let session): event.describe(of: session, to: &sink)
    case .security(let event, let session): event.describe(of: session, to: &sink)
    case .networkSharing(let event): event.describe(to: &sink)
    case .liveActivity(let activity, let step): activity.describe(step, type, to: &sink)
    case .greeting(let greeting): greeting.describe(type, to: &sink)
    case .failure(let failure): failure.describe(type, to: &sink)
    }
  }

  /// - Parameters:
  ///   - answers: The message that it refers to.
  ///   - direction: The direction of the message.
  func words(
    _ answers: EarlierMessage?, from direction: MessageDirection = .hostToAccessory
  ) -> EventSentence {
    switch self {
    case .add(let notification): return "new \(notification.words)"
    case .update(let notification): return "updated \(notification.words)"
    case .present(let notification): return notification.words
    case .remove(let identifier): return "notification \(identifier.words) removed"
    case .removeAllNotifications: return "all notifications removed"
    case .response(let response): return "\(response.words)\(answers.words)"
    case .clear(let identifier):
      return "user dismissed \(identifier.words) on the accessory\(answers.words)"
    case .displayed(let identifier, let didAlert):
      let manner = didAlert.map { $0 ? " and alerted" : " without alerting" } ?? ""
      return "accessory shows \(identifier.words)\(manner)\(answers.words)"
    case .commandResult(_, let success, let message):
      let who = direction == .hostToAccessory ? "phone" : "accessory"
      let stated: EventSentence = message.isEmpty ? "" : ": “\(personal: message)”"
      return "\(who) \(success ? "reports success" : "reports failure")\(stated)\(answers.words)"
    case .application(let identifier, let name):
      let name: EventSentence = name.map { "“\(personal: $0)”" } ?? "an unreported name"
      return "\(personal: identifier) is called \(name)\(answers.words)"
    case .request(let request): return request.words
    case .refused(let content, let error, let characteristic):
      return "\(content.words(nil)); phone refuses: \(Names.attError(error, characteristic))"
    case .media(let message): return "\(message.words)\(answers.words)"
    case .configuration(let report): return report.words
    case .externalAccessory(let session, let message): return message.words(of: session)
    case .transport(let event, let session): return event.words(of: session)
    case .security(let event, let session): return event.words(of: session)
    case .networkSharing(let event): return event.words
    case .liveActivity(let activity, let step): return "\(activity.words(step))\(answers.words)"
    case .greeting(let greeting): return greeting.words(from: direction)
    case .failure(let failure): return "\(failure.words(from: direction))\(answers.words)"
    }
  }

  /// Nil if the direction determines it.
  var ownLane: Event.Lane? {
    switch self {
    case .configuration: .configuration
    case .externalAccessory, .transport, .security, .networkSharing: .session
    case .add, .update, .present, .remove, .removeAllNotifications, .response, .clear, .displayed,
      .commandResult, .application, .request, .refused, .media, .liveActivity, .greeting, .failure:
      nil
    }
  }

  var topics: Topics {
    switch self {
    case .add, .update, .present, .remove, .removeAllNotifications, .response, .clear, .displayed:
      .notifications
    case .configuration: .configuration
    case .externalAccessory: .externalAccessory
    case .transport: .sessions
    case .security: .keyExchange
    case .networkSharing: .networkSharing
    case .commandResult, .application, .request, .refused, .media, .liveActivity, .greeting,
      .failure:
      []
    }
  }
}

// MARK: Sessions

extension EASession.Message {
  func describe(of session: EASession, to sink: inout some EventSink) {
    sink.word("type", type, .identity)
    sink.number("session_identifier", session.sessionIdentifier, .incidental)
    sink.number("protocol_identifier", session.protocolIdentifier, .incidental)
    sink.product("protocol", session.protocolString, .parameter)
    switch self {
    case .open: break
    case .status(let isAccepted): sink.flag("accepted", isAccepted)
    case .data(let count): sink.number("size", count, .incidental)
    case .close(let toAccessory, let fromAccessory):
      sink.number("to_accessory", toAccessory, .incidental)
      sink.number("from_accessory", fromAccessory, .incidental)
    }
  }

  private var type: String {
    switch self {
    case .open: "external-accessory-open"
    case .status: "external-accessory-status"
    case .data: "external-accessory-data"
    case .close: "external-accessory-close"
    }
  }

  func words(of session: EASession) -> EventSentence {
    switch self {
    case .open: "\(session.words) opened"
    case .status(let isAccepted):
      "\(session.words) \(isAccepted ? "accepted" : "refused") by the accessory"
    case .data(let count): "\(session.words): \(Names.count(count, "byte"))"
    case .close(let toAccessory, let fromAccessory):
      """
      \(session.words) closed after \(Names.count(toAccessory, "byte")) to the accessory, \
      \(fromAccessory) from it
      """
    }
  }
}

extension AccessoryTransportSession.Event {
  func describe(of session: String?, to sink: inout some EventSink) {
    let type: String
    switch self {
    case .sessionRequest: type = "transport-session-request"
    case .decision(.accept): type = "transport-accept"
    case .decision(.reject(let error)):
      type = "transport-reject"
      sink.word("error", error?.rawValue)
    case .completed(let result):
      type = "transport-completed"
      sink.word("error", result.error?.rawValue)
    case .cancel(let error):
      type = "transport-cancel"
      sink.word("error", error?.rawValue)
    case .sessionInvalidated(let error):
      type = "transport-session-invalidated"
      sink.word("error", error?.rawValue)
    case .dataEvent, .messageReceived, .sendMessageToDataProvider: type = "transport-message"
    }
    sink.word("type", type, .identity)
    sink.identifier("session", session)
    guard case .dataEvent(let data) = self else { return }
    sink.word("data_kind", data.isEncrypted ? "ciphertext" : "plaintext")
    sink.number("size", data.message.data.count, .incidental)
  }

  func words(of session: String?) -> EventSentence {
    let name: EventSentence = "transport session\(session.map { " \(personal: $0)" } ?? "")"
    return switch self {
    case .sessionRequest: "\(name) requested"
    case .decision(.accept): "\(name) accepted"
    case .decision(.reject(let error)): "\(name) rejected\(because(error?.rawValue))"
    case .completed(let result): "message of \(name) \(result.words)"
    case .cancel(let error): "\(name) cancelled\(because(error?.rawValue))"
    case .sessionInvalidated(let error): "\(name) invalidated\(because(error?.rawValue))"
    case .dataEvent(let data):
      """
      \(Names.count(data.message.data.count, "byte")) for \(name), \
      \(data.isEncrypted ? "ciphertext" : "plaintext")
      """
    case .messageReceived(let message), .sendMessageToDataProvider(let message):
      "message of \(name), \(Names.count(message.data.count, "byte"))"
    }
  }
}

extension AccessorySecuritySession.Event {
  func describe(of session: String?, to sink: inout some EventSink) {
    let type: String
    switch self {
    case .sessionRequest: type = "security-session-request"
    case .decision(.accept): type = "security-accept"
    case .decision(.reject(let error)):
      type = "security-reject"
      sink.word("error", error?.rawValue)
    case .completed(let result):
      type = "security-completed"
      sink.word("error", result.error?.rawValue)
    case .cancel(let error):
      type = "security-cancel"
      sink.word("error", error?.rawValue)
    case .sessionInvalidated(let error):
      type = "security-session-invalidated"
      sink.word("error", error?.rawValue)
    case .sendSecurityMessage, .messageReceived: type = "security-message"
    }
    sink.word("type", type, .identity)
    sink.identifier("session", session)
  }

  func words(of session: String?) -> EventSentence {
    let name: EventSentence = "security session\(session.map { " \(personal: $0)" } ?? "")"
    return switch self {
    case .sessionRequest: "\(name) requested"
    case .decision(.accept): "\(name) accepted"
    case .decision(.reject(let error)): "\(name) rejected\(because(error?.rawValue))"
    case .completed(let result): "message of \(name) \(result.words)"
    case .cancel(let error): "\(name) cancelled\(because(error?.rawValue))"
    case .sessionInvalidated(let error): "\(name) invalidated\(because(error?.rawValue))"
    case .sendSecurityMessage(let message), .messageReceived(let message):
      "message of \(name), \(message.keyType.rawValue)"
    }
  }
}

/// The error of a session that `invalidated` ends says no more than the event.
private func because(_ error: String?) -> String {
  error.flatMap { $0 == "invalidated" ? nil : ": \($0)" } ?? ""
}

extension AccessoryMessage.Result {
  fileprivate var error: AccessoryMessage.Error? {
    if case .failure(let error) = self { error } else { nil }
  }

  fileprivate var words: String {
    switch self {
    case .success: "completed"
    case .failure(let error): "not completed: \(error.rawValue)"
    }
  }
}

// MARK: Wi-Fi sharing

extension WINetworkSharing.Event {
  func describe(to sink: inout some EventSink) {
    switch self {
    case .failed(let error):
      sink.word("type", "wifi-error", .identity)
      sink.word("error", error.rawValue)
    case .network(let network):
      sink.word("type", "wifi-network", .identity)
      sink.text("ssid", network.ssid)
      sink.flag("is_ssid_broadcast", network.isSSIDBroadcast, .incidental)
      sink.words("security_policy", network.securityPolicy, .incidental)
      sink.word("credentials", network.credentials?.rawValue, .incidental)
    }
  }

  var words: EventSentence {
    switch self {
    case .failed(let error): return "Wi-Fi sharing fails: \(error.rawValue)"
    case .network(let network):
      var parts: [String] = []
      if network.isSSIDBroadcast == false { parts.append("hidden") }
      if !network.securityPolicy.isEmpty {
        parts.append("securityPolicy \(network.securityPolicy.joined(separator: ", "))")
      }
      if let credentials = network.credentials {
        let shown = credentials == .none ? "" : " (not shown)"
        parts.append("credentials \(credentials.rawValue)\(shown)")
      }
      let rest = parts.isEmpty ? "" : ": \(parts.joined(separator: ", "))"
      return "shares the Wi-Fi network “\(personal: network.ssid)”\(rest)"
    }
  }
}
