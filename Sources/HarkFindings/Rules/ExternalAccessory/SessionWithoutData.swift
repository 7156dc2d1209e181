import HarkCore
import HarkSession

struct SessionWithoutData: Rule {
  static let about = RuleDescription(
    id: "ea.no-data", title: "An External Accessory session carried no data",
    severity: .warning, needs: .externalAccessory,
    meaning:
      "The app opened the session, but no data passed: its streams are not open or not "
      + "scheduled in a run loop, or the accessory never accepted the session.",
    source:
      "Apple, External Accessory: EASession.inputStream and outputStream; openradar 36104979; "
      + "iAP2 messages EA00, EA03",
    fix:
      "Open both streams and schedule them in an active run loop; on the accessory, answer "
      + "StartExternalAccessoryProtocolSession with its status, then send.")
  static let wants: Set<Event.Family> = [.iap2, .accessory]

  /// Sessions that the accessory refused, by link: another rule reports them.
  private var refused = RecentValues<Refused, Bool>(capacity: 256)

  private struct Refused: Hashable {
    let link: LinkID?
    let session: UInt16
  }

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    if case .iap2(.externalAccessory(.open(let it))) = event.content {
      refused.set(Refused(link: event.link, session: it.eaSession.sessionIdentifier), false)
    }
    if case .iap2(.externalAccessory(.status(let it))) = event.content {
      refused.set(
        Refused(link: event.link, session: it.eaSession.sessionIdentifier), !it.isAccepted)
    }
    if case .iap2(.externalAccessory(.close(let it))) = event.content,
      it.traffic.sent + it.traffic.received == 0,
      refused[Refused(link: event.link, session: it.eaSession.sessionIdentifier)] != true
    {
      let name = it.eaSession.words.text
      report.missingAtEnd(
        event, session,
        observed: "\(name) without a byte in either direction"
          + (it.isTaken ? "" : "; the accessory never accepted it"),
        expected: "data from the app or the accessory", confidence: .certain,
        subject: name)
    }
    for case .externalAccessory(let it, .close(toAccessory: 0, fromAccessory: 0))
      in event.accessoryContents
    {
      let name = it.words.text
      report.missing(
        Place(event), observed: "\(name) without a byte in either direction",
        expected: "data from the app or the accessory", confidence: .certain,
        subject: name)
    }
  }
}
