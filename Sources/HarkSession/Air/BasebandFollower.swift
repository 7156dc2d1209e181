import HarkCore
import HarkDissection

/// BR/EDR packets received over the air: what the Link Managers of a piconet request. Core Specification, Vol 2, Part C.
struct BasebandFollower {
  private struct Piconet {
    /// The Central, from its FHS packet.
    var central: BluetoothAddress?
    /// The last LMP PDUs of both sides: their senders repeat them until they are acknowledged.
    var recent: [Sent] = []
  }

  private struct Sent {
    let pdu: [UInt8]
    let ltAddress: UInt8
    let sequenceNumber: UInt8
    let moment: PacketContext

    /// Whether both are one PDU: retransmissions have the same SEQN. Vol 2, Part B, 7.6.2
    func repeats(_ other: Sent, _ tables: borrowing Tables) -> Bool {
      pdu == other.pdu && ltAddress == other.ltAddress && sequenceNumber == other.sequenceNumber
        && tables.counts.elapsed(since: PacketTime(other.moment), moment)
          .map { $0 < BasebandFollower.longestRetransmission } ?? false
    }
  }

  /// Much longer than a retransmission takes, and shorter than the time after which a side repeats a request.
  private static let longestRetransmission = Int64(1_000_000_000)

  /// By the LAP of the Central. Hostile captures contain any number of them.
  private var piconets = RecentValues<UInt32, Piconet>(capacity: 64)

  mutating func take(_ bytes: RawSpan, _ moment: PacketContext, _ tables: inout Tables) {
    let packet = BasebandPacket(bytes, isCut: moment.isTruncated)
    if let address = packet.address, let lap = packet.lapOfSender {
      var piconet = piconets[lap] ?? Piconet()
      piconet.central = address
      piconets.set(lap, piconet)
    }
    guard let place = packet.linkManager, place.upperBound <= bytes.byteCount else { return }
    tables.counts.air.linkManagerPDUs += 1
    var piconet = piconets[packet.lap] ?? Piconet()
    let sent = Sent(
      pdu: bytes.array(place), ltAddress: packet.ltAddress,
      sequenceNumber: packet.sequenceNumber, moment: moment)
    let isRepeated = piconet.recent.contains { sent.repeats($0, tables) }
    if !isRepeated {
      piconet.recent.append(sent)
      if piconet.recent.count > 2 { piconet.recent.removeFirst() }
    }
    piconets.set(packet.lap, piconet)
    guard !isRepeated,
      let control = LMPControl(bytes.extracting(place), isCut: moment.isTruncated)
    else { return }
    let sender = LinkManagerEvent.Sender(
      lap: packet.lap, central: piconet.central, isPeripheral: control.isFromPeripheral)
    let event = Self.event(control.content, sender)
    let isFailure = if case .pairingFailed = event { true } else { false }
    tables.emit(
      .linkLayer(.linkManager(event)), moment, severity: isFailure ? .warning : .info)
  }

  private static func event(
    _ content: LMPControl.Content, _ sender: LinkManagerEvent.Sender
  ) -> LinkManagerEvent {
    func request(_ change: LinkManagerEvent.Request.Change) -> LinkManagerEvent {
      .request(.init(sender: sender, change: change))
    }
    switch content {
    case .version(let version, let company):
      return .version(.init(sender: sender, version: version, company: company))
    case .features(let features, _):
      return .features(.init(sender: sender, page: features.page, names: features.names))
    case .channels(let change): return .channels(.init(sender: sender, change: change))
    case .power(let change): return .power(.init(sender: sender, change: change))
    case .notAccepted(let refused, let error): return rejected(refused, error, sender)
    case .detach(let error): return .detached(.init(sender: sender, reason: error))
    case .supervisionTimeout(let slots): return request(.supervisionTimeout(slots))
    case .synchronousLink(let isExtended):
      return request(.synchronousLink(isExtended: isExtended))
    case .synchronousLinkRemoved(let isExtended, let error):
      return request(.synchronousLinkEnd(isExtended: isExtended, reason: error))
    case .roleSwitch: return request(.roleSwitch)
    case .sniff(let slots): return request(.sniff(slots))
    case .encryption(let starts): return request(.encryption(starts: starts))
    case .pinPairing: return .pairing(.init(sender: sender, step: .pin))
    case .authentication: return .pairing(.init(sender: sender, step: .authentication))
    case .capability(let capability, let isRequest):
      return .pairing(
        .init(
          sender: sender,
          step: .capability(
            io: capability.ioCapability, hasOOBData: capability.hasOOBData,
            requirements: capability.requirements, isRequest: isRequest)))
    case .pairingFailed(let failure):
      let cause: LinkManagerEvent.PairingFailed.Cause =
        switch failure {
        case .numericComparison: .numericComparison
        case .passkey: .passkey
        case .outOfBand: .outOfBand
        }
      return .pairingFailed(.init(sender: sender, cause: cause))
    }
  }

  private static func rejected(
    _ refused: LMPControl.Request, _ error: UInt8, _ sender: LinkManagerEvent.Sender
  ) -> LinkManagerEvent {
    let (opcode, extended) = (refused.opcode, refused.extendedOpcode)
    // Both sides began the same: one of them goes on. 2.5.1
    guard refused.isPairing, HCIErrorCode(error)?.isCollision != true else {
      return .rejected(
        .init(sender: sender, opcode: opcode, extendedOpcode: extended, error: error))
    }
    return .pairingFailed(
      .init(
        sender: sender,
        cause: .rejected(opcode: opcode, extendedOpcode: extended, error: error)))
  }
}
