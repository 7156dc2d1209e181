import HarkCore
import HarkDissection

// What commands do, as their answers say. Core Specification, Vol 4, Part E, 7.7.14, 7.7.15, 7.8.
extension Session {
  /// Commands of which more than `CommandPurpose` is needed once they are done.
  static func isKept(_ opcode: UInt16) -> Bool {
    switch opcode {
    case 0x0434, 0x0C24, 0x2008, 0x2009, 0x2037, 0x2038, 0x203E, 0x203F, 0x2044, 0x206B, 0x2086:
      true
    default: false
    }
  }

  /// Command Complete and Command Status.
  mutating func commandAnswered(_ facts: Facts, _ bytes: RawSpan, _ moment: Moment) {
    let isComplete = facts.code == 0x0E
    // Status is the first octet of the event in one form and of the return parameters in the other.
    let position = isComplete ? 5 : 2
    let status = bytes.byte(at: position)
    let isKnown = bytes.byteCount > position && bytes.byteCount > 4
    // An answer that is cut off in front of it allows nothing, and forbids nothing.
    if bytes.byteCount > (isComplete ? 2 : 3) {
      commands.allow(bytes.byte(at: isComplete ? 2 : 3), controller: moment.controller)
    }
    let answered = commands.answered(
      facts.subcode, isComplete ? PendingCommands.subject(facts.subcode, bytes, at: 6) : nil,
      status: status, controller: moment.controller, isComplete: isComplete)
    // Of several that it may be, none is told to be done, or not to be.
    let command = answered?.isUncertain == true ? nil : answered
    if answered?.isUncertain == true { forgetState(of: answered?.purpose, moment) }
    var moment = moment
    if let command {
      row.related = command.packet
      packets.update(command.packet) { $0.related = moment.packet.number }
      moment.command = PacketID(command.packet)
      // With an error, the handle may be any.
      if status != 0 || moment.link == nil { moment.link = command.link }
    }
    if isComplete, facts.subcode >= 0xFC00, accessories.framings.usesVendorHCI {
      vendorReturn(facts.subcode, bytes, moment)
    }
    if status != 0, facts.subcode != 0, isKnown, !isComplete || returnsStatus(bytes, moment) {
      return failed(facts.subcode, status, command, moment)
    }
    guard isKnown, status == 0 else { return }
    if let command, let purpose = command.purpose, isComplete || !purpose.isCompleted {
      done(command, purpose, moment)
    }
    moment.command = nil
    guard isComplete else { return }
    if facts.subcode == 0x0C24, let command { ownClass(command.bytes.raw, at: 3, moment) }
    returned(facts.subcode, bytes, moment)
  }

  /// Nobody knows whether something was done.
  private mutating func forgetState(of purpose: CommandPurpose?, _ moment: Moment) {
    switch purpose?.kind {
    case .advertisingStart, .advertisingStop, .advertisingRemoval:
      controllerTable[moment.controller].sets = AdvertisingSets(isKnown: false)
    case .scanStart, .scanStop: controllerTable[moment.controller].isScanKnown = false
    default: break
    }
  }

  /// Whether the return parameters of a Command Complete begin with Status: those of commands that
  /// hark knows do, those of vendors need not.
  private mutating func returnsStatus(_ bytes: RawSpan, _ moment: Moment) -> Bool {
    describe(bytes, .record(.event), moment)
    return value(Paths.HCI.status) != nil
  }

  /// What return parameters say.
  private mutating func returned(_ opcode: UInt16, _ bytes: RawSpan, _ moment: Moment) {
    switch opcode {
    case 0x1005, 0x2002, 0x2060: bufferSizes(opcode, bytes, moment)
    case 0x1001, 0x1009:
      describe(bytes, .record(.event), moment)
      controllerAnswered(moment)
    case 0x0809, 0x1408:
      describe(bytes, .record(.event), moment)
      linkAnswered(opcode, moment)
    case 0x0C23: ownClass(bytes, at: 6, moment)
    case 0x2062: streamsConfigured(bytes, moment)
    default: break
    }
  }

