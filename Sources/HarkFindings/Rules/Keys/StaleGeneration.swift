import HarkCore
import HarkCrypto
import HarkSession

struct StaleGeneration: Rule {
  static let about = RuleDescription(
    id: "keys.stale-generation", title: "A message is encrypted with replaced keys",
    severity: .warning, needs: [.openedMessages, .internetMessages],
    meaning:
      "After a new key exchange or a new pairing, one side still uses the old keys. An "
      + "accessory that discards them immediately cannot decrypt the message: failures only "
      + "right after a key exchange.",
    source:
      "Apple, “Receiving iOS notifications on an accessory”: key exchange; in-flight messages "
      + "observed in the NotifBridge project",
    fix:
      "Keep the keys of the previous generation for a while, and stop encrypting with them "
      + "as soon as the new encapsulated key is confirmed.")
  static let wants: Set<Event.Family> = [.accessory, .app]

  private struct Replacement {
    /// Of the public key that replaced another one, and of its encapsulated key.
    let keyID: UInt32
    let packet: PacketID
  }

  /// The key IDs that messages over the internet have: of each device's public key last announced, of the one that has an
  /// encapsulated key, and of those that were replaced.
  private var announced = RecentValues<Owner, UInt32>(capacity: 256)
  private var current = RecentValues<Owner, UInt32>(capacity: 256)
  private var replaced = RecentValues<UInt32, Replacement?>(capacity: 256)

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    if let message = event.app?.internet { return take(message, event, session, &report) }
    guard case .accessory(let accessory) = event.content else { return }
    let owner = Owner(event, session)
    if case .publicKey(let key) = accessory.content, key.defect == nil,
      let id = key.step.message.keyID
    {
      announced.set(owner, id)
    }
    if case .encapsulatedKey(let key) = accessory.content, key.defect == nil,
      let id = announced[owner]
    {
      replaced.set(id, nil)
      if let old = current.set(owner, id), old != id {
        replaced.set(old, Replacement(keyID: id, packet: event.frames.last))
      }
    }
    guard case .observation(let odd) = accessory.content,
      case .staleGeneration(let used, let newest, let since) = odd.observation
    else { return }
    report.found(
      event, session, expected: "key generation \(public: newest)", subject: "\(used)",
      frames: [since])
  }

  private mutating func take(
    _ message: InternetMessage, _ event: Event, _ session: borrowing Session,
    _ report: inout RuleReport
  ) {
    // Where a message without a time belongs is unknown.
    guard message.isDated, let new = replaced[message.keyID] ?? nil else { return }
    report.found(
      event, session,
      observed: "message \(message.index) over the internet names the replaced public key "
        + "\(InternetKey.text(keyID: message.keyID))",
      expected: "key ID \(InternetKey.text(keyID: new.keyID))", subject: "internet",
      frames: [new.packet])
  }
}
