import HarkCore
import HarkDissection

// HCI commands and events: controllers, links and their parameters.
// Core Specification, Vol 4, Part E, 7.
extension Session {
  /// A command changes nothing: `commandDone` takes up what its answer says was done. What is taken
  /// from it here are keys and what the host says of itself, which are so whatever the answer is.
  mutating func command(_ bytes: RawSpan, _ moment: inout Moment) {
    let facts = facts(bytes, .command, moment)
    malformed(facts, moment)
    if facts.handle != Facts.noHandle {
      moment.link = linkTable.find(moment.controller, facts.handle)
    }
    commands.sent(
      PendingCommands.Command(
        controller: moment.controller, opcode: facts.code, packet: moment.packet.number,
        time: moment.time, link: moment.link, purpose: CommandPurpose(facts.code, bytes),
        bytes: Self.isKept(facts.code) ? bytes.array : [],
        subject: PendingCommands.subject(facts.code, bytes, at: 3)))
    switch facts.code {
    case 0x040B, 0x2019, 0x201A:
      describe(bytes, .record(.command), moment)
      commands.setKey(keyFromHost(facts.code, bytes, moment))
    case 0x2027:
      describe(bytes, .record(.command), moment)
      resolvingListed(bytes, moment)
    case 0x0405, 0x0409:
      // HCI_Create_Connection, HCI_Accept_Connection_Request. 7.1.5, 7.1.8
      expect(
        facts.code == 0x0405 ? .central : .peripheral, BluetoothAddress(bytes.unsigned(at: 3, 6)),
        moment)
    case 0x0429:
      // HCI_Accept_Synchronous_Connection_Request. 7.1.27
      _ = connections.endRequest(
        of: BluetoothAddress(bytes.unsigned(at: 3, 6)), isSynchronous: true,
        controller: moment.controller)
    case 0x042B:
      describe(bytes, .record(.command), moment)
      capabilityFromHost(moment)
    case 0x040C, 0x201B:
      describe(bytes, .record(.command), moment)
      keyMissing(facts.code, moment)
    case 0x2062, 0x2064: isochronousCommand(facts.code, bytes, moment)
    case 0xFC00... where accessories.framings.usesVendorHCI:
      vendorCommand(facts.code, bytes, moment)
    default: break
    }
  }

  mutating func event(_ bytes: RawSpan, _ moment: inout Moment) {
    let facts = facts(bytes, .event, moment)
    malformed(facts, moment)
    if facts.handle != Facts.noHandle {
      moment.link = linkTable.find(moment.controller, facts.handle)
    }
    if moment.link.map({ linkTable[$0].transport == .unknown }) ?? true {
      inferLink(facts, bytes, &moment)
    }
    switch facts.code {
    case 0x0E, 0x0F: commandAnswered(facts, bytes, moment)
    case 0x13: completedPackets(bytes, moment)
    case 0x3E: leEvent(facts, bytes, &moment)
    case 0xFF where accessories.framings.usesVendorHCI: vendorEvent(bytes, moment)
    case 0x03, 0x2C: connected(facts.code, bytes, &moment)
    case 0x01: inquiryCompleted(bytes, moment)
    case 0x02, 0x22: inquiryResult(facts.code, bytes, moment)
    case 0x04: connectionRequested(bytes, moment)
    case 0x05: disconnected(bytes, moment)
    case 0x10 where bytes.byteCount > 2:
      emit(
        .controller(.hardwareError(.init(code: bytes.byte(at: 2)))), moment, severity: .error)
    case 0x1A where bytes.byteCount > 2:
      emit(
        .controller(.bufferOverflow(.init(linkType: bytes.byte(at: 2)))), moment, severity: .error)
    case 0x57: emit(.security(.authenticatedPayloadTimeout(.init())), moment, severity: .warning)
    case 0x0B where bytes.byte(at: 2) != 0:
      notObtained(.features, bytes.byte(at: 2), moment)
    case 0x23 where bytes.byte(at: 2) != 0:
      notObtained(.extendedFeatures, bytes.byte(at: 2), moment)
    case 0x06 where bytes.byte(at: 2) != 0:
      emit(
        .security(.authenticationFailed(.init(status: bytes.byte(at: 2)))), moment,
        severity: .error)
    case 0x07, 0x08, 0x0C, 0x12, 0x14, 0x16, 0x18, 0x2D, 0x2F, 0x30, 0x59, 0x32...0x36, 0x3B:
      describe(bytes, .record(.event), moment)
      if facts.code == 0x2F { inquiryResult(facts.code, bytes, moment) }
      if facts.code == 0x2F, wantsAdvertising { inquiryAnswered(bytes, moment) }
      linkEvent(facts.code, bytes, moment)
    default: break
    }
  }

