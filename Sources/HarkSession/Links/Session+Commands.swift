import HarkCore
import HarkDissection

// The effects of commands, according to their answers. Core Specification, Vol 4, Part E, 7.7.14, 7.7.15, 7.8.
extension Session {
  /// Commands of which more than `CommandPurpose` is needed when they complete.
  static func isKept(_ opcode: HCIOpcode?) -> Bool {
    switch opcode {
    case .ioCapabilityRequestNegativeReply, .writeClassOfDevice, .leSetAdvertisingData,
      .leSetScanResponseData, .leSetExtendedAdvertisingData, .leSetExtendedScanResponseData,
      .leSetPeriodicAdvertisingParameters, .leSetPeriodicAdvertisingParametersV2,
      .leSetPeriodicAdvertisingData, .lePeriodicAdvertisingCreateSync, .leBIGCreateSync:
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
      isochronous.streams.answer(moment.controller, cig, handles)
    case .localOOBData, .none: break
    }
  }

  private mutating func failed(
    _ code: UInt16, _ status: UInt8, _ command: PendingCommands.Command?, _ moment: PacketContext
  ) {
    let peer = command?.purpose?.peer
    let opcode = HCIOpcode(rawValue: code)
    if opcode == .createConnection || opcode == .acceptConnectionRequest, let peer {
      _ = connection.pending.take(peer, controller: moment.controller)
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
    case .reset: reset(moment)
    case .scanStart, .scanStop: scanning.scan(isOn: purpose.kind == .scanStart, moment, &tables)
    case .advertisingStart:
      scanning.advertisingStarted(
        opcode == .leSetAdvertisingEnable ? nil : purpose.sets, moment, &tables)
    case .advertisingStop:
      scanning.advertisingStopped(
        opcode == .leSetAdvertisingEnable ? nil : purpose.sets, moment, &tables)
    case .advertisingData, .scanResponseData:
      scanning.advertisingData(command, moment, &tables)
    case .advertisingRemoval: scanning.advertisingRemoved(purpose.sets, moment, &tables)
    case .inquiryStart, .periodicInquiryStart:
      scanning.inquiryStarted(isPeriodic: purpose.kind == .periodicInquiryStart, moment, &tables)
    case .inquiryStop, .periodicInquiryStop: scanning.inquiryEnded(isStopped: true, moment, &tables)
    case .connectionParameters:
      if let link = moment.link { tables.links[link].isAskingForParameters = true }
    case .periodicAdvertisingParameters, .periodicAdvertisingData, .periodicAdvertisingStart,
      .periodicAdvertisingStop, .periodicHandOver, .syncStart, .syncEnd, .broadcastGroupSync:
      periodic.done(command, purpose, moment, &tables)
    case .broadcastGroupSyncEnd:
      let big = UInt8(truncatingIfNeeded: purpose.number ?? 0)
      let reason = HCIErrorCode.connectionTerminatedByLocalHost.rawValue
      tables.emit(
        .isochronous(.groupEnded(.init(big: big, isOurs: false, reason: reason))), moment,
        device: periodic.broadcaster(ofGroup: big, moment))
    case .connectionParametersRefusal:
      tables.emit(
        .link(.parametersRefused(.init(byPeer: false, isLinkLayer: true))), moment,
        severity: .warning)
    case .pairingRefusal: traffic.security.pairingRefused(command.message, moment, &tables)
    case .connectionRefusal:
      guard let peer = purpose.peer else { return }
      connection.pending.refused(
        peer, isSynchronous: opcode == .rejectSynchronousConnectionRequest,
        controller: moment.controller)
    case .encryption:
      if opcode != .setConnectionEncryption {
        tables.emit(.security(.encryptionStarted(.init(key: command.key))), moment)
      }
    default: break
    }
  }

  /// HCI_Reset ends every link without an event, and advertising and scanning. 7.3.2.
  private mutating func reset(_ moment: PacketContext) {
    tables.emit(.controller(.reset), moment)
    for link in tables.links.live(on: moment.controller) {
      tables.links[link].isClosedByReset = true
      traffic.close(link, reason: nil, moment, &tables)
    }
    periodic.reset(moment, &tables)
    commands.forget(controller: moment.controller)
    connection.pending.forget(controller: moment.controller)
    tables.controllers.update(moment.controller) { controller in
      (controller.scan, controller.isScanKnown) = (nil, true)
      (controller.inquiry, controller.isInquiryKnown) = (nil, true)
      controller.advertising = AdvertisedServices()
      controller.sets = AdvertisingSets(isKnown: true)
    }
  }
}

extension ScanFollower {
  // MARK: Scanning and advertising

