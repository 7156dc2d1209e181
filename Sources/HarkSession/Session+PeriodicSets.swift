import HarkCore
import HarkDissection

// Periodic advertising of this host, and what it asks of others' trains.
// Core Specification, Vol 4, Part E, 7.8.61 to 7.8.70, 7.8.89, 7.8.90, 7.8.125.
extension Session {
  /// A command of periodic advertising has done what it is for; of HCI_LE_Periodic_Advertising_Create_Sync
  /// only that it was begun.
  mutating func periodicDone(
    _ command: PendingCommands.Command, _ purpose: CommandPurpose, _ moment: PacketContext
  ) {
    switch purpose.kind {
    case .periodicAdvertisingParameters: periodicParameters(command.message, moment)
    case .periodicAdvertisingData: periodicData(command, moment)
    case .periodicAdvertisingStart, .periodicAdvertisingStop:
      guard let set = purpose.sets.first else { return }
      periodicTurned(set, on: purpose.kind == .periodicAdvertisingStart, moment)
    case .syncStart:
      guard let sid = command.message.sid else { return }
      let advertiser = purpose.peer.map { PeriodicEvent.Advertiser(sid: sid, address: $0) }
      emit(.periodic(.requested(.init(advertiser: advertiser))), moment)
    case .syncEnd:
      if let sync = purpose.number { stopFollowing(sync, moment) }
    case .periodicHandOver:
      if let sync = purpose.number {
        emit(.periodic(.handedOver(.init(source: .sync(sync)))), moment)
      } else if let set = purpose.sets.first {
        emit(.periodic(.handedOver(.init(source: .set(set)))), moment)
      }
    case .broadcastGroupSync: groupRequested(command.message, moment)
    default: break
    }
  }

  /// HCI_LE_Set_Periodic_Advertising_Parameters. 7.8.61
  private mutating func periodicParameters(_ command: HCICommandMessage, _ moment: PacketContext) {
    guard let parameters = command.periodicParameters else { return }
    let key = ownTrain(parameters.advertisingHandle, moment)
    periodic.own[key]?.parameters = PeriodicEvent.Parameters(
      shortest: parameters.intervalMin, longest: parameters.intervalMax,
      subevents: parameters.subevents.map { .init(count: $0.count, interval: $0.interval) })
  }

  /// HCI_LE_Set_Periodic_Advertising_Enable. 7.8.63
  private mutating func periodicTurned(_ set: UInt8, on: Bool, _ moment: PacketContext) {
    let key = ownTrain(set, moment)
    let wasOn =
      periodic.own[key]?.isOn ?? (controllerTable[moment.controller].sets.isKnown ? false : nil)
    periodic.own[key]?.isOn = on
    guard wasOn != on else { return }
    guard !on else {
      return emit(
        .periodic(.started(.init(set: set, parameters: periodic.own[key]?.parameters))), moment)
    }
    tellResponses(of: key, moment)
    emit(.periodic(.stopped(.init(set: set, wasOn: wasOn == true))), moment)
  }

  private mutating func ownTrain(_ set: UInt8, _ moment: PacketContext) -> PeriodicTrains.Key {
    let key = PeriodicTrains.Key(controller: moment.controller, number: UInt16(set))
    periodic.makeRoom(forOwn: key)
    return key
  }

  /// HCI_LE_Set_Periodic_Advertising_Data. 7.8.62
  private mutating func periodicData(_ command: PendingCommands.Command, _ moment: PacketContext) {
    guard let told = command.message.advertisingData, let set = told.advertisingHandle,
      let operation = told.operation, operation != .unchanged
    else { return }
    let key = ownTrain(set, moment)
    guard var own = periodic.own[key] else { return }
    defer { periodic.own[key] = own }
    let bytes = command.bytes.raw
    if operation == .firstFragment || operation == .complete { own.data.discard() }
    guard told.data.upperBound <= bytes.byteCount else { return }
    own.data.add(bytes.extracting(told.data))
    guard operation == .lastFragment || operation == .complete, own.data.isChanged(),
      own.data.changes <= PeriodicTrains.mostChanges
    else { return }
    emit(
      .periodic(
        .data(
          .init(
            set: set,
            content: .init(
              count: own.data.count,
              services: operation == .complete
                ? ServiceStructures.withData(bytes.extracting(told.data)) : [])))), moment)
  }

  // MARK: With responses

  /// The Controller asks for data of subevents. 7.7.65.36
  mutating func subeventsRequested(_ set: UInt8, _ count: UInt8, _ moment: PacketContext) {
    let key = ownTrain(set, moment)
    periodic.own[key]?.requests += Int(count)
  }

  /// 7.7.65.37
  mutating func responded(_ responses: LEPeriodicAdvertisingResponses, _ moment: PacketContext) {
    let key = ownTrain(responses.advertisingHandle, moment)
    periodic.own[key]?.heard += responses.received
    periodic.own[key]?.missing += responses.missing
  }

  /// One line for all responses of a train.
  private mutating func tellResponses(of key: PeriodicTrains.Key, _ moment: PacketContext) {
    guard let own = periodic.own[key], own.requests + own.heard + own.missing > 0 else { return }
    periodic.own[key]?.requests = 0
    periodic.own[key]?.heard = 0
    periodic.own[key]?.missing = 0
    emit(
      .periodic(
        .responses(
          .init(
            set: UInt8(truncatingIfNeeded: key.number), requests: own.requests, heard: own.heard,
            missing: own.missing))), moment)
  }

  /// The capture ends, or a controller is reset: what was only counted is told.
  mutating func endPeriodic(_ moment: PacketContext, of controller: UInt16? = nil) {
    var moment = moment
    func isMeant(_ key: PeriodicTrains.Key) -> Bool {
      controller == nil || key.controller == controller
    }
    func order(_ a: PeriodicTrains.Key, _ b: PeriodicTrains.Key) -> Bool {
      (a.controller, a.number) < (b.controller, b.number)
    }
    for key in periodic.own.keys.filter(isMeant).sorted(by: order) {
      moment.controller = key.controller
      tellResponses(of: key, moment)
    }
    for key in periodic.followed.keys.filter(isMeant).sorted(by: order) {
      guard let followed = periodic.followed[key], followed.subevents != (0, 0) else { continue }
      moment.controller = key.controller
      emit(
        .periodic(.heard(.init(sync: key.number, account: followed.account))), moment,
        device: followed.device)
    }
  }

  /// HCI_Reset ends all trains of a controller. 7.3.2
  mutating func resetPeriodic(_ moment: PacketContext) {
    endPeriodic(moment, of: moment.controller)
    periodic.own = periodic.own.filter { $0.key.controller != moment.controller }
    periodic.followed = periodic.followed.filter { $0.key.controller != moment.controller }
    periodic.groups = periodic.groups.filter { $0.key.controller != moment.controller }
  }
}
