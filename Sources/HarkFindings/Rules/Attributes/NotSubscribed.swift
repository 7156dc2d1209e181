import HarkDissection
import HarkSession

struct NotSubscribed: Rule {
  static let about = RuleDescription(
    id: "link.not-subscribed",
    title: "The capture shows no subscription to a service that notifies",
    severity: .info, needs: .attributes,
    meaning:
      "If the server has no subscription from an earlier connection of a bonded client, the accessory's "
      + "notifications do not arrive; some accessories send their public key only to subscribers, so no key "
      + "exchange starts.",
    source: "Core Specification, Vol 3, Part G, 3.3.3.3 (Client Characteristic Configuration)",
    fix:
      "Before the first write, enable every characteristic that notifies or indicates (write its Client "
      + "Characteristic Configuration; CoreBluetooth does so in setNotifyValue, and on Android, the app has "
      + "to write the descriptor), and wait for the response.")
  static let wants: Set<Event.Family> = [.link, .security, .attribute]

  private struct Discovered {
    let place: Place
    let key: Session.DatabaseKey
    /// Encryption precedes the report that pairing is complete.
    var wasBonded: Bool
  }

  private var links: [LinkID: Discovered] = [:]
  private var paired: Set<LinkID> = []

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard let link = event.link else { return }
    switch event.content {
    case .attribute(.discovery(let it)):
      guard it.characteristics > 0, links[link] == nil, let state = session.link(event),
        state.certainty == .seen
      else { return }
      let key: Session.DatabaseKey =
        it.isLocal ? .local(state.controller) : state.peerDatabase
      links[link] = Discovered(
        place: Place(event), key: key, wasBonded: state.isEncrypted && !paired.contains(link))
    case .security(.pairing(.complete)):
      paired.insert(link)
      links[link]?.wasBonded = false
    case .security(.encryption(let encryption)) where encryption.isOn:
      links[link]?.wasBonded = !paired.contains(link)
    case .link(.closed):
      if let it = links.removeValue(forKey: link) { judge(it, session, &report) }
      paired.remove(link)
    default: break
    }
  }

  private func judge(
    _ it: Discovered, isAtEnd: Bool = false, _ session: borrowing Session,
    _ report: inout RuleReport
  ) {
    guard let database = session.database(for: it.key) else { return }
    let uses = database.uses
    for service in database.services.values.sorted(by: { $0.start < $1.start }) {
      // Of services that the SIG defines clients take what they want.
      guard let uuid = service.uuid, uuid.short == nil else { continue }
      let range = service.start...max(service.start, service.end)
      let own = database.characteristics.values.filter { range.contains($0.handle) }
      let notifying = own.filter {
        !CharacteristicProperties(rawValue: $0.properties).isDisjoint(with: [.notify, .indicate])
      }
      let isWritten = own.contains { (uses[$0.handle]?.writes ?? 0) > 0 }
      let isHeard = notifying.contains {
        (uses[$0.handle]?.notifications ?? 0) + (uses[$0.handle]?.indications ?? 0) > 0
      }
      let isSubscribed = database.unansweredSubscriptions.union(uses.keys).contains {
        range.contains($0) && Self.maySubscribe($0, uses[$0], database)
      }
      // Many accessories say nothing, their public key neither, before that.
      let isKnown = notifying.contains { session.isOfVendor($0.uuid) }
      guard isWritten || isKnown, !notifying.isEmpty, !isHeard, !isSubscribed else { continue }
      let observed: FindingText =
        "\(Names.uuid(uuid)) \(isWritten ? "written to" : "discovered"), and no "
        + "subscription to its characteristics"
      if isAtEnd, !isWritten {
        report.cannotTell(
          it.place, "\(observed) before the capture ends", cause: "the capture ends")
      } else if it.wasBonded {
        report.cannotTell(
          it.place,
          "\(observed): the subscription may have been stored with the bond before the capture",
          cause: "the subscription may have been stored with the bond before the capture")
      } else {
        report.missing(
          it.place, observed: observed,
          expected:
            "a write to the Client Characteristic Configuration of a characteristic that notifies",
          severity: isWritten ? .info : .warning, confidence: .possible, subject: "\(uuid)")
      }
    }
  }

  /// Whether the attribute is a configuration that was written, that contains a subscription, or whose last write may have
  /// succeeded. An attribute whose type the capture does not show may be one: clients remember them.
  private static func maySubscribe(
    _ handle: UInt16, _ use: GATTDatabase.Use?, _ database: GATTDatabase
  ) -> Bool {
    let type = database.type(of: handle)
    guard type.map({ $0.is(.clientCharacteristicConfiguration) }) ?? true else { return false }
    if database.unansweredSubscriptions.contains(handle) { return true }
    guard let use else { return false }
    return use.writes > 0 && (type != nil || use.lastCount == 2)
      || type != nil && use.reads > 0 && use.lastValue.contains { $0 != 0 }
  }

  mutating func finish(_ session: borrowing Session, _ report: inout RuleReport) {
    for link in links.keys.sorted(by: { $0.index < $1.index }) {
      if let it = links[link] { judge(it, isAtEnd: true, session, &report) }
    }
  }
}
