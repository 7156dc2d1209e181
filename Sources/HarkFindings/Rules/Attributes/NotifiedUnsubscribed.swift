import HarkCore
import HarkDissection
import HarkSession

struct NotifiedUnsubscribed: Rule {
  static let about = RuleDescription(
    id: "link.notified-unsubscribed",
    title: "A server notifies a client without a subscription",
    severity: .warning, needs: .attributes,
    meaning:
      "The client may discard the values: many stacks pass on only what the app has subscribed to. "
      + "The values also cost energy and air time. Servers keep the subscriptions of bonded clients, so one may "
      + "precede the capture.",
    source: "Core Specification, Vol 3, Part G, 3.3.3.3 (Client Characteristic Configuration)",
    fix:
      "In the server, keep the Client Characteristic Configuration for each connection, set it to 0 "
      + "for a new device, and check it before notifying or indicating.")
  static let wants: Set<Event.Family> = [.link, .security, .attribute]

  private struct Notified: Hashable {
    let attribute: Attribute
    let isIndication: Bool
  }

  private struct Attribute: Hashable {
    let handle: UInt16
    /// Whether this host is the server.
    let isLocal: Bool
  }

  /// The first and the last value of a characteristic on a link.
  private struct Values {
    let first: Place
    var last: Place
  }

  /// What the capture shows of a configuration, from one packet on: before the first one, it is unknown.
  private struct Configuration {
    /// Of the request, which the server may carry out at once.
    let request: PacketID
    /// Of the answer.
    let packet: PacketID
    let time: Timestamp
    let bits: UInt16
    /// Whether the server stated it, confirmed it, or may have refused it.
    let source: Source

    enum Source { case read, written, requested }
  }

  /// So many different ones are enough for a finding.
  private static let most = 64
  /// How long values may be on their way after a client unsubscribed.
  private static let longestDelay = Int64.seconds(10)