  mutating func scan(isOn: Bool, _ moment: PacketContext, _ tables: inout Tables) {
    let scan = tables.controllers[moment.controller].scan
    tables.controllers[moment.controller].isScanKnown = true
    if isOn, scan == nil {
      tables.controllers[moment.controller].scan = Scan()
      tables.emit(.controller(.scanStarted), moment)
    } else if !isOn, let scan {
      tables.controllers[moment.controller].scan = nil
      tables.emit(
        .controller(.scanStopped(.init(devices: scan.devices, reports: scan.reports))), moment)
    }
  }

  /// - Parameter sets: Nil for legacy advertising.
  mutating func advertisingStarted(
    _ sets: [UInt8]?, _ moment: PacketContext, _ tables: inout Tables
  ) {
    guard let sets else {
      if tables.controllers[moment.controller].sets.turn(AdvertisingSets.legacy, on: true) != true {
        started([], moment, &tables)
      }
      return
    }
    let new = sets.filter {
      tables.controllers[moment.controller].sets.turn(UInt16($0), on: true) != true
    }
    if !new.isEmpty { started(new, moment, &tables) }
  }

  private mutating func started(_ sets: [UInt8], _ moment: PacketContext, _ tables: inout Tables) {
    let solicited = tables.controllers[moment.controller].advertising.solicited(in: sets)
    tables.emit(.controller(.advertisingStarted(.init(sets: sets, solicited: solicited))), moment)
  }

  /// - Parameter sets: Nil for legacy advertising; empty for all sets.
  mutating func advertisingStopped(
    _ sets: [UInt8]?, _ moment: PacketContext, _ tables: inout Tables
  ) {
    guard let sets else {
      let wasOn = tables.controllers[moment.controller].sets.turn(AdvertisingSets.legacy, on: false)
      if wasOn != false { stopped([], wasOn: wasOn == true, moment, &tables) }
      return
    }
    var (on, unknown): ([UInt8], [UInt8]) = ([], [])
    if sets.isEmpty {
      let isKnown = tables.controllers[moment.controller].sets.isKnown
      on = tables.controllers[moment.controller].sets.stopAll().compactMap { UInt8(exactly: $0) }
      if on.isEmpty, !isKnown { stopped([], wasOn: false, moment, &tables) }
    }
    for set in sets {
      switch tables.controllers[moment.controller].sets.turn(UInt16(set), on: false) {
      case true?: on.append(set)
      case false?: break
      case nil: unknown.append(set)
      }
    }
    if !on.isEmpty { stopped(on, wasOn: true, moment, &tables) }
    if !unknown.isEmpty { stopped(unknown, wasOn: false, moment, &tables) }
  }

  private mutating func stopped(
    _ sets: [UInt8], wasOn: Bool, _ moment: PacketContext, _ tables: inout Tables
  ) {
    tables.emit(.controller(.advertisingStopped(.init(sets: sets, wasOn: wasOn))), moment)
  }

  /// Only sets that are off can be removed. 7.8.59, 7.8.60
  mutating func advertisingRemoved(_ sets: [UInt8], _ moment: PacketContext, _ tables: inout Tables)
  {
    tables.controllers[moment.controller].advertising.remove(sets)
    if sets.isEmpty { _ = tables.controllers[moment.controller].sets.stopAll() }
    for set in sets { _ = tables.controllers[moment.controller].sets.turn(UInt16(set), on: false) }
    tables.emit(.controller(.advertisingRemoved(.init(sets: sets))), moment)
  }

  /// HCI_LE_Advertising_Set_Terminated: a connection was made, or a limit of the set is reached.
  /// 7.7.65.18
  mutating func advertisingEnded(
    _ end: LEMetaEvent.AdvertisingSetTerminated, _ moment: PacketContext, _ tables: inout Tables
  ) {
    let set = end.advertisingHandle
    guard tables.controllers[moment.controller].sets.turn(UInt16(set), on: false) != false else {
      return
    }
    var moment = moment
    if end.status != 0 { moment.link = nil }
    tables.emit(
      .controller(
        .advertisingEnded(.init(set: set, status: end.status, events: end.completedEvents))),
      moment)
  }

  /// Legacy advertising ends with the connection that it leads to, or, if directed, after 1.28 s. No event reports
  /// this. 7.8.9
  mutating func legacyAdvertisingEnded(
    _ status: UInt8, _ moment: PacketContext, _ tables: inout Tables
  ) {
    let sets = tables.controllers[moment.controller].sets
    guard sets.isOn(AdvertisingSets.legacy) == true else { return }
    _ = tables.controllers[moment.controller].sets.turn(AdvertisingSets.legacy, on: false)
    tables.emit(
      .controller(.advertisingEnded(.init(set: nil, status: status, events: nil))), moment)
  }

  mutating func advertisingData(
    _ command: PendingCommands.Command, _ moment: PacketContext, _ tables: inout Tables
  ) {
    guard let data = command.message.advertisingData else { return }
    ownAdvertising(data, command.bytes.raw, moment, &tables)
    tables.controllers[moment.controller].advertising.take(data, of: command.bytes.raw)
  }
}