  mutating func controllerAnswered(_ moment: Moment) {
    var controller = controllerTable[moment.controller]
    if let address = value(Paths.HCI.address) { controller.address = BluetoothAddress(address) }
    if let version = value(Paths.HCI.hciVersion), let company = value(Paths.HCI.companyIdentifier) {
      controller.version = UInt8(truncatingIfNeeded: version)
      controller.company = UInt16(truncatingIfNeeded: company)
      emit(
        .controller(
          .version(
            .init(
              version: UInt8(truncatingIfNeeded: version),
              company: UInt16(truncatingIfNeeded: company)))),
        moment)
    }
    controllerTable[moment.controller] = controller
  }

  // MARK: Links

  private mutating func connected(_ code: UInt16, _ bytes: RawSpan, _ moment: inout Moment) {
    describe(bytes, .record(.event), moment)
    guard let status = number(Paths.HCI.status, UInt8.self) else { return }
    let address = value(Paths.HCI.address).map { BluetoothAddress($0) }
    let transport: Link.Transport =
      switch value(Paths.HCI.linkType) {
      case 0: .sco
      case 2: .esco
      default: code == 0x2C ? .esco : .classic
      }
    let role =
      transport == .classic
      ? address.flatMap { connections.take($0, controller: moment.controller) } : nil
    let isRefused = address.flatMap { peer in
      connections.endRequest(
        of: peer, isSynchronous: transport != .classic, controller: moment.controller)
    }
    guard status == 0 else {
      // Without an answer of the host the controller refuses what a peer asked for. 6.7
      let isOurs = isRefused == true ? 0x0D...0x0F ~= status : isRefused == false && status == 0x10
      return emit(
        .link(
          .failed(.init(status: status, peer: address, transport: transport, isOurs: isOurs))),
        moment,
        severity: isOurs || status == 0x0B ? .info : .error)
    }
    guard let address, let handle = value(Paths.HCI.handle) else { return }
    open(UInt16(truncatingIfNeeded: handle), transport, address, role: role, &moment)
  }

  private mutating func open(
    _ handle: UInt16, _ transport: Link.Transport, _ peer: BluetoothAddress, role: Link.Role?,
    _ moment: inout Moment
  ) {
    if let old = linkTable.find(moment.controller, handle) { close(old, reason: nil, moment) }
    guard
      let link = linkTable.open(moment.controller, handle, transport, moment.packet, .seen)
    else { return }
    moment.link = link
    linkTable.meet(peer, on: link)
    linkTable[link].role = role
    linkTable[link].device = deviceTable.device(at: peer, moment.packet)
    if let interval = value(Paths.HCI.interval), let latency = value(Paths.HCI.latency),
      let timeout = value(Paths.HCI.supervisionTimeout)
    {
      linkTable[link].interval = UInt16(truncatingIfNeeded: interval)
      linkTable[link].latency = UInt16(truncatingIfNeeded: latency)
      linkTable[link].supervisionTimeout = UInt16(truncatingIfNeeded: timeout)
    }
    linkTable[link].synchronous = synchronous()
    emit(
      .link(.opened(.init())), moment,
      severity: linkTable[link].interval.map {
        Self.severity(
          $0, $0, linkTable[link].latency, linkTable[link].supervisionTimeout)
      } ?? .info)
    _ = sound(of: link, moment)
    soundChanged(link, isOn: true, moment)
  }

  private mutating func disconnected(_ bytes: RawSpan, _ moment: Moment) {
    describe(bytes, .record(.event), moment)
    guard let status = number(Paths.HCI.status, UInt8.self) else { return }
    guard status == 0 else {
      return emit(.link(.closeFailed(.init(status: status))), moment, severity: .warning)
    }
    guard let link = moment.link else { return isochronousEnded(bytes, moment) }
    close(link, reason: value(Paths.HCI.reason).map { UInt8(truncatingIfNeeded: $0) }, moment)
  }

