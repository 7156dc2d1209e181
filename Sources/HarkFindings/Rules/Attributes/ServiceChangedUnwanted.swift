import HarkDissection
import HarkSession

struct ServiceChangedUnwanted: Rule {
  static let about = RuleDescription(
    id: "ancs.service-changed-unwanted",
    title: "ANCS is used without a subscription to Service Changed",
    severity: .info, needs: .notificationCenter,
    meaning:
      "iOS offers ANCS only to bonded accessories that may see notifications, and removes "
      + "it when the user forbids it: without Service Changed, the accessory does not notice.",
    source:
      "Apple, Apple Notification Center Service Specification: the service may come and go, "
      + "watch Service Changed; Core Specification, Vol 3, Part G, 7.1",
    fix:
      "Subscribe to Service Changed (0x2A05) of the phone after pairing, and discover again when "
      + "it arrives."
  )
  static let wants: Set<Event.Family> = [.link, .security, .attribute, .accessory]

  private var uses: [LinkID: Place] = [:]
  private var subscribed: Set<LinkID> = []
  private var paired: Set<LinkID> = []

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard let link = event.link else { return }
    switch event.content {
    case .attribute(.subscription(let it)):
      if it.uuid?.is(.serviceChanged) == true { subscribed.insert(link) }
    // It may have been.
    case .attribute(.requestUnanswered(let it)):
      if it.subscription?.uuid?.is(.serviceChanged) == true { subscribed.insert(link) }
    case .security(.pairing(.complete)): paired.insert(link)
    case .accessory(let accessory) where accessory.framing == "ANCS":
      if uses[link] == nil { uses[link] = Place(event) }
    case .link(.closed): judge(link, &report)
    default: break
    }
  }

  private mutating func judge(_ link: LinkID, _ report: inout RuleReport) {
    defer {
      subscribed.remove(link)
      paired.remove(link)
    }
    guard let use = uses.removeValue(forKey: link), !subscribed.contains(link) else { return }
    guard paired.contains(link) else {
      return report.cannotTell(
        use,
        "the capture has no pairing on this link: the subscription may be stored with the bond")
    }
    report.missing(
      use, observed: "no subscription to Service Changed on a link that uses ANCS",
      expected: "a subscription to Service Changed")
  }

  mutating func finish(_ session: borrowing Session, _ report: inout RuleReport) {
    for link in uses.keys.sorted(by: { $0.index < $1.index }) { judge(link, &report) }
  }
}
