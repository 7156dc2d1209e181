import HarkCore
import HarkDissection

// The effects of commands, according to their answers. Core Specification, Vol 4, Part E, 7.7.14, 7.7.15, 7.8.
extension Session {
  /// Commands of which more than `CommandPurpose` is needed when they complete.
  static func isKept(_ opcode: HCIOpcode?) -> Bool {
    switch opcode {
    case .ioCapabilityRequestNegativeReply, .userConfirmationRequestNegativeReply,
      .userPasskeyRequestNegativeReply, .pinCodeRequestNegativeReply,
      .remoteOOBDataRequestNegativeReply, .writeClassOfDevice, .leSetAdvertisingData,
      .leSetScanResponseData, .leSetExtendedAdvertisingData, .leSetExtendedScanResponseData,
      .leSetPeriodicAdvertisingParameters, .leSetPeriodicAdvertisingParametersV2,
      .leSetPeriodicAdvertisingData, .lePeriodicAdvertisingCreateSync, .leBIGCreateSync,
      .leRejectCISRequest, .leSetupISODataPath, .leRemoveISODataPath,
      .enhancedSetupSynchronousConnection, .enhancedAcceptSynchronousConnectionRequest:
      true
    default: false
    }
  }

  /// Command Status: the controller has started, or refuses.
  mutating func commandAnswered(_ answer: HCICommandStatus, _ moment: PacketContext) {
    if let count = answer.allowedCommands { commands.allow(count, controller: moment.controller) }
    let (command, moment) = commandFound(
      answer.code, nil, status: answer.status ?? 0, isComplete: false, moment)
    guard let status = answer.status else { return }
    if status != 0, answer.code != 0 { return failed(answer.code, status, command, moment) }
    if status == 0, let command, let purpose = command.purpose, !purpose.isCompleted {
      done(command, purpose, moment)
    }
  }

  /// Command Complete.
  mutating func commandAnswered(
    _ answer: HCICommandComplete, _ bytes: RawSpan, _ moment: PacketContext
  ) {
    // An answer that is cut before this field neither allows nor forbids anything.
    if let count = answer.allowedCommands { commands.allow(count, controller: moment.controller) }
    let status = answer.firstOctet ?? 0
    let (command, found) = commandFound(
      answer.code, answer.subject, status: status, isComplete: true, moment)
    var moment = found
    if HCIOpcode.isVendorSpecific(answer.code), tables.framings.usesVendorHCI {
      traffic.accessory.vendorReturn(
        answer.code, bytes.extracting(answer.parameters), moment, &tables)
    }
    if status != 0, answer.code != 0, answer.hasStatus {
      return failed(answer.code, status, command, moment)
    }
    guard answer.firstOctet == 0 else { return }
    if let command, let purpose = command.purpose { done(command, purpose, moment) }
    moment.command = nil
    if answer.opcode == .writeClassOfDevice, let value = command?.message.classOfDevice {
      connection.ownClass(value, moment, &tables)
    }
    if case .localOOBData(let data) = answer.returns {
      traffic.security.oobData(data, bytes, peer: nil, moment, &tables)
    }
    returned(answer.returns, moment)
  }

  /// The command that is answered, and the packet as one that concerns it.
  private mutating func commandFound(
    _ code: UInt16, _ subject: UInt64?, status: UInt8, isComplete: Bool, _ moment: PacketContext
  ) -> (PendingCommands.Command?, PacketContext) {
    let answered = commands.answered(
      code, subject, status: status, controller: moment.controller, isComplete: isComplete)
    // If the answer may belong to several commands, hark does not report any of them as done or failed.
    guard let command = answered, !command.isUncertain else {
      if let answered { forgetState(of: answered.purpose, moment) }
      return (nil, moment)
    }
    var moment = moment
    tables.record.row.related = command.packet
    tables.packets.update(command.packet) { $0.related = moment.packet.number }
    moment.command = PacketID(command.packet)
    // With an error, the handle may be arbitrary.
    if status != 0 || moment.link == nil { moment.link = command.link }
    return (command, moment)
  }

