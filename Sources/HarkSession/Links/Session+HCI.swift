import HarkCore
import HarkDissection

// HCI commands and events: controllers, links and their parameters.
// Core Specification, Vol 4, Part E, 7.
extension Session {
  /// A command alone changes nothing: `commandDone` applies what its answer confirms. Only keys and the host's
  /// statements about itself are taken from the command, because they are valid whatever the answer is.
  mutating func command(_ bytes: RawSpan, _ moment: inout PacketContext) {
    let facts = tables.facts(bytes, .command, moment)
    tables.malformed(facts, moment)
    if facts.handle != Facts.noHandle {
      moment.link = tables.links.find(moment.controller, facts.handle)
    }
    let command = HCICommandMessage(bytes, isCut: moment.isTruncated)
    expireCommands(moment.controller, moment)
    commands.sent(
      PendingCommands.Command(
        controller: moment.controller, opcode: facts.code, packet: moment.packet.number,
        time: moment.time, link: moment.link, purpose: CommandPurpose(command),
        bytes: Self.isKept(command.opcode) ? bytes.array : [], subject: command.subject))
    switch command.opcode {
    case .linkKeyRequestReply, .leEnableEncryption, .leLongTermKeyRequestReply:
      commands.setKey(traffic.security.keyFromHost(command, bytes, moment, &tables))
    case .leAddDeviceToResolvingList: tables.resolvingListed(command, bytes, moment)
    case .createConnection: connection.expect(.central, command.peer, moment)
    case .acceptConnectionRequest: connection.expect(.peripheral, command.peer, moment)
    case .acceptSynchronousConnectionRequest:
      guard let peer = command.peer else { return }
      connection.endRequest(of: peer, isSynchronous: true, moment)
    case .ioCapabilityRequestReply: traffic.security.capabilityFromHost(command, moment, &tables)
    case .sendKeypressNotification:
      traffic.security.keypressFromHost(command, moment, &tables)
    case .remoteOOBDataRequestReply, .remoteOOBExtendedDataRequestReply:
      guard let peer = command.peer else { return }
      traffic.security.oobData(command.oobData, bytes, peer: peer, moment, &tables)
    case let code? where code.isAdvertisingPart: tables.ownAdvertised(command, bytes, moment)
    case .linkKeyRequestNegativeReply:
      traffic.security.linkKeyMissing(command.peer, moment, &tables)
    case .leLongTermKeyRequestNegativeReply: traffic.security.longTermKeyMissing(moment, &tables)
    case .flush, .enhancedFlush:
      if let link = moment.link { tables.links[link].flushRequested = PacketTime(moment) }
    case .leSetCIGParameters, .leCreateCIS, .leCreateBIG:
      isochronous.command(command, moment, &tables)
    case nil where HCIOpcode.isVendorSpecific(command.code) && tables.framings.usesVendorHCI:
      traffic.accessory.vendorCommand(
        command.code, bytes.extracting(command.parameters), moment, &tables)
    default: break
    }
  }

  mutating func event(_ bytes: RawSpan, _ moment: inout PacketContext) {
    let facts = tables.facts(bytes, .event, moment)
    tables.malformed(facts, moment)
    if facts.handle != Facts.noHandle {
      moment.link = tables.links.find(moment.controller, facts.handle)
    }
    if facts.isMalformed, moment.isTruncated, HCIEventSign.opensLink(bytes) {
      tables.controllers[moment.controller].hasCutSetup = true
    }
    if moment.link.map({ tables.links[$0].transport == .unknown }) ?? true {
      inferLink(facts, bytes, &moment)
    }
    traffic.rfcomm.expireRequests(moment, &tables)
    // Most events are of these kinds. They change little, so no message is created for them.
    switch HCIFrequentEvent(facts) {
    case .advertisingReport: return scanning.reports(facts, bytes, moment, &tables, &traffic)
    case .completedPackets: return traffic.buffers.completedPackets(bytes, moment, &tables)
    case nil: break
    }
    switch HCIEventMessage(bytes, tables.record.known) {
    case .commandComplete(let answer): commandAnswered(answer, bytes, moment)
    case .commandStatus(let answer): commandAnswered(answer, moment)
    case .leMeta(let event): leEvent(event, facts, bytes, &moment)
    case .vendorSpecific(let code, let parameters):
      if tables.framings.usesVendorHCI {
        traffic.accessory.vendorEvent(code, bytes.extracting(parameters), moment, &tables)
      }
    case .connection(let event): connectionEvent(event, bytes, &moment)
    case .link(let event): connection.take(event, moment, &tables)
    case .security(let event): traffic.security.take(event, bytes, moment, &tables)
    case .inquiry(.complete(let status)): scanning.inquiryCompleted(status, moment, &tables)
    case .inquiry(.result(let responses, let isExtended)):
      scanning.inquiryResult(responses, moment, &tables)
      if isExtended { extendedInquiryResult(responses, bytes, moment) }
    case .controller(.hardwareError(let code)):
      tables.emit(.controller(.hardwareError(.init(code: code))), moment, severity: .error)
    case .controller(.dataBufferOverflow(let linkType)):
      tables.emit(.controller(.bufferOverflow(.init(linkType: linkType))), moment, severity: .error)
    case .other: break
    }
  }

