import HarkSession

/// The rows that the page draws for each device: related lanes of the timeline.
enum PageLane: UInt8, CaseIterable, Sendable {
  case link, security, transport, gatt, audio, configuration, messages, app, finding, capture

  init(_ lane: Event.Lane) {
    self =
      switch lane {
      case .host, .link: .link
      case .pairing, .keys: .security
      case .l2cap, .sdp, .rfcomm, .iap2, .session: .transport
      case .gatt: .gatt
      case .call, .audio: .audio
      case .configuration: .configuration
      case .notification, .reply: .messages
      case .app: .app
      case .finding: .finding
      case .note, .gap: .capture
      }
  }

  /// The page's name for it.
  var name: StaticString {
    switch self {
    case .link: "link"
    case .security: "security"
    case .transport: "transport"
    case .gatt: "gatt"
    case .audio: "audio"
    case .configuration: "configuration"
    case .messages: "messages"
    case .app: "app"
    case .finding: "finding"
    case .capture: "capture"
    }
  }
}
