import HarkSession

/// The XPC connections in lines of libxpc, which writes the same words for both ends and for listeners:
/// `[0x104e08c30] activating connection: mach=true listener=false peer=false name=com.apple.cfprefsd.daemon`. Only a
/// connection with `peer=true` was accepted; one that a process opened to a service of the system ends without meaning
/// anything for accessories.
struct XPCConnections {
  private enum End {
    case accepted
    case opened(isOfAccessories: Bool)
  }

  /// Parts of words by which a connection is recognized, in lower case.
  static let words = [start, peer, client] + accessories
  private static let (start, peer, client) = ("[0x", "peer=true", "client process")
  /// In the names of services for accessories.
  private static let accessories = ["accessory", "bluetooth", "deviceaccess", "extension"]

  private var ends: [String: End] = [:]
  private static let most = 4_096

  /// What a line means; `kind` for a line that is not of libxpc.
  mutating func kind(_ record: LogRecord, _ kind: AppEvent.Kind) -> AppEvent.Kind {
    switch kind {
    case .connectionAccepted where record.message.utf8Contains("activating connection"):
      return activated(record)
    case .connectionInvalidated, .connectionInterrupted:
      guard let key = Self.key(record) else { return kind }
      let end = kind == .connectionInvalidated ? ends.removeValue(forKey: key) : ends[key]
      switch end {
      case .accepted: return kind
      case .opened(let isOfAccessories):
        return isOfAccessories && kind == .connectionInterrupted ? kind : .line
      case nil:
        // Only the end that accepted has a client.
        let isPeer = kind == .connectionInterrupted || record.message.utf8Contains(Self.client)
        return isPeer ? kind : .line
      }
    default: return kind
    }
  }

  private mutating func activated(_ record: LogRecord) -> AppEvent.Kind {
    let isPeer = record.message.utf8Contains(Self.peer)
    if let key = Self.key(record), ends[key] != nil || ends.count < Self.most {
      let message = record.message.lowercased()
      let isOfAccessories = Self.accessories.contains { message.utf8Contains($0) }
      ends[key] = isPeer ? .accepted : .opened(isOfAccessories: isOfAccessories)
    }
    return isPeer ? .connectionAccepted : .line
  }

  /// The connection of a line: its address, in its process; nil if the line does not begin with one.
  private static func key(_ record: LogRecord) -> String? {
    guard record.message.hasPrefix(Self.start) else { return nil }
    let address = record.message.prefix { $0 != "]" }
    guard address.utf8.count <= 24 else { return nil }
    return "\(record.process ?? "") \(record.pid ?? 0) \(address)"
  }
}
