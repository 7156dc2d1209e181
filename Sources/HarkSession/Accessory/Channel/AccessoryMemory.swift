import HarkCore
import HarkCrypto

/// What a channel remembers of one client's messages, so that later ones can be said to answer them. Bounded: a
/// capture may not fill the memory with ids.
struct AccessoryMemory: Sendable {
  struct PendingReceipt: Sendable {
    var subject: Acceptance.Subject
    var moment: EarlierMoment
    /// Of the step whose receipt completes the exchange.
    var generation: Int?
    var exchangeID: String?
  }

  /// An id that one side chose. Both sides may count, and start again on each link.
  private struct SenderID: Hashable {
    let link: UInt32
    let sender: MessageDirection
    let id: String
  }

  /// Longer ids are not remembered.
  static let longestID = 255

  private var receipts = RecentValues<SenderID, PendingReceipt>(capacity: 1024)
  private var notifications = RecentValues<String, EarlierMoment>(capacity: 1024)
  private var commands = RecentValues<SenderID, EarlierMoment>(capacity: 1024)
  var offers = NotificationOffers()
  var interrupted = InterruptedMessages()
  private var configuration = ConfigurationMemory()
  private var externalAccessory = RecentValues<UInt16, ExternalAccessory>(capacity: 64)

  private struct ExternalAccessory: Sendable {
    var session: EASession
    var toAccessory = 0
    var fromAccessory = 0
  }

  mutating func expect(
    _ receipt: PendingReceipt, id: String?, from sender: MessageDirection, on link: UInt32
  ) {
    guard let key = Self.key(id, sender, link) else { return }
    receipts.set(key, receipt)
  }

  /// What its sender expects a receipt with this id for.
  func receipt(_ id: String, of sender: MessageDirection, on link: UInt32) -> PendingReceipt? {
    Self.key(id, sender, link).flatMap { receipts[$0] }
  }

  private static func key(
    _ id: String?, _ sender: MessageDirection, _ link: UInt32
  ) -> SenderID? {
    guard let id, id.utf8.count <= longestID else { return nil }
    return SenderID(link: link, sender: sender, id: id.uppercased())
  }

  /// Remembers a message and finds the one it is about: the notification shown before, the command
  /// answered.
  mutating func relate(
    _ decoded: DecodedPlaintext, _ origin: MessageOrigin, _ link: UInt32
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
        remember(command: decoded.id, now, origin, link)
      case .response(let response):
        earlier = key(response.identifier).flatMap { notifications[$0] }
        remember(command: decoded.id, now, origin, link)
      case .commandResult(let id, _, _):
        earlier = command(id, answeredBy: origin, link)
      case .failure(let failure):
        earlier = command(failure.commandID, answeredBy: origin, link)
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

  private mutating func remember(
    command id: String?, _ moment: EarlierMoment, _ origin: MessageOrigin, _ link: UInt32
  ) {
    guard let key = Self.key(id, origin.direction, link) else { return }
    commands.set(key, moment)
  }

  /// The command of the other side with this id.
  private func command(
    _ id: String?, answeredBy origin: MessageOrigin, _ link: UInt32
  ) -> EarlierMoment? {
    Self.key(id, origin.direction.opposite, link).flatMap { commands[$0] }
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
