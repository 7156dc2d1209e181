import HarkCore
import HarkCrypto

/// What a channel remembers of messages, so that later ones can be said to answer them. Bounded: a
/// capture may not fill the memory with ids.
struct AccessoryMemory: Sendable {
  struct PendingReceipt: Sendable {
    var subject: Acceptance.Subject
    var moment: EarlierMoment
    /// Of the step whose receipt completes the exchange.
    var generation: Int?
    var exchangeID: String?
  }

  /// Longer ids are not remembered.
  static let longestID = 255

  /// By their identifiers: what carried their last message.
  private var sessions = RecentValues<String, Link.Transport?>(capacity: 256)
  private var receipts = RecentValues<String, PendingReceipt>(capacity: 1024)
  private var notifications = RecentValues<String, EarlierMoment>(capacity: 1024)
  private var commands = RecentValues<String, EarlierMoment>(capacity: 1024)
  var offers = NotificationOffers()
  private var configuration = ConfigurationMemory()
  private var externalAccessory = RecentValues<UInt16, ExternalAccessory>(capacity: 64)

  private struct ExternalAccessory: Sendable {
    var session: EASession
    var toAccessory = 0
    var fromAccessory = 0
  }

  /// Remembers what carries a session's message, and returns what this reveals about the session.
  /// - Parameter transport: Nil if a link of unknown kind carries it, or no link.
  mutating func note(
    session: String, over transport: Link.Transport?
  ) -> AccessoryEvent.Content? {
    let key = String(decoding: session.utf8.prefix(Self.longestID), as: UTF8.self).uppercased()
    guard let before = sessions[key] else {
      sessions.set(key, transport)
      return .sessionSeen(SessionSeen(sessionID: session))
    }
    guard let transport, transport != before else { return nil }
    sessions.set(key, transport)
    guard let before else { return nil }
    return .sessionMoved(SessionMoved(sessionID: session, from: before, to: transport))
  }

  mutating func expect(_ receipt: PendingReceipt, id: String?) {
    guard let id, id.utf8.count <= Self.longestID else { return }
    receipts.set(id.uppercased(), receipt)
  }

  func receipt(_ id: String) -> PendingReceipt? {
    id.utf8.count <= Self.longestID ? receipts[id.uppercased()] : nil
  }

  /// Remembers a message and finds the one it is about: the notification shown before, the command
  /// answered.
  mutating func relate(
    _ decoded: DecodedPlaintext, _ origin: MessageOrigin
  ) -> EarlierMessage? {
    var earlier: EarlierMoment?
    let now = EarlierMoment(origin)
    for content in decoded.contents {
      switch content {
      case .add(let notification), .update(let notification), .present(let notification):
        guard let key = key(notification.identifier) else { continue }
        earlier = notifications.set(key, now)
      case .remove(let identifier):
        earlier = key(identifier).flatMap { notifications[$0] }
      case .clear(let identifier), .displayed(let identifier, _):
        earlier = key(identifier).flatMap { notifications[$0] }
        remember(command: decoded.id, now)
      case .response(let response):
        earlier = key(response.identifier).flatMap { notifications[$0] }
        remember(command: decoded.id, now)
      case .commandResult(let id, _, _):
        earlier = command(id)
      case .failure(let failure): earlier = failure.commandID.flatMap(command)
      case .liveActivity(let activity, _):
        guard let key = key(activity) else { continue }
        earlier = notifications.set(key, now)
      case .removeAllNotifications, .application, .request, .refused, .media, .configuration,
        .externalAccessory, .transport, .security, .networkSharing, .greeting:
        break
      }
    }
    return earlier?.answered(by: origin)
  }

  /// Completes what a message says by what was said before.
  mutating func complete(_ contents: inout [AccessoryContent], _ origin: MessageOrigin) {
    for index in contents.indices {
      switch contents[index] {
      case .configuration(var report):
        configuration.take(&report, by: origin.direction, in: origin.frames.last)
        contents[index] = .configuration(report)
      case .externalAccessory(let session, let message):
        contents[index] = externalAccessory(session, message, origin.direction)
      default: break
      }
    }
  }

  private mutating func externalAccessory(
    _ session: EASession, _ message: EASession.Message, _ direction: MessageDirection
  ) -> AccessoryContent {
    let id = session.sessionIdentifier
    var known = ExternalAccessory(session: session)
    if message != .open, let earlier = externalAccessory[id] {
      known = earlier
      known.session.protocolIdentifier =
        session.protocolIdentifier ?? known.session.protocolIdentifier
      known.session.protocolString = session.protocolString ?? known.session.protocolString
    }
    var message = message
    switch message {
    case .open, .status: break
    case .data(let count):
      if direction == .hostToAccessory {
        known.toAccessory += count
      } else {
        known.fromAccessory += count
      }
    case .close:
      message = .close(toAccessory: known.toAccessory, fromAccessory: known.fromAccessory)
    }
    externalAccessory.set(id, known)
    return .externalAccessory(known.session, message)
  }

  private mutating func remember(command id: String?, _ moment: EarlierMoment) {
    guard let id, id.utf8.count <= Self.longestID else { return }
    commands.set(id.uppercased(), moment)
  }

  private func command(_ id: String) -> EarlierMoment? {
    id.utf8.count <= Self.longestID ? commands[id.uppercased()] : nil
  }

  /// Another than every notification's.
  private func key(_ activity: AccessoryLiveActivity) -> String? {
    guard let identifier = activity.identifier else { return nil }
    let key = "live \(identifier)"
    return key.utf8.count <= 2 * Self.longestID ? key : nil
  }

  private func key(_ identifier: AccessoryNotification.Identifier?) -> String? {
    guard let identifier else { return nil }
    let source = identifier.sourceIdentifier ?? ""
    let key = "\(source.utf8.count):\(source)\(identifier.notificationIdentifier)"
    return key.utf8.count <= 2 * Self.longestID ? key : nil
  }
}
