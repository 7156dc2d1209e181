import HarkSession

extension Event.Lane {
  /// Its name, the same in every output, option and filter.
  public var name: String { rawValue }

  /// The columns of the longest name.
  static let nameWidth = allCases.map(\.name.utf8.count).max() ?? 0

  /// The name, and its meaning where the name alone is not clear.
  public var described: String {
    let meaning: StaticString? =
      switch self {
      case .host: "controller"
      case .pairing: "pairing, encryption"
      case .sdp: "BR/EDR services"
      case .call: "Hands-Free"
      case .audio: "media streams and remote control"
      case .keys: "key exchange"
      case .notification: "to the accessory"
      case .reply: "from it"
      case .configuration: "state and settings"
      case .app: "the app's side, from --app-log"
      case .gap: "missing or damaged data"
      case .finding: "findings of hark's rules"
      case .link, .l2cap, .rfcomm, .iap2, .gatt, .session, .note: nil
      }
    return name + (meaning.map { " (\($0))" } ?? "")
  }

  var role: Style.Role {
    switch self {
    case .host, .note, .app: .host
    case .link, .l2cap: .link
    case .pairing, .keys: .security
    case .sdp, .rfcomm, .call, .audio, .iap2, .gatt, .session, .configuration: .data
    case .notification: .message
    case .reply: .reply
    case .gap, .finding: .warning
    }
  }
}
