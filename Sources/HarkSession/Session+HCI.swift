import HarkCore
import HarkDissection

// HCI commands and events: controllers, links and their parameters.
// Core Specification, Vol 4, Part E, 7.
extension Session {
  /// A command changes nothing: `commandDone` takes up what its answer says was done. What is taken
  /// from it here are keys and what the host says of itself, which are so whatever the answer is.
  mutating func command(_ bytes: RawSpan, _ moment: inout PacketContext) {
    let facts = facts(bytes, .command, moment)
    malformed(facts, moment)
    if facts.handle != Facts.noHandle {
      moment.link = linkTable.find(moment.controller, facts.handle)
    }
    let command = HCICommandMessage(bytes, isCut: moment.isTruncated)
    commands.sent(
      PendingCommands.Command(
        controller: moment.controller, opcode: facts.code, packet: moment.packet.number,
        time: moment.time, link: moment.link, purpose: CommandPurpose(command),
        bytes: Self.isKept(command.opcode) ? bytes.array : [], subject: command.subject))
    switch command.opcode {
    case .linkKeyRequestReply, .leEnableEncryption, .leLongTermKeyRequestReply:
      commands.setKey(keyFromHost(command, bytes, moment))
    case .leAddDeviceToResolvingList: resolvingListed(command, bytes, moment)
    case .createConnection: expect(.central, command.peer, moment)
    case .acceptConnectionRequest: expect(.peripheral, command.peer, moment)
    case .acceptSynchronousConnectionRequest:
      guard let peer = command.peer else { return }
      _ = connections.endRequest(of: peer, isSynchronous: true, controller: moment.controller)
    case .ioCapabilityRequestReply: capabilityFromHost(command, moment)
    case .linkKeyRequestNegativeReply: linkKeyMissing(command.peer, moment)
    case .leLongTermKeyRequestNegativeReply: longTermKeyMissing(moment)
    case .leSetCIGParameters, .leCreateCIS: isochronousCommand(command, moment)
    case nil where HCIOpcode.isVendorSpecific(command.code) && accessories.framings.usesVendorHCI:
      vendorCommand(command.code, bytes, moment)
    default: break
    }
  }

  private static let leMeta = UInt16(HCIEventCode.leMeta.rawValue)
  private static let advertisingReports = [
    LESubeventCode.advertisingReport, .directedAdvertisingReport, .extendedAdvertisingReport,
  ].map { UInt16($0.rawValue) }

  mutating func event(_ bytes: RawSpan, _ moment: inout PacketContext) {
    let facts = facts(bytes, .event, moment)
    malformed(facts, moment)
    if facts.handle != Facts.noHandle {
      moment.link = linkTable.find(moment.controller, facts.handle)
    }
    if moment.link.map({ linkTable[$0].transport == .unknown }) ?? true {
      inferLink(facts, bytes, &moment)
    }
    // Most events are these. They change little, and no message is made of them.
    if facts.code == Self.leMeta, Self.advertisingReports.contains(facts.subcode) {
      return reports(facts, bytes, moment)
    }
    switch HCIEventMessage(bytes, context(.event, moment)) {
    case .commandComplete(let answer): commandAnswered(answer, bytes, moment)
    case .commandStatus(let answer): commandAnswered(answer, moment)
    case .numberOfCompletedPackets: completedPackets(bytes, moment)
    case .leMeta(let event): leEvent(event, facts, bytes, &moment)
    case .vendorSpecific: if accessories.framings.usesVendorHCI { vendorEvent(bytes, moment) }
    case .connectionComplete(let complete): connected(complete, &moment)
    case .connectionRequest(let request): connectionRequested(request, moment)
    case .disconnectionComplete(let complete): disconnected(complete, moment)
    case .inquiryComplete(let status): inquiryCompleted(status, moment)
    case .inquiryResult(let responses, let isExtended):
      inquiryResult(responses, moment)
      if isExtended { extendedInquiryResult(responses, bytes, moment) }
    case .hardwareError(let code):
      emit(.controller(.hardwareError(.init(code: code))), moment, severity: .error)
    case .dataBufferOverflow(let linkType):
      emit(.controller(.bufferOverflow(.init(linkType: linkType))), moment, severity: .error)
    case .other: break
    case let event: linkEvent(event, bytes, moment)
    }
  }

