import HarkCore
import HarkDissection

// BR/EDR links: roles, synchronous links, Secure Simple Pairing. Core Specification, Vol 4, Part E, 7.1, 7.7.
extension Session {
  // MARK: Roles

  /// Who asks for a connection is its Central, until an HCI_Role_Change says otherwise.
  mutating func expect(_ role: Link.Role, _ peer: BluetoothAddress, _ moment: Moment) {
    connections.expect(role, with: peer, controller: moment.controller)
  }

  /// A role that changes while the link is set up comes before its HCI_Connection_Complete. 7.7.18.
  mutating func roleChanged(_ status: UInt8?, _ moment: Moment) {
    guard let status, let address = value(Paths.HCI.address),
      let newRole = value(Paths.HCI.role)
    else { return }
    let role: Link.Role = newRole == 0 ? .central : .peripheral
    let peer = BluetoothAddress(address)
    guard status == 0 else {
      var moment = moment
      moment.link = linkTable.classic(to: peer, on: moment.controller)
      return emit(
        .link(.roleFailed(.init(status: status))), moment, severity: .warning,
        device: deviceTable.device(at: peer, moment.packet))
    }
    guard let link = linkTable.classic(to: peer, on: moment.controller) else {
      return expect(role, peer, moment)
    }
    guard linkTable[link].role != role else { return }
    linkTable[link].role = role
    var moment = moment
    moment.link = link
    emit(.link(.roleChanged(.init(role: role))), moment)
  }

  /// The answers to HCI_Role_Discovery and HCI_Read_Encryption_Key_Size. 7.2.7, 7.5.7.
  mutating func linkAnswered(_ opcode: UInt16, _ moment: Moment) {
    guard let handle = value(Paths.HCI.handle),
      let link = linkTable.find(moment.controller, UInt16(truncatingIfNeeded: handle))
    else { return }
    if opcode == 0x0809 {
      guard let role = value(Paths.HCI.role) else { return }
      linkTable[link].role = role == 0 ? .central : .peripheral
      return
    }
    guard let size = keySize(link), linkTable[link].keySize != size else { return }
    linkTable[link].keySize = size
    var moment = moment
    moment.link = link
    emit(
      .security(.encryptionKeySize(.init(size: size))), moment,
      severity: size < 16 ? .warning : .info)
  }

  // MARK: Synchronous links

  /// What the event that was described says of a synchronous link. 7.7.35, 7.7.36.
  func synchronous() -> Link.Synchronous? {
    guard let interval = number(Paths.HCI.transmissionInterval, UInt8.self),
      let tx = number(Paths.HCI.txPacketLength, UInt16.self),
      let rx = number(Paths.HCI.rxPacketLength, UInt16.self)
    else { return nil }
    return Link.Synchronous(
      airMode: number(Paths.HCI.airMode), transmissionInterval: interval, txPacketLength: tx,
      rxPacketLength: rx)
  }

  mutating func synchronousChanged(_ status: UInt8?, _ moment: Moment) {
    guard status == 0, let link = moment.link, var parameters = synchronous() else { return }
    parameters.airMode = linkTable[link].synchronous?.airMode
    linkTable[link].synchronous = parameters
    emit(.link(.synchronous(.init(parameters: parameters))), moment)
  }

  /// Active, hold or sniff mode. 7.7.20
  mutating func modeChanged(_ status: UInt8?, _ moment: Moment) {
    guard let status else { return }
    guard status == 0 else {
      return emit(.link(.modeFailed(.init(status: status))), moment, severity: .warning)
    }
    guard let mode = number(Paths.HCI.currentMode, UInt8.self),
      let interval = number(Paths.HCI.modeInterval, UInt16.self)
    else { return }
    emit(.link(.modeChanged(.init(mode: mode, interval: interval))), moment)
  }

  /// The stream of a synchronous link; nil on other links.
  mutating func sound(of link: LinkID, _ moment: Moment) -> StreamID? {
    if let stream = linkTable[link].sound { return stream }
    let transport = linkTable[link].transport
    guard [.sco, .esco, .unknown].contains(transport) else { return nil }
    let stream = openStream(.synchronous(transport), link, moment)
    linkTable[link].sound = stream
    return stream
  }

  // MARK: Secure Simple Pairing

  /// Events of BR/EDR security name their peer by its address, not by the link.
  mutating func atPeer(_ moment: Moment) -> (Moment, DeviceID?) {
    guard let address = value(Paths.HCI.address).map({ BluetoothAddress($0) }) else {
      return (moment, nil)
    }
    var moment = moment
    moment.link = moment.link ?? linkTable.classic(to: address, on: moment.controller)
    return (moment, deviceTable.device(at: address, moment.packet))
  }

  /// HCI_IO_Capability_Request_Reply. 7.1.29.
  mutating func capabilityFromHost(_ moment: Moment) {
    let (moment, device) = atPeer(moment)
    capability(isPeer: false, moment, device)
  }

  /// HCI_IO_Capability_Request_Negative_Reply. 7.1.36.
  mutating func pairingRefused(_ bytes: RawSpan, _ peer: BluetoothAddress?, _ moment: Moment) {
    guard bytes.byteCount > 9, let peer else { return }
    var moment = moment
    moment.link = moment.link ?? linkTable.classic(to: peer, on: moment.controller)
    emit(
      .security(.pairing(.simple(.refused(reason: bytes.byte(at: 9))))), moment,
      severity: .error,
      device: deviceTable.device(at: peer, moment.packet))
  }

  mutating func simplePairing(_ code: UInt16, _ status: UInt8?, _ moment: Moment) {
    let (moment, device) = atPeer(moment)
    secures(moment)
    let step: SimplePairing.Step
    switch code {
    case 0x16:
      return emit(.security(.pairing(.pinRequested(.init()))), moment, device: device)
    case 0x32: return capability(isPeer: true, moment, device)
    case 0x33:
      let method = moment.link.flatMap { linkTable[$0].simplePairing.method }
      guard let number = number(Paths.HCI.numericValue, UInt32.self) else { return }
      step = .numericValue(number, isCompared: method == .numericComparison)
    case 0x34: step = .passkeyRequested
    case 0x35: step = .oobDataRequested
    case 0x36:
      guard let status else { return }
      if let link = moment.link { linkTable[link].simplePairing = SimplePairing() }
      step = .ended(status: status)
    default:
      guard let passkey = number(Paths.HCI.passkey, UInt32.self) else { return }
      step = .passkey(passkey)
    }
    let hasFailed = code == 0x36 && status != 0
    emit(
      .security(.pairing(.simple(step))), moment, severity: hasFailed ? .error : .info,
      device: device)
  }

  private mutating func capability(isPeer: Bool, _ moment: Moment, _ device: DeviceID?) {
    guard let ioCapability = number(Paths.HCI.ioCapability, UInt8.self),
      let oobDataPresent = number(Paths.HCI.oobDataPresent, UInt8.self),
      let requirements = number(Paths.HCI.authenticationRequirements, UInt8.self)
    else { return }
    let capability = SimplePairing.Capability(
      ioCapability: ioCapability, oobDataPresent: oobDataPresent,
      authenticationRequirements: requirements)
    emit(
      .security(.pairing(.simple(.capability(capability, isPeer: isPeer)))), moment,
      device: device)
    guard let link = moment.link else { return }
    linkTable[link].simplePairing.take(capability, isPeer: isPeer)
    if let method = linkTable[link].simplePairing.method {
      emit(.security(.pairing(.simple(.method(method)))), moment, device: device)
    }
  }
}
