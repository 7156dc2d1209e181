import HarkSession

/// The rows that the page draws for each device: lanes of the timeline that belong together.
enum PageLane: UInt8, CaseIterable, Sendable {
  case link, security, transport, attributes, audio, configuration, notifications, app, findings,
    capture

  init(_ lane: Event.Lane) {
    self =
      switch lane {
      case .host, .link: .link
      case .pairing, .keys: .security
      case .l2cap, .sdp, .rfcomm, .iap2, .session: .transport
      case .gatt: .attributes
      case .call, .audio: .audio
      case .configuration: .configuration
      case .notification, .reply: .notifications
      case .app: .app
      case .finding: .findings
      case .note, .gap: .capture
      }
  }

  /// What the page calls it.
  var name: StaticString {
    switch self {
    case .link: "link"
    case .security: "security"
    case .transport: "transport"
    case .attributes: "attributes"
    case .audio: "audio"
    case .configuration: "configuration"
    case .notifications: "notifications"
    case .app: "app"
    case .findings: "findings"
    case .capture: "capture"
    }
  }
}
