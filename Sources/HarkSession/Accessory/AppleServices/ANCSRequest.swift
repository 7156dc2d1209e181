import HarkCore
import HarkDissection

/// A request of the accessory that is answered over Data Source.
struct ANCSRequest: Sendable {
  var origin: MessageOrigin
  /// The first bytes of the answer: the CommandID, and the NotificationUID or the AppIdentifier.
  var prefix: [UInt8]
  var attributes: [UInt8]
  /// Whether a later request was answered before it, or it came before the subscription to Data Source.
  var isOvertaken = false

  /// Whether `bytes` begin its answer; a long AppIdentifier may continue in the next value.
  func isAnswered(by bytes: [UInt8]) -> Bool {
    !bytes.isEmpty && bytes.starts(with: prefix.prefix(bytes.count))
  }

  /// Reads a value of Control Point.
  /// - Parameter isAllKnown: Whether `known` has all notifications of the connection.
  /// - Returns: Its content, and the request, if it will be answered.
  static func read(
    _ value: VendorValue, _ origin: MessageOrigin,
    _ known: RecentValues<UInt32, ANCSNotification>, isAllKnown: Bool
  ) throws(FramingProblem) -> (ANCSRequest?, AccessoryContent) {
    let bytes = value.bytes
    let command = ANCSCommand(bytes.raw)
    func request() -> ANCSRequest {
      ANCSRequest(
        origin: origin, prefix: Array(bytes[command.subject]), attributes: command.attributes)
    }
    switch ANCSCommand.CommandID(rawValue: command.code) {
    case .getNotificationAttributes:
      try value.checkWhole(count: ANCSCommand.sizeWithUID, "NotificationUID", at: 1)
      if let octets = command.maximumLengthOctets {
        throw .tooShort(field: "Maximum Length", needed: 2, available: octets)
      }
      let identifier = notification(command, known).identifier
      return (request(), .request(.notificationAttributes(identifier, command.attributes)))
    case .getAppAttributes:
      guard let application = command.appIdentifier else {
        throw .missing(field: "the NUL after AppIdentifier")
      }
      let text = String(decoding: bytes[application], as: UTF8.self)
      return (request(), .request(.appAttributes(text, command.attributes)))
    case .performNotificationAction:
      try value.checkWhole(
        count: ANCSCommand.sizeWithAction, "ActionID", at: ANCSCommand.sizeWithUID)
      let notification = notification(command, known)
      let action = command.action ?? 0
      var response = NotificationResponse(
        identifier: notification.identifier, actionIdentifier: notification.action(action),
        userText: nil)
      // A NotificationUID is valid only while the connection lasts.
      response.doubt =
        isAllKnown && command.uid.map { known[$0] == nil } == true
        ? .notAnnounced : notification.doubt(action)
      return (nil, .response(response))
    case nil: throw .unknownType(command.code)
    }
  }

  private static func notification(
    _ command: ANCSCommand, _ known: RecentValues<UInt32, ANCSNotification>
  ) -> ANCSNotification {
    let uid = command.uid ?? 0
    return known[uid] ?? ANCSNotification(uid: uid)
  }
}
