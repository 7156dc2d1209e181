import HarkCore
import HarkCrypto
import HarkSession

struct DataBeforeExchange: Rule {
  static let about = RuleDescription(
    id: "keys.data-before-exchange", title: "Messages come before a key exchange on their link",
    severity: .info, needs: .sealedMessages,
    meaning:
      "The phone seals with keys of an earlier link. An accessory that keeps its session keys in "
      + "RAM has lost them after a restart, and throws the messages away until the next exchange.",
    source:
      "Apple, “Receiving iOS notifications on an accessory”: the exchange happens at pairing; "
      + "PebbleOS issue 2126",
    fix:
      "Store the encapsulated key and the identifier with the bond, or ask for a new exchange by "
      + "announcing the public key again before messages are taken.")

  /// Links that ended as if the accessory had lost its power, by whose they were.
  private var lost = RecentValues<Owner, PacketID>(capacity: 256)
  /// Links on which the accessory asked for an exchange.
  private var asked = RecentValues<LinkID, PacketID>(capacity: 256)
  private var told = RecentValues<LinkID, Bool>(capacity: 256)

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    switch event.content {
    case .linkClosed(let reason):
      // Connection Timeout, Remote Device Terminated due to Power Off.
      if reason == 0x08 || reason == 0x15 {
        lost.set(Owner(event, session), event.frames.last)
      }
    case .accessory(let accessory):
      guard let link = event.link else { return }
      switch accessory.content {
      case .publicKey: if asked[link] == nil { asked.set(link, event.frames.last) }
      case .message(let message) where !message.followsKeyOnLink:
        if told.set(link, true) == nil { judge(message, event, link, session, &report) }
      default: break
      }
    default: break
    }
  }

  private func judge(
    _ message: TransportedMessage, _ event: Event, _ link: LinkID, _ session: borrowing Session,
    _ report: inout RuleReport
  ) {
    // A capture that begins later does not show the exchange.
    guard session.links[Int(link.index)].certainty == .seen else { return }
    let lost = lost[Owner(event, session)]
    let asked = asked[link]
    var observed = "a message to be opened, and no encapsulated key on this link before it"
    if lost != nil { observed += "; the link before ended as if the accessory had restarted" }
    if asked != nil { observed += "; the accessory had announced its public key anew" }
    report.found(
      event, session, observed: observed,
      expected: "an encapsulated key first, wherever the accessory may have forgotten its keys",
      severity: lost != nil || asked != nil ? .warning : .info,
      confidence: lost != nil && asked != nil ? .likely : .possible,
      frames: [lost, asked].compactMap { $0 })
  }
}