  private mutating func failed(
    _ opcode: UInt16, _ status: UInt8, _ command: PendingCommands.Command?, _ moment: Moment
  ) {
    let peer = command?.purpose?.peer
    if opcode == 0x0405 || opcode == 0x0409, let peer {
      _ = connections.take(peer, controller: moment.controller)
    }
    emit(
      .controller(
        .commandFailed(.init(opcode: opcode, status: status, purpose: command?.purpose))),
      moment, severity: .warning,
      device: moment.link.flatMap { linkTable[$0].device } ?? peer.flatMap { deviceTable.find($0) })
  }

  /// The controller has done what the host asked for, or has begun it where the answer to such a
  /// command is Command Status.
  private mutating func done(
    _ command: PendingCommands.Command, _ purpose: CommandPurpose, _ moment: Moment
  ) {
    if let link = moment.link { inferTransport(ofCommand: command.opcode, link) }
    switch purpose.kind {
    case .reset: reset(moment)
    case .scanStart, .scanStop: scan(isOn: purpose.kind == .scanStart, moment)
    case .advertisingStart:
      advertisingStarted(command.opcode == 0x200A ? nil : purpose.sets, moment)
    case .advertisingStop:
      advertisingStopped(command.opcode == 0x200A ? nil : purpose.sets, moment)
    case .advertisingData, .scanResponseData:
      advertisingData(command.opcode, command.bytes.raw, moment)
    case .advertisingRemoval: advertisingRemoved(purpose.sets, moment)
    case .inquiryStart, .periodicInquiryStart:
      inquiryStarted(isPeriodic: purpose.kind == .periodicInquiryStart, moment)
    case .inquiryStop, .periodicInquiryStop: inquiryEnded(isStopped: true, moment)
    case .connectionParameters:
      if let link = moment.link { linkTable[link].isAskingForParameters = true }
    case .periodicAdvertisingParameters, .periodicAdvertisingData, .periodicAdvertisingStart,
      .periodicAdvertisingStop, .periodicHandOver, .syncStart, .syncEnd, .broadcastGroupSync:
      periodicDone(command, purpose, moment)
    case .broadcastGroupSyncEnd:
      let big = UInt8(truncatingIfNeeded: purpose.number ?? 0)
      // 0x16: Connection Terminated By Local Host.
      emit(
        .isochronous(.groupEnded(.init(big: big, isOurs: false, reason: 0x16))), moment,
        device: broadcaster(ofGroup: big, moment))
    case .connectionParametersRefusal:
      emit(
        .link(.parametersRefused(.init(byPeer: false, isLinkLayer: true))), moment,
        severity: .warning)
    case .pairingRefusal: pairingRefused(command.bytes.raw, purpose.peer, moment)
    case .connectionRefusal:
      guard let peer = purpose.peer else { return }
      connections.refused(
        peer, isSynchronous: command.opcode == 0x042A, controller: moment.controller)
    case .encryption:
      if command.opcode != 0x0413 {
        emit(.security(.encryptionStarted(.init(key: command.key))), moment)
      }
    default: break
    }
  }

  /// HCI_Reset ends every link without a word of it, and advertising and scanning. 7.3.2.
  private mutating func reset(_ moment: Moment) {
    emit(.controller(.reset), moment)
    for link in linkTable.live(on: moment.controller) {
      linkTable[link].isClosedByReset = true
      close(link, reason: nil, moment)
    }
    resetPeriodic(moment)
    commands.forget(controller: moment.controller)
    connections.forget(controller: moment.controller)
    controllerTable.update(moment.controller) { controller in
      (controller.scan, controller.isScanKnown) = (nil, true)
      (controller.inquiry, controller.isInquiryKnown) = (nil, true)
      controller.advertising = AdvertisedServices()
      controller.sets = AdvertisingSets(isKnown: true)
    }
  }

  // MARK: Scanning and advertising

  mutating func scan(isOn: Bool, _ moment: Moment) {
    let scan = controllerTable[moment.controller].scan
    controllerTable[moment.controller].isScanKnown = true
    if isOn, scan == nil {
      controllerTable[moment.controller].scan = Controller.Scan()
      emit(.controller(.scanStarted), moment)
    } else if !isOn, let scan {
      controllerTable[moment.controller].scan = nil
      emit(
        .controller(.scanStopped(.init(devices: scan.devices, reports: scan.reports))), moment)
    }
  }

