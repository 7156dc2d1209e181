import HarkCapture
import HarkCore
import HarkCrypto
import HarkSession

/// What a capture holds and what it cannot show, gathered while it is read.
public struct CaptureReport: Sendable {
  /// What events tell that the session does not keep.
  struct Tally: Sendable {
    var messages = 0
    var opened = 0
    var lockedReasons: [String: Int] = [:]
    var incompleteMessages = 0
    var incompletePDUs = 0
    var orphanFragments = 0
    var paired: Set<LinkID> = []
    var discoveries: Set<LinkID> = []
    var encrypted: Set<LinkID> = []
    var values: Set<LinkID> = []
    var exposedPrivateKeys = 0
    var vendorFramings: Set<String> = []
  }

  var tally = Tally()
  /// What the user knows a protocol by, and how many channels or packets it had.
  var protocols: [String: Int] = [:]

  public init() {}

  /// Takes an event of the capture; call it with each.
  public mutating func note(_ event: Event) {
    switch event.content {
    case .pairing(.complete), .pairing(.simple(.ended(0))), .pairing(.linkKey):
      if let link = event.link { tally.paired.insert(link) }
    case .discovery: if let link = event.link { tally.discoveries.insert(link) }
    case .encryption(true, _): if let link = event.link { tally.encrypted.insert(link) }
    case .value, .subscription: if let link = event.link { tally.values.insert(link) }
    case .incompletePDU: tally.incompletePDUs += 1
    case .orphanFragment: tally.orphanFragments += 1
    case .channelOpened(let channel):
      let name = Names.of(channel.psm, "l2cap.psm") ?? "PSM \(Names.hex(channel.psm))"
      protocols[name, default: 0] += 1
    case .accessoryProtocol(.recognized):
      protocols["Apple Accessory Protocol, by its shape", default: 0] += 1
    case .accessory(let event): note(event)
    default: break
    }
  }

  private mutating func note(_ event: AccessoryEvent) {
    tally.vendorFramings.insert(event.framing)
    switch event.content {
    case .message(let message):
      tally.messages += 1
      if let verdict = message.verdict {
        tally.lockedReasons[verdict.description, default: 0] += 1
      } else {
        tally.opened += 1
      }
    case .plain:
      tally.messages += 1
      tally.opened += 1
    case .incomplete, .unreadable: tally.incompleteMessages += 1
    case .exposedKey: tally.exposedPrivateKeys += 1
    default: break
    }
  }

  /// What a link carried, by its fixed channels. Core Specification, Vol 3, Part A, 2.1.
  static let fixedChannels: [(cid: Int, name: String)] = [
    (4, "ATT"), (6, "SMP"), (7, "SMP over BR/EDR"), (5, "L2CAP signaling (LE)"),
    (1, "L2CAP signaling (BR/EDR)"), (2, "connectionless L2CAP"),
  ]

  /// Kinds of packets, as people call them.
  static let kinds: [(kind: PacketKind, one: String, many: String)] = [
    (.command, "HCI command", "HCI commands"), (.event, "HCI event", "HCI events"),
    (.acl, "ACL data packet", "ACL data packets"), (.sco, "SCO data packet", "SCO data packets"),
    (.iso, "ISO data packet", "ISO data packets"),
  ]

  static func others(_ counts: Session.Counts) -> Int {
    let named = kinds.map { counts.kinds[Int($0.kind.rawValue)] }.reduce(0, +)
    return counts.kinds.reduce(0, +) - named
  }
}
