import HarkCrypto
import HarkSession

// What rules ask of events again and again.
extension Event {
  /// What a message says, sealed or not.
  var accessoryContents: [AccessoryContent] {
    guard case .accessory(let event) = content else { return [] }
    switch event.content {
    case .plain(let message): return message.contents
    case .message(let message): return message.opened?.decoded.contents ?? []
    default: return []
    }
  }

  /// Nil if it is no message, or one that stays locked.
  var keyUse: KeyUse? {
    guard case .accessory(let event) = content, case .message(let message) = event.content else {
      return nil
    }
    return message.opened?.keyUse
  }

  /// What is said about an audio accessory's configuration: reports of vendors' framings, and the app's calls
  /// of AudioAccessoryKit.
  var configurations: [AccessoryControlDevice.Report] {
    if let app { return app.configuration.map { [$0] } ?? [] }
    return accessoryContents.compactMap { content in
      if case .configuration(let report) = content { report } else { nil }
    }
  }
}

/// The identifier of a receipt. The sender of a message chooses it: both sides of a link may count, and start again on
/// each link.
struct ReceiptID: Hashable, Sendable {
  let link: LinkID?
  /// Of what no link carries.
  let device: DeviceID?
  /// The side that expects the receipt.
  let sender: MessageDirection
  let id: String

  init(_ id: String, expectedBy sender: MessageDirection, _ event: Event) {
    link = event.link
    device = event.link == nil ? event.device : nil
    (self.sender, self.id) = (sender, id.uppercased())
  }
}

/// A notification of one phone on one accessory: another accessory has the same notification with the same identifier.
struct OwnedNotification: Hashable, Sendable {
  let owner: Owner
  let name: String

  init(
    _ id: AccessoryNotification.Identifier, _ event: Event, _ session: borrowing Session
  ) {
    (owner, name) = (Owner(event, session), id.words.text)
  }
}

/// A session. A UUID names the same one everywhere, any other name only one of its device.
struct SessionName: Hashable, Sendable {
  /// Nil also in an app's log, which does not name the device.
  let owner: Owner?
  let id: String

  private init(_ owner: Owner?, _ id: String) { (self.owner, self.id) = (owner, id) }

  init(_ id: String, _ event: Event, _ session: borrowing Session) {
    owner = event.app != nil || TransportMessage.isUUID(id) ? nil : Owner(event, session)
    self.id = id.uppercased()
  }

  /// As an app's log names it.
  var inLogs: SessionName { SessionName(nil, id) }

  /// Whether both may be the same session.
  func matches(_ other: SessionName) -> Bool {
    id == other.id && (owner == other.owner || owner == nil || other.owner == nil)
  }
}
