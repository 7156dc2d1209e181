import HarkCore
import HarkSession

struct LinkCannotDecrypt: Rule {
  static let about = RuleDescription(
    id: "link.cannot-decrypt", title: "hark has no key for an encrypted link or advertisement",
    severity: .info, needs: [.air, .encryptedAdvertising],
    meaning:
      "Without the key, hark cannot check the contents of an encrypted connection, or the encrypted end of "
      + "proximity pairing advertising. This is not a mistake of the devices.",
    source:
      "Core Specification, Vol 6, Part B, 5.1.3 (encryption start), and Part E (CCM); Vol 3, Part "
      + "H, "
      + "2.4.4; proximity pairing as public projects observed it",
    fix:
      "Give the LTK of the bond in a key file with --keys, or record HCI on one of the two "
      + "devices, including the pairing: that capture contains the key. For advertising, record HCI while a host requests the headphones' proximity "
      + "keys over AAP. `hark explain` lists what is missing.")
  static let wants: Set<Event.Family> = [.linkLayer, .accessoryProtocol]

  private struct Locked {
    let place: Place
    let why: FindingText
  }

  private var links: [LinkID: Locked] = [:]
  /// Where links were decrypted.
  private var opened: [LinkID: Place] = [:]
  private static let most = 1024

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    if case .accessoryProtocol(.lockedAdvertising(let locked)) = event.content {
      return report.cannotTell(
        Place(event), "encrypted proximity pairing advertising: \(locked.lock.words)",
        cause: "encrypted proximity pairing advertising", subject: "advertising")
    }
    if case .linkLayer(.opened) = event.content, let link = event.link, opened.count < Self.most {
      opened[link] = opened[link] ?? Place(event)
    }
    guard case .linkLayer(.locked) = event.content, let link = event.link, links[link] == nil,
      links.count < Self.most
    else { return }
    links[link] = Locked(place: Place(event), why: RuleReport.text(of: event, session))
  }

  mutating func finish(_ session: borrowing Session, _ report: inout RuleReport) {
    for (id, locked) in links {
      let last =
        session.links[Int(id.index)].closed ?? PacketID(UInt32(clamping: session.packets.count))
      report.cannotTell(
        locked.place,
        "\(locked.why); from #\(locked.place.lastFrame.number) to #\(last.number), nothing on this link "
          + "was judged", cause: locked.why.text)
    }
    // With a wrong MIC, or another key.
    for (id, place) in opened where links[id] == nil {
      let count = session.links[Int(id.index)].air?.unopened ?? 0
      guard count > 0 else { continue }
      report.cannotTell(
        place,
        "the key of the link does not decrypt \(public: Names.count(count, "packet")), which hark did not judge",
        cause: "the key of the link does not decrypt all packets")
    }
  }
}
