import HarkCore
import HarkDissection
import HarkSession

struct AppleServiceRefused: Rule {
  static let about = RuleDescription(
    id: "ancs.request-refused", title: "The phone refuses a request to ANCS or AMS",
    severity: .warning, needs: [.notificationCenter, .accessoryMessages],
    meaning:
      "The accessory gets no details of the notification or the media, or its action has no effect.",
    source:
      "Apple Notification Center Service, Error Codes (0xA0 to 0xA3); Apple Media Service, Error Codes (0xA0 to "
      + "0xA2)",
    fix:
      "ANCS: write commands in their exact form and numbers least significant byte first, request attributes only "
      + "for notifications that have not been removed, and actions only if the notification has the flag for them. "
      + "AMS: subscribe to Entity Update and write the attributes of an entity first, then read one; send only "
      + "commands that Remote Command lists as supported.")
  static let wants: Set<Event.Family> = [.accessory, .attribute]

  /// Unknown command, Invalid command, Invalid parameter, Action failed.
  private static let ofANCS: ClosedRange<UInt8> = 0xA0...0xA3

  private struct Announced: Hashable, Sendable {
    let owner: Owner
    let uid: UInt32
  }

  /// Where the phone last announced a notification.
  private var announced = RecentValues<Announced, PacketID>(capacity: 1024)

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    switch event.content {
    case .accessory:
      for content in event.accessoryContents {
        switch content {
        case .add(let notification), .update(let notification):
          guard let uid = notification.identifier?.uid else { continue }
          announced.set(Announced(owner: Owner(event, session), uid: uid), event.frames.last)
        case .refused(let request, let error, let characteristic):
          if let uid = request.uid, isReversed(uid, event, session, &report) { continue }
          found(event, session, "\(characteristic) \(error)", &report)
        default: break
        }
      }
    // A command that no one can read.
    case .attribute(.attError(let it))
    where it.uuid == ANCSService.controlPoint && Self.ofANCS.contains(it.error):
      found(event, session, "\(ANCSService.controlPoint) \(it.error)", &report)
    default: break
    }
  }

  /// Reports a number that was not announced, but would have been with its bytes in reverse order.
  private func isReversed(
    _ uid: UInt32, _ event: Event, _ session: borrowing Session, _ report: inout RuleReport
  ) -> Bool {
    let owner = Owner(event, session)
    guard announced[Announced(owner: owner, uid: uid)] == nil,
      let packet = announced[Announced(owner: owner, uid: uid.byteSwapped)]
    else { return false }
    report.found(
      event, session,
      observed: "request for NotificationUID \(uid), which was not announced; with its bytes in "
        + "reverse order, it is \(uid.byteSwapped), which was",
      expected: "a NotificationUID with its least significant byte first", confidence: .likely,
      subject: "byte order", frames: [packet])
    return true
  }

  private func found(
    _ event: Event, _ session: borrowing Session, _ subject: String, _ report: inout RuleReport
  ) {
    report.found(
      event, session, expected: "a request that the service accepts", subject: subject)
  }
}

extension AccessoryNotification.Identifier {
  /// The number that ANCS gives a notification.
  fileprivate var uid: UInt32? { UInt32(notificationIdentifier) }
}

extension AccessoryContent {
  /// The number of the notification that a request to ANCS names.
  fileprivate var uid: UInt32? {
    switch self {
    case .request(.notificationAttributes(let identifier, _)): identifier.uid
    case .response(let response): response.identifier.uid
    default: nil
    }
  }
}