  mutating func controllerAnswered(_ returns: HCICommandComplete.Returns, _ moment: PacketContext) {
    switch returns {
    case .address(let address): controllerTable[moment.controller].address = address
    case .localVersion(let version, let company):
      controllerTable[moment.controller].version = version
      controllerTable[moment.controller].company = company
      emit(.controller(.version(.init(version: version, company: company))), moment)
    default: break
    }
  }

  // MARK: Links

  private mutating func connected(
    _ complete: HCIEventMessage.ConnectionComplete, _ moment: inout PacketContext
  ) {
    let status = complete.status
    let transport = Link.Transport(complete.linkType)
    let role =
      transport == .brEDR
      ? complete.address.flatMap { connections.take($0, controller: moment.controller) } : nil
    let isRefused = complete.address.flatMap { peer in
      connections.endRequest(
        of: peer, isSynchronous: transport != .brEDR, controller: moment.controller)
    }
    guard status == 0 else {
      // Without an answer of the host the controller refuses what a peer asked for. 6.7
      let error = HCIErrorCode(rawValue: status)
      let isOurs =
        isRefused == true
        ? error?.isRejection == true
        : isRefused == false && error == .connectionAcceptTimeoutExceeded
      return emit(
        .link(
          .failed(
            .init(
              status: status, peer: complete.address, transport: transport, isOurs: isOurs))),
        moment,
        severity: isOurs || error == .connectionAlreadyExists ? .info : .error)
    }
    guard let address = complete.address, let handle = complete.handle else { return }
    open(
      handle, transport, address, role: role,
      synchronous: complete.synchronous.map { Link.Synchronous($0) }, &moment)
  }

  private mutating func open(
    _ handle: UInt16, _ transport: Link.Transport, _ peer: BluetoothAddress, role: Link.Role?,
    timing: LEMetaEvent.Timing? = nil, synchronous: Link.Synchronous? = nil,
    _ moment: inout PacketContext
  ) {
    if let old = linkTable.find(moment.controller, handle) { close(old, reason: nil, moment) }
    guard
      let link = linkTable.open(moment.controller, handle, transport, moment.packet, .seen)
    else { return }
    moment.link = link
    linkTable.setPeer(peer, on: link)
    linkTable[link].role = role
    linkTable[link].device = deviceTable.device(at: peer, moment.packet)
    if let timing { set(timing, of: link) }
    linkTable[link].synchronous = synchronous
    emit(.link(.opened(.init())), moment, severity: timing.map { Self.severity($0) } ?? .info)
    _ = synchronousStream(of: link, moment)
    soundChanged(link, isOn: true, moment)
  }

  private mutating func set(_ timing: LEMetaEvent.Timing, of link: LinkID) {
    linkTable[link].interval = timing.interval
    linkTable[link].latency = timing.latency
    linkTable[link].supervisionTimeout = timing.supervisionTimeout
  }

  private mutating func disconnected(
    _ complete: HCIEventMessage.DisconnectionComplete, _ moment: PacketContext
  ) {
    guard complete.status == 0 else {
      return emit(
        .link(.closeFailed(.init(status: complete.status))), moment, severity: .warning)
    }
    guard let link = moment.link else { return isochronousEnded(complete, moment) }
    close(link, reason: complete.reason, moment)
  }

  mutating func close(_ link: LinkID, reason: UInt8?, _ moment: PacketContext) {
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
    let isExpected = reason.map { HCIErrorCode(rawValue: $0)?.isOrdinaryEnd == true } ?? true
    emit(
      .link(.closed(.init(reason: reason))), moment, severity: isExpected ? .info : .warning)
  }

  // MARK: LE Meta events. 7.7.65

