import HarkCore

/// A request of the accessory that is answered over Data Source.
struct ANCSRequest: Sendable {
  var origin: MessageOrigin
  /// What the answer begins with: the CommandID, and the NotificationUID or the AppIdentifier.
  var prefix: [UInt8]
  var attributes: [UInt8]

  /// Whether `bytes` begin its answer; a long AppIdentifier may go on in the next value.
  func isAnswered(by bytes: [UInt8]) -> Bool {
    !bytes.isEmpty && bytes.starts(with: prefix.prefix(bytes.count))
  }

  /// Reads a value of Control Point.
  /// - Returns: What it says, and the request, if it is one that is answered.
  static func read(
    _ value: VendorValue, _ origin: MessageOrigin,
    _ known: RecentValues<UInt32, ANCSNotification>
  ) throws(FramingProblem) -> (ANCSRequest?, AccessoryContent) {
    let bytes = value.bytes
    switch bytes[0] {
    case 0:
      try value.checkWhole(count: 5, "NotificationUID")
      let attributes = try notificationAttributes(bytes)
      let identifier = notification(bytes, known).identifier
      return (
        ANCSRequest(origin: origin, prefix: Array(bytes.prefix(5)), attributes: attributes),
        .request(.notificationAttributes(identifier, attributes))
      )
    case 1:
      guard let end = bytes.dropFirst().firstIndex(of: 0) else {
        throw .missing(field: "the NUL behind AppIdentifier")
      }
      let attributes = Array(bytes[(end + 1)...])
      let application = String(decoding: bytes[1..<end], as: UTF8.self)
      return (
        ANCSRequest(origin: origin, prefix: Array(bytes.prefix(end + 1)), attributes: attributes),
        .request(.appAttributes(application, attributes))
      )
    case 2:
      try value.checkWhole(count: 6, "ActionID")
      let notification = notification(bytes, known)
      let action = notification.action(bytes[5])
      return (
        nil,
        .response(
          NotificationResponse(
            identifier: notification.identifier, actionIdentifier: action, userText: nil))
      )
    default: throw .unknownType(bytes[0])
    }
  }

  private static func notification(
    _ bytes: [UInt8], _ known: RecentValues<UInt32, ANCSNotification>
  ) -> ANCSNotification {
    let uid = UInt32(truncatingIfNeeded: bytes.raw.unsigned(at: 1, 4))
    return known[uid] ?? ANCSNotification(uid: uid)
  }

  private static func notificationAttributes(
    _ bytes: [UInt8]
  ) throws(FramingProblem) -> [UInt8] {
    var attributes: [UInt8] = []
    var offset = 5
    while offset < bytes.count {
      attributes.append(bytes[offset])
      // Title, Subtitle and Message come with the length the accessory has room for.
      let size = 1...3 ~= bytes[offset] ? 3 : 1
      guard bytes.count - offset >= size else {
        throw .tooShort(field: "Maximum Length", needed: 2, available: bytes.count - offset - 1)
      }
      offset += size
    }
    return attributes
  }
}
