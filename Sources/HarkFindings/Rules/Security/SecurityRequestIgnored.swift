import HarkCore
import HarkDissection
import HarkSession

struct SecurityRequestIgnored: Rule {
  static let about = RuleDescription(
    id: "link.security-request-ignored", title: "The Central does not react to a Security Request",
    severity: .warning, needs: .pairing,
    meaning:
      "The Peripheral requests pairing or encryption, and the Central neither starts it nor refuses: "
      + "everything that needs an encrypted link stays unavailable, and the Peripheral may not ask again.",
    source:
      "Core Specification, Vol 3, Part H, 2.4.6 (Security Request), 3.4 (Security Manager timer, 30 s)",
    fix:
      "In the Central, start pairing, encrypt the link with the key of the bond, or answer with Pairing Failed. "
      + "In a Peripheral for iPhones, refuse requests for protected attributes with Insufficient Authentication "
      + "instead, as Apple's Accessory Design Guidelines require.")
  static let wants: Set<Event.Family> = [.link, .security]

  private static let most = 256
  private var asked: [LinkID: Place] = [:]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard let link = event.link else { return }
    switch event.content {
    case .security(.pairing(.securityRequested)):
      // A link that is already encrypted needs no more; and sniffers miss what the Central did.
      guard asked[link] == nil, asked.count < Self.most, let state = session.link(event),
        state.air == nil, !state.isEncrypted
      else { return }
      asked[link] = Place(event)
    case .security: asked[link] = nil
    case .link(.closed): judge(link, at: event.time, &report)
    default: break
    }
  }

  private mutating func judge(_ link: LinkID, at time: Timestamp, _ report: inout RuleReport) {
    guard let place = asked.removeValue(forKey: link),
      report.isOver(Int64.seconds(30), since: place, at: time)
    else { return }
    // If the clock was set, `missing` reports only that.
    let waited = time.since(place.time)
    report.missing(
      place,
      observed: "no pairing, encryption or Pairing Failed for \(public: Names.duration(waited))",
      expected: "a reaction of the Central within 30 s")
  }

  mutating func finish(_ session: borrowing Session, _ report: inout RuleReport) {
    for link in asked.keys.sorted(by: { $0.index < $1.index }) {
      guard let end = session.counts.lastTime else { return }
      judge(link, at: end, &report)
    }
  }
}
