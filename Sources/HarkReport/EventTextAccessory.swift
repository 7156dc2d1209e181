import HarkCore
import HarkCrypto
import HarkSession

// Apple's accessory messages, whatever framing a vendor gave them.
extension EventText {
  static func accessory(_ event: AccessoryEvent) -> String {
    switch event.content {
    case .publicKey(let key): return publicKey(key, event.direction)
    case .encapsulatedKey(let key): return encapsulatedKey(key)
    case .exposedKey(let key):
      return "the private key of public key \(key.fingerprint) (\(key.suite.name)) travels in the "
        + "clear: whoever has this capture can read every message"
    case .keyExchangeComplete(let completion):
      return "key exchange complete: key generation \(completion.generation) confirmed after "
        + Names.duration(completion.latency)
    case .sessionSeen(let id):
      return id.isEmpty
        ? "first message of a session that is not named" : "first message of session \(id)"
    case .message(let message): return self.message(message, event.direction)
    case .plain(let message): return plain(message, event.direction)
    case .observation(let observation, _): return observation.description
    case .accepted(let acceptance): return accepted(acceptance, event.direction)
    case .flowControl(let control): return flowControl(control)
    case .incomplete(let gap):
      if case .noAnswer(let reason) = gap {
        return "the request of #\(event.frames.last?.number ?? 0) was never answered; "
          + cause(reason)
      }
      return "message lost, \(Names.count(event.origin.size, "byte")) of it came: \(self.gap(gap))"
    case .unreadable(let message):
      return "message of \(Names.count(event.origin.size, "byte")) cannot be read: "
        + problem(message.problem)
    }
  }

  // MARK: Keys

  private static func publicKey(_ key: PublicKeyEvent, _ direction: MessageDirection) -> String {
    let message = key.step.message
    var text = direction == .accessoryToHost ? "accessory announces" : "phone brings"
    text += " public key \(key.fingerprint) (\(message.cipherSuite.name)"
    text += ", \(Names.count(message.key.count, "byte")))"
    if let old = key.replaces { text += ", before it was \(old)" }
    if let defect = key.defect { return text + ": \(defect)" }
    return text
      + (key.hasPrivateKey
        ? "; its private key is known"
        : "; its private key is not known: give it with --keys to read messages")
  }

  private static func encapsulatedKey(_ key: EncapsulatedKeyEvent) -> String {
    let message = key.step.message
    var text = "phone sends encapsulated key (\(message.cipherSuite.name)"
    text += ", \(Names.count(message.key.count, "byte")))"
    if let publicKey = key.publicKey { text += " for public key \(publicKey)" }
    if let packet = key.repeats {
      text += ": the same as in #\(packet.number), a retry"
    } else {
      text += ": key generation \(key.generation) begins"
      if let old = key.replaces { text += ", generation \(old) ends" }
    }
    if let identifier = message.identifier { text += "; identifier \(identifier)" }
    if let defect = key.defect { text += "; it cannot be one: \(defect)" }
    return text
  }

  // MARK: Messages

  private static func way(_ direction: MessageDirection) -> String {
    direction == .hostToAccessory ? "to the accessory" : "from the accessory"
  }

  /// Whose message of how many bytes it is.
  private static func head(
    _ message: TransportedMessage, _ direction: MessageDirection
  ) -> String {
    "message \(way(direction)), \(Names.count(message.size, "byte")), "
      + (message.sessionID.isEmpty ? "no session named" : "session \(message.sessionID)")
  }

  /// Of a sealed message that others can open.
  package static func withheld(
    _ message: TransportedMessage, _ direction: MessageDirection
  ) -> String {
    head(message, direction) + ": opens with its key, and what it says is left out"
  }

  private static func message(
    _ message: TransportedMessage, _ direction: MessageDirection
  ) -> String {
    let way = way(direction)
    switch message.outcome {
    case .locked(let verdict):
      var text = "locked \(head(message, direction)): \(verdict)"
      // A tag alone cannot tell a key that was never shown from damage; this can.
      if case .tagFails = verdict, !message.followsKeyOnLink {
        text +=
          "; no encapsulated key came on this link before it: it may be sealed with one "
          + "that the capture does not hold"
      }
      return text
    case .opened(let opened):
      var text = opened.decoded.contents.map { content($0, opened.answers, from: direction) }
        .joined(separator: "; ")
      if text.isEmpty {
        text = "message \(way) opened, \(Names.count(opened.size, "byte"))"
        if opened.decoded.problem == nil { text += " of unknown meaning" }
      }
      if let problem = opened.decoded.problem { text += "; \(self.problem(problem))" }
      if !opened.keyUse.deviations.isEmpty { text += "; \(opened.keyUse.summary)" }
      if !message.followsKeyOnLink {
        text +=
          "; sent before any encapsulated key on this link: an accessory that forgot its "
          + "keys cannot read it"
      }
      return text
    }
  }