  mutating func controllerAnswered(_ returns: HCICommandComplete.Returns, _ moment: PacketContext) {
    switch returns {
    case .address(let address): tables.controllers[moment.controller].address = address
    case .localVersion(let version, let company):
      tables.controllers[moment.controller].version = version
      tables.controllers[moment.controller].company = company
      tables.emit(.controller(.version(.init(version: version, company: company))), moment)
    default: break
    }
  }

  // MARK: Links

  private mutating func connectionEvent(
    _ event: HCIConnectionEvent, _ bytes: RawSpan, _ moment: inout PacketContext
  ) {
    switch event {
    case .connectionComplete(let complete): connected(complete, &moment)
    case .connectionRequest(let request): connection.connectionRequested(request, moment, &tables)
    case .disconnectionComplete(let complete): disconnected(complete, moment)
    case .remoteNameRequestComplete(let answer): nameAnswered(answer, bytes, moment)
    case .readRemoteSupportedFeaturesComplete(let status):
      if status != 0 { notObtained(.features, status, moment) }
    case .readRemoteExtendedFeaturesComplete(let status):
      if status != 0 { notObtained(.extendedFeatures, status, moment) }
    case .readRemoteVersionInformationComplete(let answer):
      guard answer.status == 0 else { return notObtained(.version, answer.status, moment) }
      guard let version = answer.version, let company = answer.company else { return }
      tables.emit(.link(.change(.peerVersion(.init(version: version, company: company)))), moment)
    }
  }

  private mutating func connected(
    _ complete: HCIConnectionEvent.ConnectionComplete, _ moment: inout PacketContext
  ) {
    let status = complete.status
    let transport = Link.Transport(complete.linkType)
    let role =
      transport == .brEDR
      ? complete.address.flatMap { connection.endExpectation(of: $0, moment) } : nil
    let isRefused = complete.address.flatMap { peer in
      connection.endRequest(of: peer, isSynchronous: transport != .brEDR, moment)
    }
    guard status == 0 else {
      // If the host does not answer, the controller refuses the peer's request. 6.7
      let error = HCIErrorCode(rawValue: status)
      let isOurs =
        isRefused == true
        ? error?.isRejection == true
        : isRefused == false && error == .connectionAcceptTimeoutExceeded
      // A cancelled attempt ends with this event. 7.1.7
      let isHarmless =
        isOurs || error == .connectionAlreadyExists || error == .unknownConnectionIdentifier
      return tables.emit(
        .link(
          .failed(
            .init(
              status: status, peer: complete.address, transport: transport, isOurs: isOurs))),
        moment, severity: isHarmless ? .info : .error,
        // A synchronous link belongs to a BR/EDR link, which is open.
        device: transport == .brEDR ? nil : complete.address.flatMap { tables.devices.find($0) })
    }
    guard let address = complete.address, let handle = complete.handle else { return }
    open(
      handle, transport, address, role: role,
      synchronous: complete.synchronous.map { Link.Synchronous($0) }, &moment)
  }

  private mutating func open(
    _ handle: UInt16, _ transport: Link.Transport, _ peer: BluetoothAddress, role: Link.Role?,
    timing: LEConnectionEvent.Timing? = nil, synchronous: Link.Synchronous? = nil,
    _ moment: inout PacketContext
  ) {
    let early = tables.earlyLink(handle, transport, moment)
    if let early {
      tables.confirm(early: early, transport)
    } else if let old = tables.links.find(moment.controller, handle) {
      tables.isReplaced(old, moment)
      close(old, reason: nil, moment)
    }
    guard
      let link = early
        ?? tables.links.open(moment.controller, handle, transport, moment.packet, .seen)
    else { return }
    moment.link = link
    tables.links.setPeer(peer, on: link)
    tables.links[link].role = role
    tables.links[link].device = tables.devices.device(at: peer, moment.packet)
    if let timing { set(timing, of: link) }
    tables.links[link].synchronous = synchronous
    if synchronous != nil {
      tables.links[link].codingFormat = tables.controllers[moment.controller].codingFormat
      tables.controllers[moment.controller].codingFormat = nil
    }
    tables.emit(
      .link(.opened(.init())), moment, severity: timing.map { Tables.severity($0) } ?? .info)
    if early != nil { tables.releaseEvents(ofEarly: link) }
    tables.borrow(on: link, moment)
    _ = tables.synchronousStream(of: link, moment)
    traffic.streams.handsFree.soundChanged(link, isOn: true, moment, &tables)
  }

