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

  /// Nil where it is no message, or one that stays locked.
  var keyUse: KeyUse? {
    guard case .accessory(let event) = content, case .message(let message) = event.content else {
      return nil
    }
    return message.opened?.keyUse
  }

  /// Reports of an audio accessory's configuration.
  var configurations: [AccessoryControlDevice.Report] {
    accessoryContents.compactMap { content in
      if case .configuration(let report) = content { report } else { nil }
    }
  }
}