  mutating func close(_ link: LinkID, reason: UInt8?, _ moment: Moment) {
    var moment = moment
    moment.link = link
    let open = linkTable[link].openChannels(channels)
    for id in open { endSDUs(of: id, moment) }
    endTransactions(link, moment)
    expirePairing(link, moment)
    endAudio(link, moment)
    endLEAudio(link, moment)
    endBearers(link, nil, moment)
    accessoryLinkClosed(link, moment)
    soundChanged(link, isOn: false, moment)
    if let sound = linkTable[link].sound { closeStream(sound, moment) }
    for id in open {
      channels[Int(id.index)].closed = moment.packet
      closeStream(channels[Int(id.index)].stream, moment)
      endDataLinks(of: id, moment)
      endAAP(of: id, moment)
    }
    closeUnknownStreams(link, nil, moment)
    flushBuffers(link)
    linkTable.close(link, moment.packet, reason: reason)
    let isExpected = [nil, 0x13, 0x14, 0x15, 0x16].contains(reason)
    emit(
      .link(.closed(.init(reason: reason))), moment, severity: isExpected ? .info : .warning)
  }

  // MARK: LE Meta events. 7.7.65

  private mutating func leEvent(_ facts: Facts, _ bytes: RawSpan, _ moment: inout Moment) {
    switch facts.subcode {
    case 0x02, 0x0B, 0x0D: reports(facts, bytes, moment)
    case 0x0E...0x10, 0x18, 0x22, 0x24...0x28: periodic(facts.subcode, bytes, &moment)
    case 0x01, 0x0A, 0x29: leConnected(bytes, &moment)
    case 0x19...0x1E, 0x2A: isochronous(facts.subcode, bytes, &moment)
    case 0x11: scan(isOn: false, moment)
    case 0x04 where bytes.byte(at: 3) != 0: notObtained(.features, bytes.byte(at: 3), moment)
    case 0x12: advertisingEnded(bytes, moment)
    case 0x03, 0x06, 0x07, 0x0C:
      describe(bytes, .record(.event), moment)
      leUpdated(facts.subcode, moment)
    default: break
    }
  }

  private mutating func leConnected(_ bytes: RawSpan, _ moment: inout Moment) {
    describe(bytes, .record(.event), moment)
    guard let status = number(Paths.HCI.status, UInt8.self) else { return }
    let peer = value(Paths.HCI.peerAddress).map {
      BluetoothAddress($0, hciType: number(Paths.HCI.peerAddressType) ?? 0)
    }
    guard status == 0 else {
      // Directed advertising that nobody answered ends so, too. 7.7.65.1
      if status == 0x3C,
        controllerTable[moment.controller].sets.isOn(AdvertisingSets.legacy) == true
      {
        return legacyAdvertisingEnded(status, moment)
      }
      // A cancelled attempt ends with Unknown Connection Identifier. 7.8.13.
      return emit(
        .link(
          .failed(.init(status: status, peer: peer?.value == 0 ? nil : peer, transport: .le))),
        moment,
        severity: status == 0x02 ? .info : .error)
    }
    guard let peer, let role = value(Paths.HCI.role), let handle = value(Paths.HCI.handle) else {
      return
    }
    if let address = value(Paths.HCI.peerRPA), address != 0 {
      resolved(peer, from: BluetoothAddress(address, .random), moment)
    }
    open(
      UInt16(truncatingIfNeeded: handle), .le, peer,
      role: role == 0 ? .central : .peripheral, &moment)
    if role != 0 { legacyAdvertisingEnded(0, moment) }
  }

  /// What the field says in the packet that was described; nil where it is not there.
  func number<T: FixedWidthInteger>(_ field: Field, _: T.Type = T.self) -> T? {
    value(field).map { T(truncatingIfNeeded: $0) }
  }

