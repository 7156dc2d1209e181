import HarkCore
import HarkDissection

// BR/EDR links: roles, synchronous links, Secure Simple Pairing. Core Specification, Vol 4, Part E, 7.1, 7.7.
extension Session {
  // MARK: Roles

  /// Who asks for a connection is its Central, until an HCI_Role_Change says otherwise.
  mutating func expect(_ role: Link.Role, _ peer: BluetoothAddress?, _ moment: PacketContext) {
    guard let peer else { return }
    connections.expect(role, with: peer, controller: moment.controller)
  }

  /// A role that changes while the link is set up comes before its HCI_Connection_Complete. 7.7.18.
  mutating func roleChanged(_ change: HCIEventMessage.RoleChange, _ moment: PacketContext) {
    let (role, peer) = (Link.Role(change.newRole), change.address)
    guard change.status == 0 else {
      var moment = moment
      moment.link = linkTable.brEDR(to: peer, on: moment.controller)
      return emit(
        .link(.roleFailed(.init(status: change.status))), moment, severity: .warning,
        device: deviceTable.device(at: peer, moment.packet))
    }
    guard let link = linkTable.brEDR(to: peer, on: moment.controller) else {
      return expect(role, peer, moment)
    }
    guard linkTable[link].role != role else { return }
    linkTable[link].role = role
    var moment = moment
    moment.link = link
    emit(.link(.roleChanged(.init(role: role))), moment)
  }

  /// The answer to HCI_Role_Discovery. 7.2.7
  mutating func roleAnswered(
    _ handle: UInt16, _ role: HCIEventMessage.Role, _ moment: PacketContext
  ) {
    guard let link = linkTable.find(moment.controller, handle) else { return }
    linkTable[link].role = Link.Role(role)
  }

  /// The answer to HCI_Read_Encryption_Key_Size. 7.5.7
  mutating func keySizeAnswered(_ handle: UInt16, _ size: UInt8, _ moment: PacketContext) {
    guard let link = linkTable.find(moment.controller, handle), let size = keySize(size, link),
      linkTable[link].keySize != size
    else { return }
    linkTable[link].keySize = size
    var moment = moment
    moment.link = link
    emit(
      .security(.encryptionKeySize(.init(size: size))), moment,
      severity: size < 16 ? .warning : .info)
  }

  // MARK: Synchronous links

  /// 7.7.36
  mutating func synchronousChanged(
    _ status: UInt8, _ parameters: HCIEventMessage.SynchronousParameters?, _ moment: PacketContext
  ) {
    guard status == 0, let link = moment.link, let parameters else { return }
    var changed = Link.Synchronous(parameters)
    changed.airMode = linkTable[link].synchronous?.airMode
    linkTable[link].synchronous = changed
    emit(.link(.synchronous(.init(parameters: changed))), moment)
  }

  /// Active, hold or sniff mode. 7.7.20
  mutating func modeChanged(_ change: HCIEventMessage.ModeChange, _ moment: PacketContext) {
    guard change.status == 0 else {
      return emit(.link(.modeFailed(.init(status: change.status))), moment, severity: .warning)
    }
    guard let mode = change.mode, let interval = change.interval else { return }
    emit(.link(.modeChanged(.init(mode: mode, interval: interval))), moment)
  }

  /// The stream of a synchronous link; nil on other links.
  mutating func synchronousStream(of link: LinkID, _ moment: PacketContext) -> StreamID? {
    if let stream = linkTable[link].sound { return stream }
    let transport = linkTable[link].transport
    guard [.sco, .esco, .unknown].contains(transport) else { return nil }
    let stream = openStream(.synchronous(transport), link, moment)
    linkTable[link].sound = stream
    return stream
  }

  // MARK: Secure Simple Pairing

  /// Events of BR/EDR security name their peer by its address, not by the link.
  mutating func atPeer(_ address: BluetoothAddress?, _ moment: PacketContext) -> (
    PacketContext, DeviceID?
  ) {
    guard let address else { return (moment, nil) }
    var moment = moment
    moment.link = moment.link ?? linkTable.brEDR(to: address, on: moment.controller)
    return (moment, deviceTable.device(at: address, moment.packet))
  }

  /// HCI_IO_Capability_Request_Reply. 7.1.29.
  mutating func capabilityFromHost(_ command: HCICommandMessage, _ moment: PacketContext) {
    let (moment, device) = atPeer(command.peer, moment)
    if let capability = command.ioCapability {
      self.capability(capability, isPeer: false, moment, device)
    }
  }

  /// HCI_IO_Capability_Request_Negative_Reply. 7.1.36.
  mutating func pairingRefused(_ command: HCICommandMessage, _ moment: PacketContext) {
    guard let reason = command.reason, let peer = command.peer else { return }
    let (moment, device) = atPeer(peer, moment)
    emit(
      .security(.pairing(.simple(.refused(reason: reason)))), moment, severity: .error,
      device: device)
  }

  /// Events of pairing over BR/EDR.
  mutating func simplePairing(_ event: HCIEventMessage, _ moment: PacketContext) {
    switch event {
    case .pinCodeRequest(let peer):
      let (moment, device) = pairing(with: peer, moment)
      emit(.security(.pairing(.pinRequested(.init()))), moment, device: device)
    case .ioCapabilityResponse(let peer, let capability):
      let (moment, device) = pairing(with: peer, moment)
      if let capability { self.capability(capability, isPeer: true, moment, device) }
    case .userConfirmationRequest(let peer, let number):
      let (moment, device) = pairing(with: peer, moment)
      let method = moment.link.flatMap { linkTable[$0].simplePairing.method }
      emit(
        .numericValue(number, isCompared: method == .numericComparison), moment, device)
    case .userPasskeyRequest(let peer):
      let (moment, device) = pairing(with: peer, moment)
      emit(.passkeyRequested, moment, device)
    case .remoteOOBDataRequest(let peer):
      let (moment, device) = pairing(with: peer, moment)
      emit(.oobDataRequested, moment, device)
    case .simplePairingComplete(let peer, let status):
      let (moment, device) = pairing(with: peer, moment)
      if let link = moment.link { linkTable[link].simplePairing = SimplePairing() }
      emit(.ended(status: status), moment, device, severity: status == 0 ? .info : .error)
    case .userPasskeyNotification(let peer, let passkey):
      let (moment, device) = pairing(with: peer, moment)
      emit(.passkey(passkey), moment, device)
    default: break
    }
  }

  private mutating func pairing(
    with peer: BluetoothAddress?, _ moment: PacketContext
  ) -> (PacketContext, DeviceID?) {
    let found = atPeer(peer, moment)
    secures(found.0)
    return found
  }

  private mutating func emit(
    _ step: SimplePairing.Step, _ moment: PacketContext, _ device: DeviceID?,
    severity: Event.Severity = .info
  ) {
    emit(.security(.pairing(.simple(step))), moment, severity: severity, device: device)
  }

  private mutating func capability(
    _ told: HCIEventMessage.IOCapability, isPeer: Bool, _ moment: PacketContext, _ device: DeviceID?
  ) {
    let capability = SimplePairing.Capability(
      ioCapability: told.ioCapability, oobDataPresent: told.oobDataPresent,
      authenticationRequirements: told.authenticationRequirements)
    emit(.capability(capability, isPeer: isPeer), moment, device)
    guard let link = moment.link else { return }
    linkTable[link].simplePairing.take(capability, isPeer: isPeer)
    if let method = linkTable[link].simplePairing.method { emit(.method(method), moment, device) }
  }
}