  private mutating func set(_ timing: LEConnectionEvent.Timing, of link: LinkID) {
    tables.links[link].interval = Link.nanoseconds(interval: timing.interval)
    tables.links[link].latency = timing.latency
    tables.links[link].supervisionTimeout = timing.supervisionTimeout
  }

  private mutating func disconnected(
    _ complete: HCIConnectionEvent.DisconnectionComplete, _ moment: PacketContext
  ) {
    guard complete.status == 0 else {
      return tables.emit(
        .link(.closeFailed(.init(status: complete.status))), moment, severity: .warning)
    }
    guard let link = moment.link else { return }
    if tables.links[link].transport == .iso {
      return isochronous.ended(complete, link, moment, &tables)
    }
    close(link, reason: complete.reason, moment)
  }

  /// A link ends, and the isochronous streams on it.
  private mutating func close(_ link: LinkID, reason: UInt8?, _ moment: PacketContext) {
    if tables.links[link].transport == .iso {
      return isochronous.ended(
        tables.links[link].handle, link, reason: reason, moment, &tables)
    }
    isochronous.end(on: link, reason: reason, moment, &tables)
    connection.sounding.end(link)
    traffic.close(link, reason: reason, moment, &tables)
  }

  // MARK: LE Meta events. 7.7.65

  private mutating func leEvent(
    _ event: LEMetaEvent, _ facts: Facts, _ bytes: RawSpan, _ moment: inout PacketContext
  ) {
    switch event {
    case .advertising(.report): scanning.reports(facts, bytes, moment, &tables, &traffic)
    case .advertising(.scanTimeout): scanning.scan(isOn: false, moment, &tables)
    case .advertising(.monitoredAdvertiser(let address, let condition)):
      scanning.monitored(address, condition, moment, &tables)
    case .advertising(.setTerminated(let end)): scanning.advertisingEnded(end, moment, &tables)
    case .connection(let event): leConnectionEvent(event, &moment)
    case .isochronous(let event): isochronous.take(event, &moment, &tables, &periodic)
    case .periodic(let event): periodic.take(event, bytes, moment, &tables, &traffic)
    case .sounding(let event): connection.sounding.take(event, moment, &tables)
    case .other: break
    }
  }

  private mutating func leConnectionEvent(
    _ event: LEConnectionEvent, _ moment: inout PacketContext
  ) {
    switch event {
    case .connectionComplete(let complete): leConnected(complete, &moment)
    case .readRemoteFeaturesComplete(let status):
      if status != 0 { notObtained(.features, status, moment) }
    case .connectionUpdateComplete(let status, let timing): leUpdated(status, timing, moment)
    case .longTermKeyRequest(let ediv, let rand):
      traffic.security.longTermKeyRequested(.init(ediv: ediv, rand: rand), moment)
    case .remoteConnectionParameterRequest(let request): parametersRequested(request, moment)
    case .dataLengthChange(let tx, let rx):
      if moment.link != nil {
        tables.emit(.link(.change(.dataLength(.init(tx: tx, rx: rx)))), moment)
      }
    case .phyUpdateComplete(let update): phyUpdated(update, moment)
    case .subrateChange(let change): subrateChanged(change, moment)
    case .connectionRateChange(let change): connection.rateChanged(change, moment, &tables)
    case .frameSpaceUpdateComplete(let update):
      connection.frameSpaceUpdated(update, moment, &tables)
    case .pathLossThreshold(let loss, let zone):
      guard moment.link != nil else { return }
      tables.emit(.link(.change(.pathLoss(.init(loss: loss, zone: zone)))), moment)
    case .transmitPowerReporting(let power):
      connection.transmitPowerReported(power, moment, &tables)
    }
  }