  private mutating func leUpdated(_ subevent: UInt16, _ moment: Moment) {
    guard let link = moment.link else { return }
    let isAsked = linkTable[link].isAskingForParameters
    if subevent == 0x03, isAsked { linkTable[link].isAskingForParameters = false }
    if let status = number(Paths.HCI.status, UInt8.self), status != 0 {
      if subevent == 0x03 {
        emit(
          .link(
            isAsked && Self.isRefusal(status)
              ? .parametersRefused(
                .init(byPeer: true, isLinkLayer: true, refusal: .status(status)))
              : .parametersFailed(.init(status: status))), moment, severity: .warning)
      }
      if subevent == 0x0C {
        emit(.link(.phyFailed(.init(status: status))), moment, severity: .warning)
      }
      return
    }
    switch subevent {
    case 0x03:
      guard let interval = number(Paths.HCI.interval, UInt16.self),
        let latency = number(Paths.HCI.latency, UInt16.self),
        let timeout = number(Paths.HCI.supervisionTimeout, UInt16.self)
      else { return }
      linkTable[link].interval = interval
      linkTable[link].latency = latency
      linkTable[link].supervisionTimeout = timeout
      emit(
        .link(.parameters(.init(interval: interval, latency: latency, timeout: timeout))), moment,
        severity: Self.severity(interval, interval, latency, timeout))
    case 0x06:
      guard let minimum = number(Paths.HCI.intervalMin, UInt16.self),
        let maximum = number(Paths.HCI.intervalMax, UInt16.self),
        let latency = number(Paths.HCI.latency, UInt16.self),
        let timeout = number(Paths.HCI.supervisionTimeout, UInt16.self)
      else { return }
      emit(
        .link(
          .parametersRequested(
            .init(
              request: Link.ParameterRequest(
                minimum: minimum, maximum: maximum, latency: latency, timeout: timeout,
                isLinkLayer: true)))), moment,
        severity: Self.severity(minimum, maximum, latency, timeout))
    case 0x07:
      guard let tx = number(Paths.HCI.maxTxOctets, UInt16.self),
        let rx = number(Paths.HCI.maxRxOctets, UInt16.self)
      else { return }
      emit(.link(.dataLength(.init(tx: tx, rx: rx))), moment)
    default:
      guard let tx = number(Paths.HCI.txPHY, UInt8.self),
        let rx = number(Paths.HCI.rxPHY, UInt8.self)
      else { return }
      (linkTable[link].txPHY, linkTable[link].rxPHY) = (tx, rx)
      emit(.link(.phy(.init(tx: tx, rx: rx))), moment)
    }
  }

  /// Whether the peer does not want the connection parameters: Invalid LL Parameters, Unsupported LL
  /// Parameter Value, Unacceptable Connection Parameters. Vol 1, Part F, 2; Vol 6, Part B, 5.1.7
  private static func isRefusal(_ status: UInt8) -> Bool { [0x1E, 0x20, 0x3B].contains(status) }

  /// What this host, or its controller, asked a peer for, did not come.
  private mutating func notObtained(
    _ what: Link.PeerInformation, _ status: UInt8, _ moment: Moment,
    _ peer: BluetoothAddress? = nil
  ) {
    emit(
      .link(.peerInformationFailed(.init(information: what, status: status, peer: peer))), moment,
      severity: .warning,
      device: peer.map { deviceTable.device(at: $0, moment.packet) })
  }

  /// Parameters that the specification does not allow are worth a warning.
  static func severity(
    _ shortest: UInt16, _ longest: UInt16, _ latency: UInt16, _ timeout: UInt16
  ) -> Event.Severity {
    let faults = ConnectionTiming.faults(
      shortest: shortest, longest: longest, latency: latency, timeout: timeout)
    return faults.isEmpty ? .info : .warning
  }

  // MARK: Other events of a link

  private mutating func linkEvent(_ code: UInt16, _ bytes: RawSpan, _ moment: Moment) {
    let status = value(Paths.HCI.status).map { UInt8(truncatingIfNeeded: $0) }
    switch code {
    case 0x07 where status ?? 0 != 0:
      let address = value(Paths.HCI.address).map { BluetoothAddress($0) }
      notObtained(.name, status ?? 0, moment, address)
    case 0x07, 0x2F:
      guard status == 0 || code == 0x2F, !moment.isSliced, let address = value(Paths.HCI.address)
      else { return }
      let name =
        text(Paths.HCI.remoteName, of: bytes) ?? text(Paths.AD.localName, of: bytes)
      if let name { deviceTable.heardByName(BluetoothAddress(address), name, moment.packet) }
    case 0x08, 0x59: if let status { encryptionChanged(status, moment) }
    case 0x0C where status ?? 0 != 0: notObtained(.version, status ?? 0, moment)
    case 0x0C:
      guard status == 0, let version = number(Paths.HCI.remoteVersion, UInt8.self),
        let company = number(Paths.HCI.companyIdentifier, UInt16.self)
      else { return }
      emit(.link(.peerVersion(.init(version: version, company: company))), moment)
    case 0x12: roleChanged(status, moment)
    case 0x14: modeChanged(status, moment)
    case 0x18: keyNotified(bytes, moment)
    case 0x2D: synchronousChanged(status, moment)
    case 0x30: if let status { encryptionRefreshed(status, moment) }
    default: simplePairing(code, status, moment)
    }
  }
}
