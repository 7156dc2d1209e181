import HarkReport
import HarkSession

/// What captures tell of. A rule judges only where one of its topics came up: of what is not in a
/// capture, nothing is right or wrong.
public struct Topics: OptionSet, Sendable {
  public let rawValue: UInt32

  public init(rawValue: UInt32) { self.rawValue = rawValue }

  static let links = Topics(rawValue: 1 << 0)
  /// Connections heard on the air: elsewhere nothing is encrypted by the link.
  static let air = Topics(rawValue: 1 << 1)
  static let pairing = Topics(rawValue: 1 << 2)
  /// L2CAP channels that are not fixed, and what RFCOMM carries.
  static let channels = Topics(rawValue: 1 << 3)
  static let attributes = Topics(rawValue: 1 << 4)
  /// The Apple Notification Center Service, or a search for it.
  static let notificationCenter = Topics(rawValue: 1 << 5)
  static let keyExchange = Topics(rawValue: 1 << 6)
  static let accessoryMessages = Topics(rawValue: 1 << 7)
  static let sealedMessages = Topics(rawValue: 1 << 8)
  /// Sealed messages that a key opens.
  static let openedMessages = Topics(rawValue: 1 << 9)
  static let notifications = Topics(rawValue: 1 << 10)
  static let sessions = Topics(rawValue: 1 << 11)
  /// Of audio accessories, as AudioAccessoryKit has it.
  static let configuration = Topics(rawValue: 1 << 12)
  static let networkSharing = Topics(rawValue: 1 << 13)
  static let externalAccessory = Topics(rawValue: 1 << 14)
  /// The Apple Accessory Protocol of headphones.
  static let accessoryProtocol = Topics(rawValue: 1 << 15)
  /// Of A2DP.
  static let media = Topics(rawValue: 1 << 16)
  static let isochronous = Topics(rawValue: 1 << 17)
  /// Of LE Audio.
  static let endpoints = Topics(rawValue: 1 << 18)
  static let calls = Topics(rawValue: 1 << 19)
  static let logs = Topics(rawValue: 1 << 20)
  static let declaration = Topics(rawValue: 1 << 21)

  /// What people call them, in the order of telling.
  private static let names: [(topic: Topics, name: String)] = [
    (.links, "links"), (.air, "connections heard on the air"), (.pairing, "pairing"),
    (.channels, "L2CAP channels"), (.attributes, "attributes"),
    (.notificationCenter, "ANCS"), (.keyExchange, "key exchange"),
    (.accessoryMessages, "accessory messages"), (.sealedMessages, "sealed messages"),
    (.openedMessages, "sealed messages that a key opens"), (.notifications, "notifications"),
    (.sessions, "transport sessions"),
    (.configuration, "configuration of an audio accessory"),
    (.networkSharing, "Wi-Fi sharing"), (.externalAccessory, "External Accessory"),
    (.accessoryProtocol, "Apple Accessory Protocol"), (.media, "A2DP streams"),
    (.isochronous, "isochronous streams"), (.endpoints, "LE Audio endpoints"),
    (.calls, "Hands-Free calls"), (.logs, "logs of the app's side (--app-log)"),
    (.declaration, "declarations of an app (--app-info)"),
  ]

  var names: [String] { Self.names.filter { contains($0.topic) }.map(\.name) }

  /// What an encrypted link does not hide.
  private static let inTheClear: Topics = [.links, .air, .pairing, .logs, .declaration]
  /// What sealed messages say.
  private static let inMessages: Topics = [
    .notifications, .sessions, .configuration, .networkSharing,
  ]

  /// Whether some of them may be behind encryption of a link.
  var canBeLocked: Bool { !subtracting(Self.inTheClear).isEmpty }
  /// Whether some of them may be in messages that no key opens.
  var canBeSealed: Bool { !isDisjoint(with: Self.inMessages) }
}

extension Event {
  /// What the event is about.
  var topics: Topics {
    switch content {
    case .linkLayer(.locked), .linkLayer(.opened): [.air, .pairing]
    case .linkLayer: [.air, .links]
    case .serviceNotFound(NotificationCenterNotFound.service, _):
      [.attributes, .notificationCenter]
    case .isochronous: .isochronous
    case .leAudio(.capabilities), .leAudio(.operation), .leAudio(.accepted), .leAudio(.refused),
      .leAudio(.endpoint), .leAudio(.streamEnded):
      [.attributes, .endpoints]
    case .leAudio: .attributes
    case .handsFree: .calls
    case .audio: .media
    case .accessoryProtocol: .accessoryProtocol
    case .audioSourceNotCleared: .configuration
    case .iap2: .externalAccessory
    case .app(let app): app.topics
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

extension AppEvent {
  fileprivate var topics: Topics {
    switch kind {
    case .clock: []
    case .declaration: .declaration
    case .sessionRequested, .sessionAccepted, .sessionRejected, .sessionCancelled,
      .sessionInvalidated, .transportMessage, .messageResult:
      [.logs, .sessions]
    case .securityMessage: [.logs, .keyExchange]
    case .eaSessionOpened, .eaSessionClosed, .eaStreamError: [.logs, .externalAccessory]
    case .configurationRegistered, .configurationUpdated, .configurationFailed:
      [.logs, .configuration]
    default: .logs
    }
  }
}
