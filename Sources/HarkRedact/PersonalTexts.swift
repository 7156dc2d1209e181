import HarkCore
import HarkSession

extension AccessoryContent {
  /// What people wrote, in it.
  var personalTexts: [String] {
    switch self {
    case .add(let notification), .update(let notification), .present(let notification):
      return [
        notification.title, notification.subtitle, notification.body, notification.summary,
      ].compactMap { $0 }
    case .response(let response): return [response.userText].compactMap { $0 }
    case .refused(let content, _, _): return content.personalTexts
    default: return []
    }
  }
}

extension PacketKind {
  /// Whether it is what somebody's program says of itself.
  var isText: Bool {
    switch self {
    case .systemNote, .userLogging, .note, .config, .newController, .systemLog, .kernelLog, .error,
      .power:
      true
    default: false
    }
  }
}
