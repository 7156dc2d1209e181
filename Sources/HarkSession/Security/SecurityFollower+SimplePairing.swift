import HarkCore
import HarkCrypto
import HarkDissection

// Security as HCI shows it: encryption, and pairing over BR/EDR by Secure Simple Pairing or PINs.
// Core Specification, Vol 4, Part E, 7.1, 7.7.
extension SecurityFollower {
  /// HCI_IO_Capability_Request_Reply. 7.1.29.
  mutating func capabilityFromHost(
    _ command: HCICommandMessage, _ moment: PacketContext, _ tables: inout Tables
  ) {
    let (moment, device) = tables.atPeer(command.peer, moment)
    if let reported = command.ioCapability {
      capability(reported, isPeer: false, moment, device, &tables)
    }
  }

  /// HCI_Send_Keypress_Notification. 7.3.63
  mutating func keypressFromHost(
    _ command: HCICommandMessage, _ moment: PacketContext, _ tables: inout Tables
  ) {
    let (moment, device) = tables.atPeer(command.peer, moment)
    if let type = command.keypress {
      emit(.keypress(type: type, isPeer: false), moment, device, &tables)
      linkManager.hostSentKeypress(moment.link)
    }
  }

  /// A negative reply of the host to a question of Secure Simple Pairing, or to the request for a PIN. 7.1.13, 7.1.31,
  /// 7.1.33, 7.1.35, 7.1.36.
  mutating func pairingRefused(
    _ command: HCICommandMessage, _ moment: PacketContext, _ tables: inout Tables
  ) {
    guard let peer = command.peer else { return }
    let step: SimplePairing.Step
    switch command.opcode {
    case .userConfirmationRequestNegativeReply: step = .rejected(.confirmation)
    case .userPasskeyRequestNegativeReply: step = .rejected(.passkey)
    case .remoteOOBDataRequestNegativeReply: step = .rejected(.oobData)
    case .pinCodeRequestNegativeReply:
      let (moment, device) = tables.atPeer(peer, moment)
      return tables.emit(
        .security(.pairing(.pinRefused(.init()))), moment, severity: .error, device: device)
    default:
      guard let reason = command.reason else { return }
      step = .refused(reason: reason)
    }
    let (moment, device) = tables.atPeer(peer, moment)
    emit(step, moment, device, severity: .error, &tables)
  }

  /// Checks the commitments of Out of Band data: a commitment to the debug key shows that anyone can compute the link
  /// key.
  /// - Parameter peer: The owner of the data; nil for this host.
  mutating func oobData(
    _ data: HCIOOBData, _ bytes: RawSpan, peer: BluetoothAddress?, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    let (moment, device) = tables.atPeer(peer, moment)
    for (curve, place) in [(SimplePairingToolbox.Curve.p192, data.p192), (.p256, data.p256)] {
      guard let place,
        SimplePairingToolbox.commitsToDebugKey(
          bytes.array(place.commitment), bytes.array(place.randomizer), curve)
      else { continue }
      emit(
        .debugKey(curve, isPeer: peer != nil, isOutOfBand: true), moment, device,
        severity: .warning, &tables)
    }
  }

  mutating func take(
    _ event: HCISecurityEvent, _ bytes: RawSpan, _ moment: PacketContext, _ tables: inout Tables
  ) {
    switch event {
    case .authenticationComplete(let status):
      guard status != 0 else { return }
      tables.emit(
        .security(.authenticationFailed(.init(status: status))), moment, severity: .error)
    case .authenticatedPayloadTimeoutExpired:
      tables.emit(.security(.authenticatedPayloadTimeout(.init())), moment, severity: .warning)
    case .encryptionChange(let change): encryptionChanged(change, moment, &tables)
    case .encryptionKeyRefreshComplete(let status): encryptionRefreshed(status, moment, &tables)
    case .linkKeyNotification(let notification): keyNotified(notification, bytes, moment, &tables)
    case .pinCodeRequest(let peer):
      let (moment, device) = pairing(with: peer, moment, &tables)
      tables.emit(.security(.pairing(.pinRequested(.init()))), moment, device: device)
    case .ioCapabilityResponse(let peer, let reported):
      let (moment, device) = pairing(with: peer, moment, &tables)
      if let reported { capability(reported, isPeer: true, moment, device, &tables) }
    case .userConfirmationRequest(let peer, let number):
      let (moment, device) = pairing(with: peer, moment, &tables)
      let method = moment.link.flatMap { simplePairings[$0]?.method }
      emit(
        .numericValue(number, isCompared: method == .numericComparison), moment, device, &tables)
    case .userPasskeyRequest(let peer):
      let (moment, device) = pairing(with: peer, moment, &tables)
      emit(.passkeyRequested, moment, device, &tables)
    case .remoteOOBDataRequest(let peer):
      let (moment, device) = pairing(with: peer, moment, &tables)
      emit(.oobDataRequested, moment, device, &tables)
    case .simplePairingComplete(let peer, let status):
      let (moment, device) = pairing(with: peer, moment, &tables)
      if let link = moment.link { simplePairings[link] = nil }
      emit(.ended(status: status), moment, device, severity: status == 0 ? .info : .error, &tables)
    case .userPasskeyNotification(let peer, let passkey):
      let (moment, device) = pairing(with: peer, moment, &tables)
      linkManager.displayed(passkey, moment.link)
      emit(.passkey(passkey), moment, device, &tables)
    case .keypressNotification(let peer, let type):
      let (moment, device) = pairing(with: peer, moment, &tables)
      guard !linkManager.isKeypressKnown(moment.link) else { return }
      emit(.keypress(type: type, isPeer: true), moment, device, &tables)
    }
  }

  /// The link ends, and unfinished pairings on it end, too.
  mutating func end(_ link: LinkID) {
    simplePairings[link] = nil
    requestedKeys[link] = nil
    linkManager.end(link)
  }

  private mutating func pairing(
    with peer: BluetoothAddress?, _ moment: PacketContext, _ tables: inout Tables
  ) -> (PacketContext, DeviceID?) {
    let found = tables.atPeer(peer, moment)
    tables.secures(found.0)
    return found
  }

  private mutating func emit(
    _ step: SimplePairing.Step, _ moment: PacketContext, _ device: DeviceID?,
    severity: Event.Severity = .info, _ tables: inout Tables
  ) {
    tables.emit(.security(.pairing(.simple(step))), moment, severity: severity, device: device)
  }

  private mutating func capability(
    _ reported: HCISecurityEvent.IOCapability, isPeer: Bool, _ moment: PacketContext,
    _ device: DeviceID?, _ tables: inout Tables
  ) {
    let stated = SimplePairing.Capability(
      ioCapability: reported.ioCapability, oobDataPresent: reported.oobDataPresent,
      authenticationRequirements: reported.authenticationRequirements)
    emit(.capability(stated, isPeer: isPeer), moment, device, &tables)
    guard let link = moment.link else { return }
    simplePairings[link, default: SimplePairing()].take(stated, isPeer: isPeer)
    if let method = simplePairings[link]?.method {
      emit(.method(method), moment, device, &tables)
    }
  }
}

extension Tables {
  /// Events of BR/EDR security name their peer by its address, not by the link.
  mutating func atPeer(_ address: BluetoothAddress?, _ moment: PacketContext) -> (
    PacketContext, DeviceID?
  ) {
    guard let address else { return (moment, nil) }
    var moment = moment
    moment.link = moment.link ?? links.brEDR(to: address, on: moment.controller)
    return (moment, devices.device(at: address, moment.packet))
  }
}