  private mutating func leEvent(
    _ event: LEMetaEvent, _ facts: Facts, _ bytes: RawSpan, _ moment: inout PacketContext
  ) {
    switch event {
    case .advertisingReport: reports(facts, bytes, moment)
    case .connectionComplete(let complete): leConnected(complete, &moment)
    case .scanTimeout: scan(isOn: false, moment)
    case .readRemoteFeaturesComplete(let status):
      if status != 0 { notObtained(.features, status, moment) }
    case .advertisingSetTerminated(let end): advertisingEnded(end, moment)
    case .connectionUpdateComplete(let status, let timing): leUpdated(status, timing, moment)
    case .remoteConnectionParameterRequest(let request): parametersRequested(request, moment)
    case .dataLengthChange(let tx, let rx):
      if moment.link != nil { emit(.link(.dataLength(.init(tx: tx, rx: rx))), moment) }
    case .phyUpdateComplete(let update): phyUpdated(update, moment)
    case .cisEstablished, .cisRequest, .createBIGComplete, .terminateBIGComplete,
      .bigSyncEstablished, .bigSyncLost:
      isochronous(event, &moment)
    case .periodicAdvertisingSyncEstablished, .periodicAdvertisingSyncTransferReceived,
      .periodicAdvertisingReport, .periodicAdvertisingSyncLost, .bigInfoAdvertisingReport,
      .periodicAdvertisingSubeventDataRequest, .periodicAdvertisingResponseReport:
      periodic(event, bytes, moment)
    case .other: break
    }
  }

  private mutating func leConnected(
    _ complete: LEMetaEvent.ConnectionComplete, _ moment: inout PacketContext
  ) {
    let (status, peer) = (complete.status, complete.peer)
    guard status == 0 else {
      let error = HCIErrorCode(rawValue: status)
      // Directed advertising that nobody answered ends so, too. 7.7.65.1
      if error == .advertisingTimeout,
        controllerTable[moment.controller].sets.isOn(AdvertisingSets.legacy) == true
      {
        return legacyAdvertisingEnded(status, moment)
      }
      // A cancelled attempt ends so. 7.8.13
      return emit(
        .link(
          .failed(.init(status: status, peer: peer?.value == 0 ? nil : peer, transport: .le))),
        moment,
        severity: error == .unknownConnectionIdentifier ? .info : .error)
    }
    guard let peer, let role = complete.role, let handle = complete.handle else { return }
    if let address = complete.resolvedFrom { resolved(peer, from: address, moment) }
    open(handle, .le, peer, role: Link.Role(role), timing: complete.timing, &moment)
    if role == .peripheral { legacyAdvertisingEnded(0, moment) }
  }

  private mutating func leUpdated(
    _ status: UInt8, _ timing: LEMetaEvent.Timing?, _ moment: PacketContext
  ) {
    guard let link = moment.link else { return }
    let isAsked = linkTable[link].isAskingForParameters
    if isAsked { linkTable[link].isAskingForParameters = false }
    guard status == 0 else {
      return emit(
        .link(
          isAsked && HCIErrorCode(rawValue: status)?.isRefusalOfParameters == true
            ? .parametersRefused(
              .init(byPeer: true, isLinkLayer: true, refusal: .status(status)))
            : .parametersFailed(.init(status: status))), moment, severity: .warning)
    }
    guard let timing else { return }
    set(timing, of: link)
    emit(
      .link(
        .parameters(
          .init(
            interval: timing.interval, latency: timing.latency,
            timeout: timing.supervisionTimeout))), moment, severity: Self.severity(timing))
  }

  private mutating func parametersRequested(
    _ request: LEMetaEvent.ParameterRequest, _ moment: PacketContext
  ) {
    guard moment.link != nil else { return }
    emit(
      .link(
        .parametersRequested(
          .init(
            request: Link.ParameterRequest(
              minimum: request.intervalMin, maximum: request.intervalMax,
              latency: request.latency, timeout: request.supervisionTimeout,
              isLinkLayer: true)))), moment,
      severity: Self.severity(
        request.intervalMin, request.intervalMax, request.latency, request.supervisionTimeout))
  }