  /// What `direction`'s sender says, and what it refers to.
  static func content(
    _ content: AccessoryContent, _ answers: EarlierMessage?,
    from direction: MessageDirection = .hostToAccessory
  ) -> String {
    switch content {
    case .add(let notification): "new " + self.notification(notification)
    case .update(let notification): "updated " + self.notification(notification)
    case .present(let notification): self.notification(notification)
    case .remove(let identifier): "notification \(name(identifier)) removed"
    case .removeAllNotifications: "all notifications removed"
    case .response(let response): self.response(response) + since(answers)
    case .clear(let identifier):
      "user dismissed \(name(identifier)) on the accessory" + since(answers)
    case .displayed(let identifier, let didAlert):
      "accessory shows \(name(identifier))"
        + (didAlert.map { $0 ? " and alerted" : " without alerting" } ?? "")
        + since(answers)
    case .commandResult(_, let success, let message):
      (direction == .hostToAccessory ? "phone " : "accessory ")
        + (success ? "has done it" : "could not do it")
        + (message.isEmpty ? "" : ": “\(message)”") + since(answers)
    case .application(let identifier, let name):
      "\(identifier) is called "
        + (name.map { "“\($0)”" } ?? "nothing the phone tells") + since(answers)
    case .request(let request): self.request(request)
    case .refused(let content, let error, let characteristic):
      refused(content, error, characteristic)
    case .media(let message): media(message) + since(answers)
    case .configuration(let report): configuration(report)
    case .externalAccessory(let session, let message): externalAccessory(session, message)
    case .transport(let event, let session): transport(event, session)
    case .security(let event, let session): security(event, session)
    case .networkSharing(let event): networkSharing(event)
    }
  }

  static func since(_ earlier: EarlierMessage?) -> String {
    earlier.map { ", \(Names.duration($0.latency)) after #\($0.packet.number)" } ?? ""
  }

  private static func response(_ response: NotificationResponse) -> String {
    var text = "user answered \(name(response.identifier))"
    if let action = response.actionIdentifier { text += " with “\(action)”" }
    if let typed = response.userText, !typed.isEmpty { text += ": “\(typed)”" }
    return text
  }

  package static func name(_ identifier: AccessoryNotification.Identifier) -> String {
    identifier.notificationIdentifier
      + (identifier.sourceIdentifier.map { " of \($0)" } ?? "")
  }

  // MARK: Receipts

  private static func accepted(
    _ acceptance: Acceptance, _ direction: MessageDirection
  ) -> String {
    let who = direction == .accessoryToHost ? "accessory" : "phone"
    let what =
      switch acceptance.subject {
      case .message: "the message"
      case .key(let phase): phase.map { "the key (\($0.rawValue))" } ?? "the key"
      case nil: "\(acceptance.receiptID), which the capture does not show"
      }
    return "\(who) has \(what)" + since(acceptance.answers)
  }

  private static func flowControl(_ control: FlowControl) -> String {
    switch control {
    case .confirmed(let slices, let slowest):
      "all \(Names.count(slices, "slice")) confirmed, the slowest after \(Names.duration(slowest))"
    case .unconfirmed(_, let waited, let reason):
      "a slice was never confirmed: "
        + (waited > 0 ? "the sender went on after \(Names.duration(waited))" : cause(reason))
    case .lateReceipt(_, let latency):
      "a slice was confirmed too late, after \(Names.duration(latency))"
    case .unknownReceipt: "a receipt came for a slice that the capture does not show"
    case .receiverReady: "receiver is ready: the sender begins its message anew"
    }
  }

  static func cause(_ reason: Interruption) -> String {
    switch reason {
    case .linkClosed: "the link closed"
    case .captureEnded: "the capture ended"
    case .startedAgain: "the sender began another message"
    }
  }
}

extension AccessoryEvent {
  var lane: Event.Lane {
    let messages: Event.Lane = direction == .hostToAccessory ? .notification : .reply
    return switch content {
    case .publicKey, .encapsulatedKey, .exposedKey, .keyExchangeComplete: .keys
    case .sessionSeen, .accepted, .flowControl, .observation: .session
    case .plain(let message): message.lane(direction)
    case .incomplete(.noAnswer): .session
    case .message(let message):
      message.opened?.decoded.contents.first?.ownLane ?? messages
    case .incomplete, .unreadable: messages
    }
  }
}
