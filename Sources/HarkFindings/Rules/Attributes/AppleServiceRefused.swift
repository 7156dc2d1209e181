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
      "ANCS: write commands in their exact form, request attributes only for notifications that have not been "
      + "removed, and actions only if the notification has the flag for them. AMS: subscribe to Entity Update "
      + "and write the attributes of an entity first, then read one; send only commands that Remote "
      + "Command lists as supported.")
  static let wants: Set<Event.Family> = [.accessory, .attribute]

  /// Unknown command, Invalid command, Invalid parameter, Action failed.
  private static let ofANCS: ClosedRange<UInt8> = 0xA0...0xA3

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    switch event.content {
    case .accessory:
      for case .refused(_, let error, let characteristic) in event.accessoryContents {
        found(event, session, "\(characteristic) \(error)", &report)
      }
    // A command that no one can read.
    case .attribute(.attError(let it))
    where it.uuid == ANCSService.controlPoint && Self.ofANCS.contains(it.error):
      found(event, session, "\(ANCSService.controlPoint) \(it.error)", &report)
    default: break
    }
  }

  private func found(
    _ event: Event, _ session: borrowing Session, _ subject: String, _ report: inout RuleReport
  ) {
    report.found(
      event, session, expected: "a request that the service accepts", subject: subject)
  }
}
