import HarkCore
import HarkDissection
import HarkSession

struct NotifiedUnsubscribed: Rule {
  static let about = RuleDescription(
    id: "link.notified-unsubscribed",
    title: "A server notifies a client that did not subscribe",
    severity: .warning, needs: .attributes,
    meaning:
      "The client may discard the values: many stacks pass on only what the app has subscribed to. "
      + "The values also cost energy and air time.",
    source: "Core Specification, Vol 3, Part G, 3.3.3.3 (Client Characteristic Configuration)",
    fix:
      "In the server, keep the Client Characteristic Configuration for each connection, set it to 0 "
      + "for a new device, and check it before notifying or indicating.")
  static let wants: Set<Event.Family> = [.link, .security, .attribute]

  private struct Notified: Hashable {
    let handle: UInt16
    let isIndication: Bool
  }

  /// So many different ones are enough for a finding.
  private static let most = 64

  /// The first value of each characteristic on the links that are open.
  private var notified: [LinkID: [Notified: Place]] = [:]
  /// The bits that were ever written to each descriptor of a server, or read from it. To which characteristic it belongs
  /// may become known later.
  private var configured: [Owner: [UInt16: UInt16]] = [:]
  /// Devices that may be bonded: the server then keeps the configuration for the next connection.
  private var secured: Set<Owner> = []

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard let link = event.link else { return }
    switch event.content {
    case .attribute(.value(let value)): take(value, link, event, session)
    case .attribute(.repeated(let it)): take(it.value, link, event, session)
    case .attribute(.subscription(let it)): configure(it, event, session)
    case .attribute(.requestUnanswered(let it)):
      if let it = it.subscription { configure(it, event, session) }
    case .security: secured.insert(Owner(event, session))
    case .link(.closed): judge(link, session, &report)
    default: break
    }
  }

  private mutating func take(
    _ value: AttributeEvent.Value, _ link: LinkID, _ event: Event, _ session: borrowing Session
  ) {
    if !value.isLocal, value.uuid?.is(.clientCharacteristicConfiguration) == true {
      // What it contains was subscribed before.
      configured[Owner(event, session), default: [:]][value.handle, default: 0] |= .max
    } else {
      note(value, link, event, session)
    }
  }

  private mutating func note(
    _ value: AttributeEvent.Value, _ link: LinkID, _ event: Event, _ session: borrowing Session
  ) {
    guard !value.isLocal,
      value.pdu == .handleValueNotification || value.pdu == .handleValueIndication,
      session.link(event)?.certainty == .seen, notified[link]?.count ?? 0 < Self.most
    else { return }
    let it = Notified(
      handle: value.handle, isIndication: value.pdu == .handleValueIndication)
    if notified[link]?[it] == nil { notified[link, default: [:]][it] = Place(event) }
  }

  private mutating func configure(
    _ it: AttributeEvent.Subscription, _ event: Event, _ session: borrowing Session
  ) {
    guard !it.isLocal else { return }
    configured[Owner(event, session), default: [:]][it.handle, default: 0] |= it.bits
  }

  private mutating func judge(
    _ link: LinkID, _ session: borrowing Session, _ report: inout RuleReport
  ) {
    guard let notified = notified.removeValue(forKey: link) else { return }
    let state = session.links[Int(link.index)]
    guard let database = session.database(for: state.peerDatabase) else { return }
    let descriptors = Dictionary(
      database.descriptors.values.lazy
        .filter { $0.uuid.is(.clientCharacteristicConfiguration) }
        .compactMap { descriptor in
          database.characteristic(owning: descriptor.handle).map { ($0.handle, descriptor.handle) }
        }, uniquingKeysWith: { first, _ in first })
    let inOrder = notified.sorted {
      ($0.value.lastFrame, $0.key.handle) < ($1.value.lastFrame, $1.key.handle)
    }
    for (it, place) in inOrder {
      guard let descriptor = descriptors[it.handle] else { continue }
      let owner = Owner(device: state.device.map { session.current($0) }, link: link)
      let bits = configured[owner]?[descriptor]
      // A value may be on its way when the client unsubscribes.
      guard bits != 0, (bits ?? 0) & (it.isIndication ? 2 : 1) == 0 else { continue }
      let what: FindingText = it.isIndication ? "indications" : "notifications"
      let observed: FindingText =
        "\(what) of attribute \(Names.hex(it.handle)) without a subscription to \(what)"
      if secured.contains(owner) || state.isEncrypted {
        report.cannotTell(
          place, "\(observed): a subscription may have been stored with a bond",
          cause: "a subscription may have been stored with a bond", subject: "\(it.handle)")
      } else {
        report.missing(
          place, since: state.opened, observed: observed,
          expected:
            "\(what) after a write to the Client Characteristic Configuration that enables them",
          subject: "\(it.handle)")
      }
    }
  }

  mutating func finish(_ session: borrowing Session, _ report: inout RuleReport) {
    for link in notified.keys.sorted(by: { $0.index < $1.index }) { judge(link, session, &report) }
  }
}
