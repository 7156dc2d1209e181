import HarkCore
import HarkDissection

/// BR/EDR links: roles, modes, synchronous links. Core Specification, Vol 4, Part E, 7.1, 7.7.
struct ConnectionFollower {
  var pending = PendingConnections()
  var sounding = SoundingFollower()

  /// Changes of links that are open. 7.7
  mutating func take(_ event: HCILinkEvent, _ moment: PacketContext, _ tables: inout Tables) {
    switch event {
    case .roleChange(let change): roleChanged(change, moment, &tables)
    case .modeChange(let change): modeChanged(change, moment, &tables)
    case .synchronousConnectionChanged(let status, let parameters):
      synchronousChanged(status, parameters, moment, &tables)
    case .sniffSubrating(let it): sniffSubrated(it, moment, &tables)
    case .flushOccurred: flushed(moment, &tables)
    case .qosViolation:
      tables.emit(.link(.change(.qualityViolated(.init()))), moment, severity: .warning)
    case .enhancedFlushComplete:
      if let link = moment.link { tables.links[link].flushRequested = nil }
      tables.emit(.link(.change(.flushCompleted(.init()))), moment)
    case .linkSupervisionTimeoutChanged(let timeout):
      tables.emit(.link(.change(.supervisionTimeout(.init(timeout: timeout)))), moment)
    }
  }

  /// HCI_Flush_Occurred, after the host's command or by itself. 7.3.4, 7.7.17
  private func flushed(_ moment: PacketContext, _ tables: inout Tables) {
    let request = moment.link.flatMap { tables.links[$0].flushRequested }
    if let link = moment.link { tables.links[link].flushRequested = nil }
    func mayFollow(_ start: Timestamp, in packet: PacketID) -> Bool {
      tables.counts.elapsedAtLeast(since: start, in: packet, moment) <= Self.longestFlush
    }
    let isRequested = request.map { mayFollow($0.time, in: $0.packet) } ?? false
    // The command may also precede the capture.
    let mayLackRequest =
      tables.counts.lost > 0
      || tables.counts.firstTime.map { mayFollow($0, in: PacketID(1)) } ?? true
    let cause: LinkChangeEvent.DataFlushed.Cause? =
      isRequested ? .host : mayLackRequest ? nil : .timeout
    tables.emit(
      .link(.change(.dataFlushed(.init(cause: cause)))), moment,
      severity: isRequested ? .info : .warning)
  }

  /// How long a controller takes to flush, in nanoseconds.
  private static let longestFlush: Int64 = 1_000_000_000

  // MARK: Connections that are being established

  /// This host's role on the link that is open now, or whose request failed; nil if nothing shows it.
  mutating func endExpectation(of peer: BluetoothAddress, _ moment: PacketContext) -> Link.Role? {
    pending.take(peer, controller: moment.controller)
  }

  /// The host has accepted the peer's request, or it is over.
  /// - Returns: Whether this host refused it; nil if no peer requested it.
  @discardableResult
  mutating func endRequest(
    of peer: BluetoothAddress, isSynchronous: Bool, _ moment: PacketContext
  ) -> Bool? {
    pending.endRequest(of: peer, isSynchronous: isSynchronous, controller: moment.controller)
  }

  mutating func refused(_ peer: BluetoothAddress, isSynchronous: Bool, _ moment: PacketContext) {
    pending.refused(peer, isSynchronous: isSynchronous, controller: moment.controller)
  }

  mutating func forget(controller: UInt16) { pending.forget(controller: controller) }

  // MARK: Roles

  /// The side that requests a connection is its Central, until an HCI_Role_Change.
  mutating func expect(_ role: Link.Role, _ peer: BluetoothAddress?, _ moment: PacketContext) {
    guard let peer else { return }
    pending.expect(role, with: peer, controller: moment.controller)
  }

  /// If the role changes while the link is being set up, that event precedes its HCI_Connection_Complete. 7.7.18.
  private mutating func roleChanged(
    _ change: HCILinkEvent.RoleChange, _ moment: PacketContext, _ tables: inout Tables
  ) {
    let (role, peer) = (Link.Role(change.newRole), change.address)
    guard change.status == 0 else {
      var moment = moment
      moment.link = tables.links.brEDR(to: peer, on: moment.controller)
      return tables.emit(
        .link(.change(.roleFailed(.init(status: change.status)))), moment, severity: .warning,
        device: tables.devices.device(at: peer, moment.packet))
    }
    guard let link = tables.links.brEDR(to: peer, on: moment.controller) else {
      return expect(role, peer, moment)
    }
    guard tables.links[link].role != role else { return }
    tables.links[link].role = role
    var moment = moment
    moment.link = link
    tables.emit(.link(.change(.roleChanged(.init(role: role)))), moment)
  }

  /// The answer to HCI_Role_Discovery. 7.2.7
  mutating func roleAnswered(
    _ handle: UInt16, _ role: HCILinkEvent.Role, _ moment: PacketContext, _ tables: inout Tables
  ) {
    guard let link = tables.links.find(moment.controller, handle) else { return }
    tables.links[link].role = Link.Role(role)
  }

  /// The answer to HCI_Read_Encryption_Key_Size. 7.5.7
  mutating func keySizeAnswered(
    _ handle: UInt16, _ size: UInt8, _ moment: PacketContext, _ tables: inout Tables
  ) {
    guard let link = tables.links.find(moment.controller, handle),
      let size = tables.keySize(size, link),
      tables.links[link].keySize != size
    else { return }
    tables.links[link].keySize = size
    var moment = moment
    moment.link = link
    tables.emit(
      .security(.encryptionKeySize(.init(size: size))), moment,
      severity: size < 16 ? .warning : .info)
  }

  // MARK: Synchronous links

  /// 7.7.36
  private mutating func synchronousChanged(
    _ status: UInt8, _ parameters: HCILinkEvent.SynchronousParameters?, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    guard let link = moment.link else { return }
    guard status == 0 else {
      return tables.emit(
        .link(.change(.synchronousFailed(.init(status: status)))), moment, severity: .warning)
    }
    guard let parameters else { return }
    var changed = Link.Synchronous(parameters)
    changed.airMode = tables.links[link].synchronous?.airMode
    tables.links[link].synchronous = changed
    tables.emit(.link(.change(.synchronous(.init(parameters: changed)))), moment)
  }

  /// Active, hold or sniff mode. 7.7.20
  private mutating func modeChanged(
    _ change: HCILinkEvent.ModeChange, _ moment: PacketContext, _ tables: inout Tables
  ) {
    guard change.status == 0 else {
      return tables.emit(
        .link(.change(.modeFailed(.init(status: change.status, isSubrating: false)))), moment,
        severity: .warning)
    }
    guard let mode = change.mode, let interval = change.interval else { return }
    tables.emit(.link(.change(.modeChanged(.init(mode: mode, interval: interval)))), moment)
  }
}

extension Tables {
  /// The stream of a synchronous link; nil on other links.
  mutating func synchronousStream(of link: LinkID, _ moment: PacketContext) -> StreamID? {
    if let stream = links[link].sound { return stream }
    let transport = links[link].transport
    guard [.sco, .esco, .unknown].contains(transport) else { return nil }
    let stream = openStream(.synchronous(transport), link, moment)
    links[link].sound = stream
    return stream
  }
}
