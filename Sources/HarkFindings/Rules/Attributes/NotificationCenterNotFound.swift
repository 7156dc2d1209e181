import HarkCore
import HarkDissection
import HarkSession

struct NotificationCenterNotFound: Rule {
  static let about = RuleDescription(
    id: "ancs.not-found", title: "ANCS was searched for, but not found",
    severity: .warning, needs: .notificationCenter,
    meaning:
      "The accessory gets no notifications. iOS offers the service only over an encrypted "
      + "link to a bonded accessory, and only while the user lets the accessory see "
      + "notifications.",
    source:
      "Apple, Apple Notification Center Service Specification: the service is not "
      + "guaranteed to be present, and needs authorization; Core Specification, Vol 3, Part "
      + "G, 4.4.2",
    fix:
      "Pair and encrypt first, then search. Name ANCS among the solicited services in "
      + "advertising (AD type 0x15), so that iOS offers to share notifications; subscribe to "
      + "Service Changed, and search again when it is indicated.")
  static let wants: Set<Event.Family> = [.controller, .link, .attribute, .accessory]

  private struct Search {
    let place: Place
    let isEncrypted: Bool
    /// Whether all services were asked for, and not ANCS by its name.
    var isOfAll = false
  }

  /// Services that only Apple's devices have: AMS and Continuity.
  private static let ofApple: Set<BluetoothUUID> = [
    AMS.service,
    BluetoothUUID(high: 0xD061_1E78_BBB4_4591, low: 0xA5F8_4879_10AE_4366),
    BluetoothUUID(high: 0x9FA4_80E0_4967_4542, low: 0x9390_D343_DC5D_04AE),
  ]
  private static let company: UInt16 = 0x004C
  private static let most = 1_024

  private var searches: [LinkID: Search] = [:]
  private var applePeers: Set<LinkID> = []
  /// Controllers whose advertising solicits ANCS, and the resulting links: the device that discovers services
  /// there looks for ANCS, too.
  private var soliciting: Set<UInt16> = []
  private var solicited: Set<LinkID> = []
  /// GAP and GATT are on each device: a client that knows fewer has not asked for all.
  private static let fewest = 2

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    if case .controller(.discovery(.advertisingStarted(let started))) = event.content,
      let controller = event.controller
    {
      if started.solicited?.contains(ANCS.service) == true {
        soliciting.insert(controller)
      } else {
        soliciting.remove(controller)
      }
    }
    guard let link = event.link else { return }
    switch event.content {
    case .link(.opened) where solicited.count < Self.most:
      guard let opened = session.link(event), opened.role == .peripheral,
        soliciting.contains(opened.controller)
      else { return }
      solicited.insert(link)
    case .attribute(.discovery(let it))
    where !it.isLocal && it.services >= Self.fewest && searches.count < Self.most:
      guard solicited.contains(link), searches[link]?.isOfAll ?? true else { return }
      let isEncrypted = session.link(event)?.isEncrypted ?? false
      searches[link] = Search(place: Place(event), isEncrypted: isEncrypted, isOfAll: true)
    case .link(.change(.peerVersion(let version)))
    where version.company == Self.company && applePeers.count < Self.most:
      applePeers.insert(link)
    case .attribute(.serviceNotFound(let it))
    where it.service == ANCS.service && searches.count < Self.most:
      let isEncrypted = session.link(event)?.isEncrypted ?? false
      searches[link] = Search(place: Place(event), isEncrypted: isEncrypted)
    // It came later.
    case .accessory(let accessory) where accessory.framing == "ANCS": searches[link] = nil
    case .link(.closed): judge(link, session, &report)
    default: break
    }
  }

  private mutating func judge(
    _ link: LinkID, _ session: borrowing Session, _ report: inout RuleReport
  ) {
    defer {
      applePeers.remove(link)
      solicited.remove(link)
    }
    guard let search = searches.removeValue(forKey: link) else { return }
    let services = services(link, session)
    guard !services.contains(ANCS.service) else { return }
    guard applePeers.contains(link) || !services.isDisjoint(with: Self.ofApple) else {
      return report.cannotTell(
        search.place, "the capture does not show whether Apple made the phone")
    }
    let what =
      search.isOfAll ? "ANCS was solicited, and services were discovered" : "ANCS was searched for"
    report.found(
      search.place,
      observed: search.isEncrypted
        ? "\(what) on an encrypted link, but the service is missing"
        : "\(what) on a link that was not encrypted",
      expected: search.isEncrypted
        ? "the service, once the user shares notifications with the accessory"
        : "encryption first, then the search",
      confidence: .likely, subject: search.isEncrypted ? "encrypted" : "plain")
  }

  /// Of the phone, whichever side the capture was made on.
  private func services(_ link: LinkID, _ session: borrowing Session) -> Set<BluetoothUUID> {
    let peer = session.device(of: link).map(Session.DatabaseKey.device) ?? .link(link)
    let local = Session.DatabaseKey.local(session.links[Int(link.index)].controller)
    let databases = [session.database(for: peer), session.database(for: local)]
    return Set(databases.compactMap { $0 }.flatMap { $0.services.values.compactMap(\.uuid) })
  }

  mutating func finish(_ session: borrowing Session, _ report: inout RuleReport) {
    for link in searches.keys.sorted(by: { $0.index < $1.index }) {
      judge(link, session, &report)
    }
  }
}
