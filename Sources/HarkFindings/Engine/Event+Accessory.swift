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
