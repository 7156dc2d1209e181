import HarkReport
import HarkSession

extension Event {
  /// What the event is about.
  var topics: Topics {
    if let described = content.described { return described.kind.topics }
    return switch content {
    case .serviceNotFound(NotificationCenterNotFound.service, _):
      [.attributes, .notificationCenter]
    case .accessory(let event): topics(of: event)
    default: topicsOfLane
    }
  }

  private var topicsOfLane: Topics {
    switch lane {
    case .link: .links
    case .pairing: [.links, .pairing]
    case .l2cap, .sdp, .rfcomm: .channels
    case .gatt: .attributes
    default: []
    }
  }

  private func topics(of event: AccessoryEvent) -> Topics {
    var topics: Topics = .accessoryMessages
    switch event.content {
    case .publicKey, .encapsulatedKey, .exposedKey, .keyExchangeComplete:
      topics.insert(.keyExchange)
    case .message(let message):
      topics.insert(.sealedMessages)
      if message.opened != nil { topics.insert(.openedMessages) }
    default: break
    }
    if event.origin.writeCommands > 0 { topics.insert(.attributes) }
    if event.framing == "ANCS" { topics.formUnion([.attributes, .notificationCenter]) }
    for content in accessoryContents { topics.formUnion(content.topics) }
    return topics
  }
}

extension AccessoryContent {
  fileprivate var topics: Topics {
    switch self {
    case .add, .update, .present, .remove, .removeAllNotifications, .response, .clear, .displayed:
      .notifications
    case .configuration: .configuration
    case .externalAccessory: .externalAccessory
    case .transport: .sessions
    case .security: .keyExchange
    case .networkSharing: .networkSharing
    default: []
    }
  }
}
