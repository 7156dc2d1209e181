import HarkCore
import HarkDissection
import HarkSession

struct PairedAgain: Rule {
  static let about = RuleDescription(
    id: "link.paired-again", title: "Bonded devices paired again",
    severity: .info, needs: .pairing,
    meaning:
      "One side lost the bond, or a user deleted it on purpose. Keys tied to the old bond, such "
      + "as those of notification forwarding, must be exchanged again.",
    source:
      "Core Specification, Vol 3, Part C, 10.2 (LE security modes), 5.2.2 (BR/EDR), Part H, 2.4.4.2 "
      + "(encryption with a bond)",
    fix:
      "If no user deleted the bond, store bonds before the link closes. In any case, "
      + "request a new key exchange after pairing."
  )
  static let wants: Set<Event.Family> = [.security]

  private struct Bond {
    var packet: PacketID
    var pairings: Int
  }

  private var bonds = RecentValues<Owner, Bond>(capacity: 1024)
  /// Links on which a pairing began, and whether they were encrypted then: both sides have a key, and want another.
  private var pairing = RecentValues<LinkID, Bool>(capacity: 256)
  private var encrypted = RecentValues<LinkID, Bool>(capacity: 256)
  /// Complete LE legacy pairings until their keys are distributed: without them there is no bond. Part H, 3.6
  private var withoutKeys = RecentValues<LinkID, Event?>(capacity: 256)

  private struct LinkKey {
    var bond: Bond
    var isUnauthenticated: Bool
  }

  /// Bonds of BR/EDR: a device may have one of LE, too.
  private var linkKeys = RecentValues<Owner, LinkKey>(capacity: 1024)
  /// Whether this host and the peer want to store the keys of a Secure Simple Pairing. Vol 4, Part E, 7.1.29
  private var wishes = RecentValues<LinkID, [Bool]>(capacity: 256)

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    switch event.content {
    case .security(.pairing(.requested)), .security(.pairing(.method)):
      if let link = event.link { pairing.set(link, encrypted[link] ?? false) }
    case .security(.encryption(let encryption)):
      if let link = event.link { encrypted.set(link, encryption.isOn) }
      guard encryption.isOn else { return }
      // With a bond that was made before.
      guard let link = session.link(event), pairing[link.id] == nil, link.transport == .le else {
        return
      }
      // Or with the key of a pairing that the capture does not show.
      guard link.certainty == .seen, report.coverage.gap(since: link.opened) == nil else { return }
      let owner = Owner(event, session)
      if bonds[owner] == nil { bonds.set(owner, Bond(packet: event.frames.last, pairings: 1)) }
    case .security(.pairing(.complete(let complete))) where complete.bonding != false:
      if let link = event.link, !complete.secureConnections, session.link(event)?.air == nil {
        withoutKeys.set(link, event)
      } else {
        paired(event, session, &report)
      }
    case .security(.keyInCapture(let key)) where key.keyKind == .longTermKey:
      if let link = event.link, let complete = withoutKeys[link] ?? nil {
        withoutKeys.set(link, nil)
        paired(complete, session, &report)
      }
    case .security(.pairing(.simple(.capability(let capability, let isPeer)))):
      guard let link = event.link else { return }
      var wanted = wishes[link] ?? [false, false]
      wanted[isPeer ? 1 : 0] = capability.isBonding
      wishes.set(link, wanted)
    case .security(.pairing(.linkKey(let key))):
      if let type = HCIKeyType(rawValue: key.type), type.isOfSimplePairing {
        created(type, event, session, &report)
      }
    default: break
    }
  }

  private mutating func created(
    _ type: HCIKeyType, _ event: Event, _ session: borrowing Session, _ report: inout RuleReport
  ) {
    guard let link = event.link, wishes[link] == [true, true] else { return }
    let owner = Owner(event, session)
    var key = LinkKey(
      bond: Bond(packet: event.frames.last, pairings: 1), isUnauthenticated: type.isUnauthenticated)
    // On an encrypted link, both sides have a key; for a service that requires more security, they make a better one.
    if let known = linkKeys[owner], encrypted[link] != true,
      type.isUnauthenticated || !known.isUnauthenticated
    {
      key.bond.pairings = known.bond.pairings + 1
      again(event, known.bond.packet, key.bond.pairings, session, &report)
    }
    linkKeys.set(owner, key)
  }

  private mutating func paired(
    _ event: Event, _ session: borrowing Session, _ report: inout RuleReport
  ) {
    let owner = Owner(event, session)
    guard var bond = bonds[owner], event.link.flatMap({ pairing[$0] }) != true else {
      bonds.set(owner, Bond(packet: event.frames.last, pairings: 1))
      return
    }
    bond.pairings += 1
    again(event, bond.packet, bond.pairings, session, &report)
    bond.packet = event.frames.last
    bonds.set(owner, bond)
  }

  private func again(
    _ event: Event, _ packet: PacketID, _ pairings: Int, _ session: borrowing Session,
    _ report: inout RuleReport
  ) {
    report.found(
      event, session, observed: "a pairing, although #\(packet.number) shows an earlier bond",
      expected: "encryption with the existing bond", severity: pairings > 2 ? .warning : .info,
      confidence: .possible, frames: [packet])
  }
}