  private var notified: [LinkID: [Notified: Values]] = [:]
  /// What each device, and this host from it, wrote to each descriptor of the other, or read from it, in order and
  /// without repetitions: a server has one for each client. To which characteristic it belongs may become known later.
  private var configured: [Owner: [Attribute: [Configuration]]] = [:]
  /// Devices that may be bonded: the server then keeps the configuration for the next connection.
  private var secured: Set<Owner> = []

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard let link = event.link else { return }
    switch event.content {
    case .attribute(.value(let value)): take(value, link, event, session)
    case .attribute(.repeated(let it)): take(it.value, link, event, session)
    case .attribute(.subscription(let it)): configure(it, .written, event, session)
    case .attribute(.requestUnanswered(let it)):
      if let it = it.subscription { configure(it, .requested, event, session) }
    case .security: secured.insert(Owner(event, session))
    case .link(.closed): judge(link, session, &report)
    default: break
    }
  }

  private mutating func take(
    _ value: AttributeEvent.Value, _ link: LinkID, _ event: Event, _ session: borrowing Session
  ) {
    if value.uuid?.is(.clientCharacteristicConfiguration) == true, !value.isPushed {
      // The defined bits are in the first octet.
      let bits = value.bytes.first.map { UInt16($0) } ?? .max
      let descriptor = Attribute(handle: value.handle, isLocal: value.isLocal)
      note(bits, .read, descriptor, event, session)
    } else if value.isPushed {
      note(value, link, event, session)
    }
  }

  private mutating func note(
    _ value: AttributeEvent.Value, _ link: LinkID, _ event: Event, _ session: borrowing Session
  ) {
    guard session.link(event)?.certainty == .seen else { return }
    let it = Notified(
      attribute: Attribute(handle: value.handle, isLocal: value.isLocal),
      isIndication: value.pdu == .handleValueIndication)
    if notified[link]?[it] != nil {
      notified[link]?[it]?.last = Place(event)
    } else if notified[link]?.count ?? 0 < Self.most {
      notified[link, default: [:]][it] = Values(first: Place(event), last: Place(event))
    }
  }

  private mutating func configure(
    _ it: AttributeEvent.Subscription, _ source: Configuration.Source, _ event: Event,
    _ session: borrowing Session
  ) {
    let descriptor = Attribute(handle: it.handle, isLocal: it.isLocal)
    note(it.bits, source, descriptor, event, session)
  }

  private mutating func note(
    _ bits: UInt16, _ source: Configuration.Source, _ descriptor: Attribute, _ event: Event,
    _ session: borrowing Session
  ) {
    let owner = Owner(event, session)
    var known = configured[owner]?[descriptor] ?? []
    guard known.last?.bits != bits || known.last?.source != source else { return }
    if known.count == Self.most { known.removeFirst() }
    known.append(
      Configuration(
        request: event.frames.first, packet: event.frames.last, time: event.time, bits: bits,
        source: source))
    configured[owner, default: [:]][descriptor] = known
  }

  private enum Verdict {
    case mayBeSubscribed
    /// Since this packet.
    case unsubscribed(PacketID)
    case unknown
  }

  private static func verdict(
    _ configurations: [Configuration], _ place: Place, bit: UInt16
  ) -> Verdict {
    var verdict = Verdict.unknown
    for it in configurations {
      if it.bits & bit != 0 {
        if it.request < place.lastFrame { verdict = .mayBeSubscribed }
        // A subscription that follows may repeat one that the capture lacks.
        if case .unknown = verdict { verdict = .mayBeSubscribed }
        continue
      }
      // The server may have refused a request without an answer.
      guard it.source != .requested, it.packet < place.lastFrame else { continue }
      if it.source == .read || place.time.since(it.time) > longestDelay {
        if case .unsubscribed = verdict { continue }
        verdict = .unsubscribed(it.packet)
      }
    }
    return verdict
  }

  private mutating func judge(
    _ link: LinkID, _ session: borrowing Session, _ report: inout RuleReport
  ) {
    guard let notified = notified.removeValue(forKey: link) else { return }
    let state = session.links[Int(link.index)]
    var descriptors: [Attribute: Attribute] = [:]
    for isLocal in [false, true] {
      guard
        let database = session.database(for: isLocal ? state.hostDatabase : state.peerDatabase)
      else { continue }
      for descriptor in database.descriptors.values
      where descriptor.uuid.is(.clientCharacteristicConfiguration) {
        guard let owner = database.characteristic(owning: descriptor.handle) else { continue }
        let characteristic = Attribute(handle: owner.handle, isLocal: isLocal)
        if descriptors[characteristic] == nil {
          descriptors[characteristic] = Attribute(handle: descriptor.handle, isLocal: isLocal)
        }
      }
    }
    let inOrder = notified.sorted {
      ($0.value.first.lastFrame, $0.key.attribute.handle)
        < ($1.value.first.lastFrame, $1.key.attribute.handle)
    }
    let owner = Owner(device: state.device.map { session.current($0) }, link: link)
    for (it, values) in inOrder {
      guard let descriptor = descriptors[it.attribute] else { continue }
      let known = configured[owner]?[descriptor] ?? []
      let what: FindingText = it.isIndication ? "indications" : "notifications"
      let (handle, isLocal) = (it.attribute.handle, it.attribute.isLocal)
      let place: FindingText = "\(isLocal ? "this host's " : "")attribute \(Names.hex(handle))"
      let subject = "\(isLocal ? "local " : "")\(handle)"
      let observed: FindingText =
        "\(what) of \(place), and the capture shows no subscription to \(what)"
      let bit: UInt16 = it.isIndication ? 2 : 1
      let first = Self.verdict(known, values.first, bit: bit)
      let last = Self.verdict(known, values.last, bit: bit)
      switch (first, last) {
      case (.unsubscribed(let packet), _):
        found(values.first, since: min(packet, state.opened), what, place, subject, &report)
      case (_, .unsubscribed(let packet)):
        found(values.last, since: min(packet, state.opened), what, place, subject, &report)
      case (.mayBeSubscribed, _), (_, .mayBeSubscribed): continue
      case (.unknown, .unknown) where secured.contains(owner) || state.isEncrypted:
        report.cannotTell(
          values.first, "\(observed): it may have been stored with a bond before the capture",
          cause: "a subscription may have been stored with a bond", subject: subject)
      case (.unknown, .unknown):
        report.missing(
          values.first, since: state.opened, observed: observed,
          expected:
            "\(what) after a write to the Client Characteristic Configuration that enables them",
          confidence: .possible, subject: subject)
      }
    }
  }

  /// The capture shows that the configuration of the characteristic did not enable them.
  private func found(
    _ place: Place, since start: PacketID, _ what: FindingText, _ attribute: FindingText,
    _ subject: String, _ report: inout RuleReport
  ) {
    report.missing(
      place, since: start,
      observed:
        "\(what) of \(attribute), although its configuration does not enable \(what)",
      expected:
        "\(what) after a write to the Client Characteristic Configuration that enables them",
      subject: subject)
  }

  mutating func finish(_ session: borrowing Session, _ report: inout RuleReport) {
    for link in notified.keys.sorted(by: { $0.index < $1.index }) { judge(link, session, &report) }
  }
}
