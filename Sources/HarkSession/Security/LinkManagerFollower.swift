import HarkCore
import HarkCrypto
import HarkDissection

/// Secure Simple Pairing between two Link Managers: the public keys and random numbers, from which hark checks the
/// commitments and computes the number that both users compare. If a side uses the debug key, hark also checks the
/// check values and the link key (LinkManagerFollower+DebugKey.swift). Core Specification, Vol 2, Part H, 7.2.
struct LinkManagerFollower {
  /// What each side sent: 0 for this controller, 1 for the peer.
  struct Exchange {
    let initiator: Int
    /// Authentication requirements, presence of Out of Band data, IO capability. 7.7.4
    var capabilities: [[UInt8]?] = [nil, nil]
    var keySizes = [0, 0]
    var keys: [[UInt8]] = [[], []]
    var commitments: [[UInt8]?] = [nil, nil]
    var numbers: [[UInt8]?] = [nil, nil]
    /// Both sides commit to each bit of a passkey. 7.2.3
    var hasPasskey = false
    /// The passkey, if this host displays it.
    var passkey: UInt32?
    /// The Diffie-Hellman key, if a side uses the debug key.
    var secret: [UInt8]?

    /// Both X coordinates, most significant octet first; nil if a key is incomplete.
    var coordinates: [[UInt8]]? {
      guard keys[0].count == keySizes[0], keys[0].count == keys[1].count,
        keys[0].count == 48 || keys[0].count == 64
      else { return nil }
      return keys.map { $0.prefix($0.count / 2).reversed() }
    }
  }

  private(set) var exchanges: [LinkID: Exchange] = [:]
  /// Keypresses of this host whose LMP PDU is expected, and those of the peer whose HCI event is, by link.
  private var keypresses: [LinkID: [Int]] = [:]

  /// The link ends, and unfinished pairings on it end, too.
  mutating func end(_ link: LinkID) {
    exchanges[link] = nil
    keypresses[link] = nil
  }

  /// The host sends a keypress: the PDU that follows reports it again. Vol 4, Part E, 7.3.63
  mutating func hostSentKeypress(_ link: LinkID?) {
    if let link { keypresses[link, default: [0, 0]][0] += 1 }
  }

  /// The controller reports a keypress of the peer. Returns whether its PDU was reported. Vol 4, Part E, 7.7.48
  mutating func isKeypressKnown(_ link: LinkID?) -> Bool { link.map { isKnown(1, $0) } ?? false }

  private mutating func isKnown(_ side: Int, _ link: LinkID) -> Bool {
    guard let count = keypresses[link]?[side], count > 0 else { return false }
    keypresses[link]?[side] = count - 1
    return true
  }

  mutating func displayed(_ passkey: UInt32, _ link: LinkID?) {
    if let link { exchanges[link]?.passkey = passkey }
  }

  /// A packet in which a controller reports the work of its Link Manager.
  mutating func take(_ bytes: RawSpan, _ moment: PacketContext, _ tables: inout Tables) {
    let packet = DiagnosticPacket(bytes, isCut: moment.isTruncated)
    guard let place = packet.linkManager else { return }
    // The record itself always comes from the controller: its header shows which Link Manager sent the PDU.
    if packet.isReceived {
      tables.record.row.flags.insert(.received)
    } else {
      tables.record.row.flags.remove(.received)
    }
    guard
      let link = tables.links.live(on: moment.controller).first(where: {
        tables.links[$0].transport == .brEDR
          && tables.links[$0].peer.map { UInt32(truncatingIfNeeded: $0.value) } == packet.peer
      })
    else { return }
    var moment = moment
    moment.link = link
    let pdu = bytes.extracting(place)
    let side = packet.isReceived ? 1 : 0
    switch LMPMessage(pdu, isCut: moment.isTruncated) {
    case .ioCapability(let range, let isRequest):
      if isRequest { exchanges[link] = Exchange(initiator: side) }
      exchanges[link]?.capabilities[side] = pdu.array(range).reversed()
    case .encapsulatedHeader(let length):
      // The side that sends the first key initiates; another one from the same side starts over.
      if exchanges[link] == nil || exchanges[link]?.keySizes[side] != 0 {
        exchanges[link] = Exchange(initiator: side)
      }
      exchanges[link]?.keySizes[side] = Int(length)
    case .encapsulatedPayload(let range):
      guard let exchange = exchanges[link],
        exchange.keys[side].count + range.count <= exchange.keySizes[side]
      else { return }
      exchanges[link]?.keys[side] += pdu.array(range)
      agree(side, link, moment, &tables)
    case .simplePairingConfirm(let range):
      if exchanges[link]?.commitments[1 - side] != nil { exchanges[link]?.hasPasskey = true }
      exchanges[link]?.commitments[side] = pdu.array(range).reversed()
    case .simplePairingNumber(let range):
      exchanges[link]?.numbers[side] = pdu.array(range).reversed()
      check(side, link, moment, &tables)
    case .diffieHellmanKeyCheck(let range):
      checkValue(pdu.array(range).reversed(), of: side, link, moment, &tables)
    case .keypressNotification(let type):
      if side == 0, isKnown(side, link) { return }
      if side == 1 { keypresses[link, default: [0, 0]][side] += 1 }
      emit(.keypress(type: type, isPeer: side == 1), moment, severity: .info, &tables)
    case .other: break
    }
  }

  /// Computes the Diffie-Hellman key once both public keys are known, and reports debug keys.
  private mutating func agree(
    _ side: Int, _ link: LinkID, _ moment: PacketContext, _ tables: inout Tables
  ) {
    guard let keys = exchanges[link]?.keys else { return }
    if let curve = SimplePairingToolbox.debugCurve(keys[side]) {
      let step = SimplePairing.Step.debugKey(curve, isPeer: side == 1, isOutOfBand: false)
      emit(step, moment, severity: .warning, &tables)
    }
    if exchanges[link]?.coordinates != nil {
      exchanges[link]?.secret = SimplePairingToolbox.debugSecret(keys)
    }
  }

  /// Checks the commitment of a side once it has sent its random number.
  private mutating func check(
    _ side: Int, _ link: LinkID, _ moment: PacketContext, _ tables: inout Tables
  ) {
    guard let exchange = exchanges[link], let commitment = exchange.commitments[side],
      let random = exchange.numbers[side], let keys = exchange.coordinates
    else { return }
    exchanges[link]?.commitments[side] = nil
    let isKept = (exchange.hasPasskey ? [0x80, 0x81] : [0]).contains { bit in
      SimplePairingToolbox.f1(u: keys[side], v: keys[1 - side], x: random, z: bit) == commitment
    }
    // For a passkey, each of twenty bits has a commitment: kept ones add nothing new.
    if exchange.hasPasskey, isKept { return }
    var number: UInt32?
    let initiator = exchange.initiator
    if !exchange.hasPasskey, let first = exchange.numbers[initiator],
      let second = exchange.numbers[1 - initiator]
    {
      number = SimplePairingToolbox.g(
        u: keys[initiator], v: keys[1 - initiator], x: first, y: second)
    }
    emit(
      .commitment(isKept: isKept, isPeer: side == 1, number: isKept ? number : nil), moment,
      severity: isKept ? .info : .error, &tables)
  }

  /// - Parameter moment: With the link.
  func emit(
    _ step: SimplePairing.Step, _ moment: PacketContext, severity: Event.Severity,
    _ tables: inout Tables
  ) {
    tables.emit(
      .security(.pairing(.simple(step))), moment, severity: severity,
      device: moment.link.flatMap { tables.links[$0].device })
  }
}