  /// Whether it was done is unknown.
  private mutating func forgetState(of purpose: CommandPurpose?, _ moment: PacketContext) {
    switch purpose?.kind {
    case .advertisingStart, .advertisingStop, .advertisingRemoval:
      tables.controllers[moment.controller].sets = AdvertisingSets(isKnown: false)
    case .scanStart, .scanStop: tables.controllers[moment.controller].isScanKnown = false
    case .connection: connection.pending.attempt(nil, controller: moment.controller)
    default: break
    }
  }

  /// What return parameters say.
  private mutating func returned(_ returns: HCICommandComplete.Returns, _ moment: PacketContext) {
    switch returns {
    case .bufferSize, .leBufferSize: traffic.buffers.bufferSizes(returns, moment)
    case .localVersion, .address: controllerAnswered(returns, moment)
    case .role(let handle, let role): connection.roleAnswered(handle, role, moment, &tables)
    case .encryptionKeySize(let handle, let size):
      connection.keySizeAnswered(handle, size, moment, &tables)
    case .classOfDevice(let value): connection.ownClass(value, moment, &tables)
    case .group(let cig, let handles):
      isochronous.groupAnswered(cig, handles, moment)
    case .localOOBData, .none: break
    }
  }

  /// Reports the commands that the controller has not answered in time.
  mutating func expireCommands(_ controller: UInt16, _ moment: PacketContext) {
    for command in commands.overdue(at: moment.time, controller: controller) {
      var moment = moment
      (moment.controller, moment.link) = (controller, command.link)
      tables.emitMissing(
        .controller(
          .commandUnanswered(
            .init(opcode: command.opcode, nanoseconds: moment.time.since(command.time)))), moment,
        of: Event.Frames(PacketID(command.packet)))
    }
  }

  private mutating func failed(
    _ code: UInt16, _ status: UInt8, _ command: PendingCommands.Command?, _ moment: PacketContext
  ) {
    let peer = command?.purpose?.peer
    let opcode = HCIOpcode(rawValue: code)
    if opcode == .createConnection || opcode == .acceptConnectionRequest, let peer {
      _ = connection.endExpectation(of: peer, moment)
    }
    if opcode == .flush || opcode == .enhancedFlush, let link = moment.link {
      tables.links[link].flushRequested = nil
    }
    tables.emit(
      .controller(
        .commandFailed(.init(opcode: code, status: status, purpose: command?.purpose))),
      moment, severity: .warning,
      device: moment.link.flatMap { tables.links[$0].device }
        ?? peer.flatMap { tables.devices.find($0) })
  }