  private mutating func leConnected(
    _ complete: LEConnectionEvent.ConnectionComplete, _ moment: inout PacketContext
  ) {
    let (status, peer) = (complete.status, complete.peer)
    guard status == 0 else {
      let error = HCIErrorCode(rawValue: status)
      // Directed advertising without an answer also ends with this event. 7.7.65.1
      if error == .advertisingTimeout,
        tables.controllers[moment.controller].sets.isOn(AdvertisingSets.legacy) == true
      {
        return scanning.legacyAdvertisingEnded(status, moment, &tables)
      }
      // Many controllers do not name the device of an attempt that failed.
      let attempted =
        error == .advertisingTimeout
        ? nil : connection.pending.endAttempt(controller: moment.controller)
      let named = peer?.value == 0 ? attempted : peer
      // A cancelled attempt ends with this event. 7.8.13
      return tables.emit(
        .link(.failed(.init(status: status, peer: named, transport: .le))),
        moment,
        severity: error == .unknownConnectionIdentifier ? .info : .error)
    }
    guard let peer, let role = complete.role, let handle = complete.handle else { return }
    if role == .central { _ = connection.pending.endAttempt(controller: moment.controller) }
    if let address = complete.resolvedFrom { tables.resolved(peer, from: address, moment) }
    open(handle, .le, peer, role: Link.Role(role), timing: complete.timing, &moment)
    if role == .peripheral { scanning.legacyAdvertisingEnded(0, moment, &tables) }
  }

  private mutating func leUpdated(
    _ status: UInt8, _ timing: LEConnectionEvent.Timing?, _ moment: PacketContext
  ) {
    guard let link = moment.link else { return }
    let isAsked = tables.links[link].isAskingForParameters
    if isAsked { tables.links[link].isAskingForParameters = false }
    guard status == 0 else {
      return tables.emit(
        .link(
          .change(
            isAsked && HCIErrorCode(rawValue: status)?.isRefusalOfParameters == true
              ? .parametersRefused(
                .init(byPeer: true, isLinkLayer: true, refusal: .status(status)))
              : .parametersFailed(.init(status: status)))), moment, severity: .warning)
    }
    guard let timing else { return }
    set(timing, of: link)
    tables.emit(
      .link(
        .change(
          .parameters(
            .init(
              interval: timing.interval, latency: timing.latency,
              timeout: timing.supervisionTimeout)))), moment, severity: Tables.severity(timing))
  }

  private mutating func parametersRequested(
    _ request: LEConnectionEvent.ParameterRequest, _ moment: PacketContext
  ) {
    guard moment.link != nil else { return }
    tables.emit(
      .link(
        .change(
          .parametersRequested(
            .init(
              request: Link.ParameterRequest(
                minimum: request.intervalMin, maximum: request.intervalMax,
                latency: request.latency, timeout: request.supervisionTimeout,
                isLinkLayer: true))))), moment,
      severity: Tables.severity(
        request.intervalMin, request.intervalMax, request.latency, request.supervisionTimeout))
  }

  private mutating func phyUpdated(_ update: LEConnectionEvent.PHYUpdate, _ moment: PacketContext) {
    guard let link = moment.link else { return }
    guard update.status == 0 else {
      return tables.emit(
        .link(.change(.phyFailed(.init(status: update.status)))), moment, severity: .warning)
    }
    guard let tx = update.tx, let rx = update.rx else { return }
    (tables.links[link].txPHY, tables.links[link].rxPHY) = (tx, rx)
    tables.emit(.link(.change(.phy(.init(tx: tx, rx: rx)))), moment)
  }

  private mutating func subrateChanged(
    _ change: LEConnectionEvent.SubrateChange, _ moment: PacketContext
  ) {
    guard let link = moment.link else { return }
    guard change.status == 0 else {
      return tables.emit(
        .link(.change(.subrateFailed(.init(status: change.status)))), moment, severity: .warning)
    }
    tables.links[link].latency = change.latency
    tables.links[link].supervisionTimeout = change.supervisionTimeout
    tables.emit(
      .link(
        .change(
          .subrate(
            .init(
              factor: change.factor, latency: change.latency, continuation: change.continuation,
              timeout: change.supervisionTimeout)))), moment)
  }

  /// Information that this host, or its controller, requested from a peer, was not received.
  mutating func notObtained(
    _ what: Link.PeerInformation, _ status: UInt8, _ moment: PacketContext,
    _ peer: BluetoothAddress? = nil
  ) {
    tables.emit(
      .link(.change(.peerInformationFailed(.init(information: what, status: status, peer: peer)))),
      moment,
      severity: .warning,
      device: peer.map { tables.devices.device(at: $0, moment.packet) })
  }
}
