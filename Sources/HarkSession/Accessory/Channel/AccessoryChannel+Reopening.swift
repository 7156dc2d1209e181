import HarkCore
import HarkCrypto

/// A message that no key has decrypted yet.
struct LockedMessage: Sendable {
  let frame: TransportFrame
  let origin: MessageOrigin
  let link: UInt32
  var client: VendorClient?
  let isLinkWhole: Bool
  /// Whether a key was encapsulated on its link before it.
  let followsKeyOnLink: Bool
}

/// The messages of a channel that later keys may decrypt, oldest first. Their number is limited, so that a capture
/// that runs for days cannot fill the memory.
struct LockedMessages: Sendable {
  private static let most = 1_024
  private static let mostBytes = 1 << 20

  private(set) var all: [LockedMessage] = []
  private var bytes = 0

  mutating func keep(_ message: LockedMessage) {
    all.append(message)
    bytes += message.frame.message.data.count
    while all.count > Self.most || bytes > Self.mostBytes, !all.isEmpty {
      bytes -= all.removeFirst().frame.message.data.count
    }
  }

  /// Two clients turned out to be one.
  mutating func merge(_ gone: VendorClient, into kept: VendorClient) {
    for index in all.indices where all[index].client == gone { all[index].client = kept }
  }

  mutating func takeAll() -> [LockedMessage] {
    defer { self = LockedMessages() }
    return all
  }
}

extension AccessoryChannel {
  /// Decrypts locked messages with keys that have been added since.
  /// - Returns: The decrypted messages, and their links.
  mutating func reopen(_ keys: inout KeyRing) -> [(event: AccessoryEvent, link: UInt32)] {
    var opened: [(AccessoryEvent, UInt32)] = []
    for locked in lockedMessages.takeAll() {
      isLinkWhole = locked.isLinkWhole
      select(locked.client)
      let message = locked.frame.message
      var event = TransportedMessage(
        sessionID: message.sessionID, size: message.data.count, sealed: message.data,
        receiptID: locked.frame.receiptID, outcome: .locked(.cutByCapture(missingBytes: 0)),
        followsKeyOnLink: locked.followsKeyOnLink, observations: [])
      open(message, locked.origin, locked.link, &keys, &event, isAgain: true)
      guard event.opened != nil else {
        lockedMessages.keep(locked)
        continue
      }
      opened.append(
        (
          AccessoryEvent(framing: framing.name, origin: locked.origin, content: .message(event)),
          locked.link
        ))
    }
    return opened
  }
}

extension Accessories {
  /// The same for all channels, in the order of their packets.
  mutating func reopen(
    keys: inout KeyRing
  ) -> [(owner: Session.DatabaseKey, link: LinkID?, event: AccessoryEvent)] {
    var opened: [(owner: Session.DatabaseKey, link: LinkID?, event: AccessoryEvent)] = []
    for key in channels.keys {
      for (event, link) in channels[key]?.reopen(&keys) ?? [] {
        opened.append(
          (key.owner, link == VendorValue.noLink ? nil : LinkID(Int(link)), event))
      }
    }
    return opened.sorted {
      ($0.event.frames.last?.number ?? 0, $0.event.framing)
        < ($1.event.frames.last?.number ?? 0, $1.event.framing)
    }
  }
}

extension AccessoryFollower {
  /// Reports locked messages that a key added since then decrypts.
  mutating func reopen(_ moment: PacketContext, _ tables: inout Tables) {
    for (owner, link, event) in accessories.reopen(keys: &tables.keys) {
      var moment = moment
      moment.link = link
      if let link { moment.controller = tables.links[link].controller }
      emit([event], of: owner, moment, &tables)
    }
  }
}
