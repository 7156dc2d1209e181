import HarkCore
import HarkCrypto
import HarkDissection
import HarkSession

struct DataBeforeExchange: Rule {
  static let about = RuleDescription(
    id: "keys.data-before-exchange", title: "Messages precede the key exchange on their link",
    severity: .info, needs: .sealedMessages,
    meaning:
      "The phone encrypts with keys from an earlier link. An accessory that keeps its "
      + "session keys in RAM has lost them after a restart, and drops messages until the next "
      + "exchange.",
    source:
      "Apple, “Receiving iOS notifications on an accessory”: the exchange happens at pairing; "
      + "PebbleOS issue 2126",
    fix:
      "Store the encapsulated key and the identifier with the bond, or request a new "
      + "exchange by announcing the public key again before accepting messages.")
  static let wants: Set<Event.Family> = [.link, .accessory]

  /// Links that ended as if the accessory had lost its power, by whose they were.
  private var lost = RecentValues<Owner, PacketID>(capacity: 256)
  /// Links on which the accessory asked for an exchange.
  private var asked = RecentValues<LinkID, PacketID>(capacity: 256)
  private var states: [LinkID: State] = [:]
  private static let most = 1024

  private enum State {
    /// The first message of a link, and nothing shows yet whether the accessory has the keys for it.
    case early(Early)
    case settled
  }

  private struct Early {
    let place: Place
    let lost: PacketID?
    let asked: PacketID?
  }

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard let link = event.link else { return }
    switch event.content {
    case .link(.closed(let closed)):
      if case .early(let early)? = states.removeValue(forKey: link) { end(early, &report) }
      let reason = HCIErrorCode(closed.reason)
      if reason == .connectionTimeout || reason == .remoteDeviceTerminatedDueToPowerOff {
        lost.set(Owner(event, session), event.frames.last)
      }
    case .accessory(let accessory):
      let isFromAccessory = accessory.direction == .accessoryToHost
      switch accessory.content {
      case .publicKey: if asked[link] == nil { asked.set(link, event.frames.last) }
      case .encapsulatedKey:
        if case .early(let early)? = settle(link) { judge(early, &report) }
      // It has the keys, whatever happened before.
      case .accepted where isFromAccessory: settle(link)
      case .message(let message):
        if isFromAccessory, message.opened != nil {
          settle(link)
        } else if !message.followsKeyOnLink, states[link] == nil {
          begin(event, link, session, &report)
        }
      default: break
      }
    default: break
    }
  }

  @discardableResult
  private mutating func settle(_ link: LinkID) -> State? {
    guard states[link] != nil || states.count < Self.most else { return nil }
    return states.updateValue(.settled, forKey: link)
  }

  private mutating func begin(
    _ event: Event, _ id: LinkID, _ session: borrowing Session, _ report: inout RuleReport
  ) {
    let link = session.links[Int(id.index)]
    // A capture that begins later does not show the exchange.
    guard link.certainty == .seen, states.count < Self.most else { return }
    if let gap = report.coverage.gap(since: link.opened, on: id) {
      states[id] = .settled
      return report.cannotTell(Place(event), gap, "the exchange may be in that gap")
    }
    let (lost, asked) = (lost[Owner(event, session)], asked[id])
    states[id] = .early(
      Early(
        place: Place(event, and: [lost, asked].compactMap { $0 }), lost: lost, asked: asked))
  }

  /// Keys were exchanged after the message.
  private func judge(_ early: Early, _ report: inout RuleReport) {
    var observed: FindingText =
      "an encrypted message before the encapsulated key on this link"
    if early.lost != nil {
      observed = observed + "; the previous link ended as if the accessory had restarted"
    }
    if early.asked != nil {
      observed = observed + "; the accessory had announced its public key again"
    }
    let isLikely = early.lost != nil && early.asked != nil
    report.found(
      early.place, observed: observed,
      expected: "an encapsulated key first, wherever the accessory may have forgotten its keys",
      severity: early.lost != nil || early.asked != nil ? .warning : .info,
      confidence: isLikely ? .likely : .possible)
  }

  /// Nothing shows whether the accessory has the keys: only where it may have lost them that is reported.
  private func end(_ early: Early, _ report: inout RuleReport) {
    guard early.lost != nil else { return }
    report.found(
      early.place,
      observed:
        "a message to decrypt, but no encapsulated key on this link; the previous link ended "
        + "as if the accessory had restarted",
      expected: "an encapsulated key first, wherever the accessory may have forgotten its keys",
      confidence: .possible)
  }

  mutating func finish(_ session: borrowing Session, _ report: inout RuleReport) {
    for case .early(let early) in states.values where early.lost != nil {
      report.cannotTell(
        early.place, "the capture ends before the accessory shows whether it has the keys")
    }
  }
}