  private mutating func phyUpdated(_ update: LEMetaEvent.PHYUpdate, _ moment: PacketContext) {
    guard let link = moment.link else { return }
    guard update.status == 0 else {
      return emit(.link(.phyFailed(.init(status: update.status))), moment, severity: .warning)
    }
    guard let tx = update.tx, let rx = update.rx else { return }
    (linkTable[link].txPHY, linkTable[link].rxPHY) = (tx, rx)
    emit(.link(.phy(.init(tx: tx, rx: rx))), moment)
  }

  /// What this host, or its controller, asked a peer for, did not come.
  private mutating func notObtained(
    _ what: Link.PeerInformation, _ status: UInt8, _ moment: PacketContext,
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

  private static func severity(_ timing: LEMetaEvent.Timing) -> Event.Severity {
    severity(timing.interval, timing.interval, timing.latency, timing.supervisionTimeout)
  }

  // MARK: Other events of a link

  private mutating func linkEvent(
    _ event: HCIEventMessage, _ bytes: RawSpan, _ moment: PacketContext
  ) {
    switch event {
    case .remoteNameRequestComplete(let answer): nameAnswered(answer, bytes, moment)
    case .readRemoteSupportedFeaturesComplete(let status):
      if status != 0 { notObtained(.features, status, moment) }
    case .readRemoteExtendedFeaturesComplete(let status):
      if status != 0 { notObtained(.extendedFeatures, status, moment) }
    case .readRemoteVersionInformationComplete(let answer):
      guard answer.status == 0 else { return notObtained(.version, answer.status, moment) }
      guard let version = answer.version, let company = answer.company else { return }
      emit(.link(.peerVersion(.init(version: version, company: company))), moment)
    case .authenticationComplete(let status):
      guard status != 0 else { return }
      emit(
        .security(.authenticationFailed(.init(status: status))), moment, severity: .error)
    case .authenticatedPayloadTimeoutExpired:
      emit(.security(.authenticatedPayloadTimeout(.init())), moment, severity: .warning)
    case .encryptionChange(let change): encryptionChanged(change, moment)
    case .encryptionKeyRefreshComplete(let status): encryptionRefreshed(status, moment)
    case .roleChange(let change): roleChanged(change, moment)
    case .modeChange(let change): modeChanged(change, moment)
    case .linkKeyNotification(let notification): keyNotified(notification, bytes, moment)
    case .synchronousConnectionChanged(let status, let parameters):
      synchronousChanged(status, parameters, moment)
    default: simplePairing(event, moment)
    }
  }

  private mutating func nameAnswered(
    _ answer: HCIEventMessage.RemoteName, _ bytes: RawSpan, _ moment: PacketContext
  ) {
    guard answer.status == 0 else {
      return notObtained(.name, answer.status, moment, answer.address)
    }
    guard !moment.isTruncated, let address = answer.address, let name = answer.name else { return }
    deviceTable.heardByName(address, bytes.utf8(name), moment.packet)
  }

  /// An extended inquiry response has advertising data, in which is a name.
  private mutating func extendedInquiryResult(
    _ responses: [HCIEventMessage.InquiryResponse], _ bytes: RawSpan, _ moment: PacketContext
  ) {
    guard let address = responses.first?.address else { return }
    if wantsAdvertising { inquiryAnswered(address, bytes, moment) }
    guard !moment.isTruncated else { return }
    describe(bytes, .record(.event), moment)
    if let name = text(Paths.AD.localName, of: bytes) {
      deviceTable.heardByName(address, name, moment.packet)
    }
  }
}

extension Link.Transport {
  init(_ linkType: HCIEventMessage.LinkType) {
    switch linkType {
    case .sco: self = .sco
    case .acl: self = .brEDR
    case .esco: self = .esco
    }
  }
}

extension Link.Role {
  init(_ role: HCIEventMessage.Role) { self = role == .central ? .central : .peripheral }
}

extension Link.Synchronous {
  init(_ parameters: HCIEventMessage.SynchronousParameters) {
    self.init(
      airMode: parameters.airMode, transmissionInterval: parameters.transmissionInterval,
      txPacketLength: parameters.txPacketLength, rxPacketLength: parameters.rxPacketLength)
  }
}