  /// - Parameter sets: Nil for legacy advertising.
  private mutating func advertisingStarted(_ sets: [UInt8]?, _ moment: Moment) {
    guard let sets else {
      if controllerTable[moment.controller].sets.turn(AdvertisingSets.legacy, on: true) != true {
        started([], moment)
      }
      return
    }
    let new = sets.filter {
      controllerTable[moment.controller].sets.turn(UInt16($0), on: true) != true
    }
    if !new.isEmpty { started(new, moment) }
  }

  private mutating func started(_ sets: [UInt8], _ moment: Moment) {
    let solicited = controllerTable[moment.controller].advertising.solicited(in: sets)
    emit(.controller(.advertisingStarted(.init(sets: sets, solicited: solicited))), moment)
  }

  /// - Parameter sets: Nil for legacy advertising; none where all sets are meant.
  private mutating func advertisingStopped(_ sets: [UInt8]?, _ moment: Moment) {
    guard let sets else {
      let wasOn = controllerTable[moment.controller].sets.turn(AdvertisingSets.legacy, on: false)
      if wasOn != false { stopped([], wasOn: wasOn == true, moment) }
      return
    }
    var (on, unknown): ([UInt8], [UInt8]) = ([], [])
    if sets.isEmpty {
      let isKnown = controllerTable[moment.controller].sets.isKnown
      on = controllerTable[moment.controller].sets.stopAll().compactMap { UInt8(exactly: $0) }
      if on.isEmpty, !isKnown { stopped([], wasOn: false, moment) }
    }
    for set in sets {
      switch controllerTable[moment.controller].sets.turn(UInt16(set), on: false) {
      case true?: on.append(set)
      case false?: break
      case nil: unknown.append(set)
      }
    }
    if !on.isEmpty { stopped(on, wasOn: true, moment) }
    if !unknown.isEmpty { stopped(unknown, wasOn: false, moment) }
  }

  private mutating func stopped(_ sets: [UInt8], wasOn: Bool, _ moment: Moment) {
    emit(.controller(.advertisingStopped(.init(sets: sets, wasOn: wasOn))), moment)
  }

  /// Only sets that are off can be removed. 7.8.59, 7.8.60
  private mutating func advertisingRemoved(_ sets: [UInt8], _ moment: Moment) {
    controllerTable[moment.controller].advertising.remove(sets)
    if sets.isEmpty { _ = controllerTable[moment.controller].sets.stopAll() }
    for set in sets { _ = controllerTable[moment.controller].sets.turn(UInt16(set), on: false) }
    emit(.controller(.advertisingRemoved(.init(sets: sets))), moment)
  }

  /// HCI_LE_Advertising_Set_Terminated: a connection was made, or a limit of the set is reached.
  /// 7.7.65.18
  mutating func advertisingEnded(_ bytes: RawSpan, _ moment: Moment) {
    guard bytes.byteCount > 7 else { return }
    let (status, set) = (bytes.byte(at: 3), bytes.byte(at: 4))
    guard controllerTable[moment.controller].sets.turn(UInt16(set), on: false) != false else {
      return
    }
    var moment = moment
    if status != 0 { moment.link = nil }
    emit(
      .controller(
        .advertisingEnded(.init(set: set, status: status, events: bytes.byte(at: 7)))), moment)
  }

  /// Legacy advertising ends with the connection that it leads to, or, directed, after 1.28 s. Nothing
  /// else says so. 7.8.9
  mutating func legacyAdvertisingEnded(_ status: UInt8, _ moment: Moment) {
    let sets = controllerTable[moment.controller].sets
    guard sets.isOn(AdvertisingSets.legacy) == true else { return }
    _ = controllerTable[moment.controller].sets.turn(AdvertisingSets.legacy, on: false)
    emit(.controller(.advertisingEnded(.init(set: nil, status: status, events: nil))), moment)
  }

  private mutating func advertisingData(_ opcode: UInt16, _ bytes: RawSpan, _ moment: Moment) {
    ownAdvertising(opcode, bytes, moment)
    controllerTable[moment.controller].advertising.take(opcode, bytes)
  }
}
