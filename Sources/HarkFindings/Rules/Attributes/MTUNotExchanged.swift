import HarkCore
import HarkSession

struct MTUNotExchanged: Rule {
  static let about = RuleDescription(
    id: "link.mtu-not-exchanged",
    title: "Values fill the default MTU, but no MTU exchange was requested",
    severity: .info, needs: .attributes,
    meaning:
      "Each packet carries 20 bytes where 182 to 514 would fit: transfers take many times "
      + "as long, and longer values are lost or truncated.",
    source: "Core Specification, Vol 3, Part F, 3.2.8 (ATT_MTU), 3.4.2 (MTU exchange)",
    fix:
      "Send ATT_EXCHANGE_MTU_REQ from the client after the connection, and use the "
      + "negotiated value. iOS sends it automatically. On Android, an app has to call requestMtu() (since "
      + "Android 14, the first call requests 517 whatever its value is); other clients must send it, too."
  )
  static let wants: Set<Event.Family> = [.link, .attribute]

  private struct Bearer {
    var full = 0
    var place: Place
  }

  /// So many values of exactly 20 bytes are no accident.
  private static let few = 4

  private var bearers: [LinkID: Bearer] = [:]
  /// Links on which an exchange was requested, with any result.
  private var asked = RecentValues<LinkID, Bool>(capacity: 256)

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard let link = event.link else { return }
    switch event.content {
    case .attribute(.value(let value)): count(value, 1, link, event, session)
    case .attribute(.repeated(let it)): count(it.value, it.times, link, event, session)
    case .attribute(.mtu): tookPlace(link)
    case .attribute(.attError(let it)): if it.pdu == .exchangeMTURequest { tookPlace(link) }
    case .attribute(.requestTimeout(let it)): if it.pdu == .exchangeMTURequest { tookPlace(link) }
    case .attribute(.requestUnanswered(let it)):
      if it.pdu == .exchangeMTURequest { tookPlace(link) }
    case .link(.closed): judge(link, &report)
    default: break
    }
  }

  private mutating func tookPlace(_ link: LinkID) {
    asked.set(link, true)
    bearers[link] = nil
  }

  private mutating func count(
    _ value: AttributeEvent.Value, _ times: Int, _ link: LinkID, _ event: Event,
    _ session: borrowing Session
  ) {
    guard asked[link] == nil, value.count == 20, value.pdu.sizeBeforeValue != nil,
      let state = session.link(event), state.transport == .le, state.mtu == 23,
      state.certainty == .seen
    else { return }
    bearers[link, default: Bearer(place: Place(event))].full += times
  }

  private mutating func judge(_ link: LinkID, _ report: inout RuleReport) {
    guard let bearer = bearers.removeValue(forKey: link), bearer.full >= Self.few else { return }
    report.missing(
      bearer.place,
      observed: "values of exactly 20 bytes, but no ATT_EXCHANGE_MTU_REQ",
      expected: "an MTU exchange before values of this length", confidence: .possible)
  }

  mutating func finish(_ session: borrowing Session, _ report: inout RuleReport) {
    for link in bearers.keys.sorted(by: { $0.index < $1.index }) { judge(link, &report) }
  }
}