  /// The controller has carried out the host's request, or has started it if such a command is answered by Command
  /// Status.
  private mutating func done(
    _ command: PendingCommands.Command, _ purpose: CommandPurpose, _ moment: PacketContext
  ) {
    let opcode = HCIOpcode(rawValue: command.opcode)
    if let link = moment.link { tables.inferTransport(ofCommand: opcode, link) }
    switch purpose.kind {
    case .reset: endController(by: .reset, moment)
    case .scanStart, .scanStop: scanning.scan(isOn: purpose.kind == .scanStart, moment, &tables)
    case .advertisingStart:
      scanning.advertisingStarted(
        opcode == .leSetAdvertisingEnable ? nil : purpose.sets, moment, &tables)
    case .advertisingStop:
      scanning.advertisingStopped(
        opcode == .leSetAdvertisingEnable ? nil : purpose.sets, moment, &tables)
    case .advertisingData, .scanResponseData:
      scanning.advertisingData(command, moment, &tables, &traffic.accessory)
    case .advertisingRemoval: scanning.advertisingRemoved(purpose.sets, moment, &tables)
    case .inquiryStart, .periodicInquiryStart:
      scanning.inquiryStarted(isPeriodic: purpose.kind == .periodicInquiryStart, moment, &tables)
    case .inquiryStop, .periodicInquiryStop: scanning.inquiryEnded(isStopped: true, moment, &tables)
    case .connection where opcode != .createConnection:
      connection.pending.attempt(purpose.peer, controller: moment.controller)
    case .connectionParameters:
      if let link = moment.link { tables.links[link].isAskingForParameters = true }
    case .periodicAdvertisingParameters, .periodicAdvertisingData, .periodicAdvertisingStart,
      .periodicAdvertisingStop, .periodicHandOver, .syncStart, .syncEnd, .broadcastGroupSync:
      periodic.done(command, purpose, moment, &tables)
    case .broadcastGroupSyncEnd:
      let big = UInt8(truncatingIfNeeded: purpose.number ?? 0)
      isochronous.syncTerminated(big, moment, &tables, periodic)
    case .isochronousRefusal:
      guard let handle = purpose.number, let reason = command.message.reason else { return }
      isochronous.refused(handle, reason: reason, moment, &tables)
    case .isochronousDataPath, .isochronousDataPathRemoval:
      isochronous.dataPathChanged(command.message, moment)
    case .connectionParametersRefusal:
      tables.emit(
        .link(.change(.parametersRefused(.init(byPeer: false, isLinkLayer: true)))), moment,
        severity: .warning)
    case .pairingRefusal: traffic.security.pairingRefused(command.message, moment, &tables)
    case .synchronousConnection:
      tables.controllers[moment.controller].codingFormat = command.message.transmitCodingFormat
    case .connectionRefusal:
      guard let peer = purpose.peer else { return }
      connection.refused(
        peer, isSynchronous: opcode == .rejectSynchronousConnectionRequest, moment)
    case .encryption:
      if opcode != .setConnectionEncryption {
        let byPeer = opcode == .leLongTermKeyRequestReply
        let isPairing = moment.link.map { tables.links[$0].pairing.awaitsShortTermKey } ?? false
        tables.emit(
          .security(
            .encryptionStarted(
              .init(
                key: command.key, byPeer: byPeer,
                isShortTerm: byPeer && isPairing && command.key == nil))), moment)
      }
    default: break
    }
  }

  /// HCI_Reset, or the end of a controller, ends all that it does, without further events: a follower with state of
  /// controllers has a line here. 7.3.2
  mutating func endController(by end: Link.ControllerEnd, _ moment: PacketContext) {
    expireCommands(moment.controller, moment)
    switch end {
    case .reset:
      tables.emit(.controller(.reset), moment)
      tables.controllers[moment.controller].wasReset = true
    case .closed: tables.emit(.controller(.closed), moment)
    case .removed:
      tables.emit(.controller(.gone), moment)
      tables.controllers[moment.controller].isRemoved = true
    }
    for link in tables.links.live(on: moment.controller) { connection.sounding.end(link) }
    traffic.endController(by: end, moment, &tables)
    isochronous.reset(by: end, moment, &tables)
    periodic.reset(by: end, moment, &tables)
    scanning.reset(moment, &tables)
    commands.forget(controller: moment.controller)
    tables.advertising.fragments.forget(controller: moment.controller)
    connection.forget(controller: moment.controller)
  }

  // MARK: Names of peers

  mutating func nameAnswered(
    _ answer: HCIConnectionEvent.RemoteName, _ bytes: RawSpan, _ moment: PacketContext
  ) {
    guard answer.status == 0 else {
      return notObtained(.name, answer.status, moment, answer.address)
    }
    guard !moment.isTruncated, let address = answer.address, let name = answer.name else { return }
    tables.devices.heardByName(address, bytes.utf8(name), moment.packet)
    tables.nameOnlyLink(bytes.utf8(name), of: address, moment)
  }

  /// An extended inquiry response contains advertising data, which may contain a name.
  mutating func extendedInquiryResult(
    _ responses: [HCIInquiryEvent.Response], _ bytes: RawSpan, _ moment: PacketContext
  ) {
    guard let address = responses.first?.address else { return }
    if tables.wantsAdvertising {
      traffic.accessory.inquiryAnswered(address, bytes, moment, &tables)
    }
    guard !moment.isTruncated, let data = HCIExtendedInquiryResult.data(bytes),
      let name = LocalName(bytes, data), name.isWhole
    else { return }
    tables.devices.heardByName(address, bytes.utf8(name.text), moment.packet)
  }
}
