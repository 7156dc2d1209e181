import HarkCore
import HarkDissection

// Periodic advertising of this host, and what it asks of others' trains.
// Core Specification, Vol 4, Part E, 7.8.61 to 7.8.70, 7.8.89, 7.8.90, 7.8.125.
extension Session {
  /// A command of periodic advertising has done what it is for; of HCI_LE_Periodic_Advertising_Create_Sync
  /// only that it was begun.
  mutating func periodicDone(
    _ command: PendingCommands.Command, _ purpose: CommandPurpose, _ moment: Moment
  ) {
    let bytes = command.bytes.raw
    switch purpose.kind {
    case .periodicAdvertisingParameters: periodicParameters(command.opcode, bytes, moment)
    case .periodicAdvertisingData:
      if bytes.byteCount > 5 { periodicData(bytes, moment) }
    case .periodicAdvertisingStart, .periodicAdvertisingStop:
      guard let set = purpose.sets.first else { return }
      periodicTurned(set, on: purpose.kind == .periodicAdvertisingStart, moment)
    case .syncStart:
      guard bytes.byteCount > 11 else { return }
      let advertiser = purpose.peer.map {
        PeriodicEvent.Advertiser(sid: bytes.byte(at: 4), address: $0)
      }
      emit(.periodic(.requested(.init(advertiser: advertiser))), moment)
    case .syncEnd:
      if let sync = purpose.number { stopFollowing(sync, moment) }
    case .periodicHandOver:
      if let sync = purpose.number {
        emit(.periodic(.handedOver(.init(source: .sync(sync)))), moment)
      } else if let set = purpose.sets.first {
        emit(.periodic(.handedOver(.init(source: .set(set)))), moment)
      }
    case .broadcastGroupSync: groupRequested(bytes, moment)
    default: break
    }
  }

  /// HCI_LE_Set_Periodic_Advertising_Parameters. 7.8.61
  private mutating func periodicParameters(
    _ opcode: UInt16, _ bytes: RawSpan, _ moment: Moment
  ) {
    guard bytes.byteCount > (opcode == 0x2086 ? 11 : 7) else { return }
    let key = ownTrain(bytes.byte(at: 3), moment)
    let hasSubevents = opcode == 0x2086 && bytes.byte(at: 10) > 0
    periodic.own[key]?.parameters = PeriodicEvent.Parameters(
      shortest: UInt16(truncatingIfNeeded: bytes.unsigned(at: 4, 2)),
      longest: UInt16(truncatingIfNeeded: bytes.unsigned(at: 6, 2)),
      subevents: hasSubevents
        ? .init(count: bytes.byte(at: 10), interval: bytes.byte(at: 11)) : nil)
  }

  /// HCI_LE_Set_Periodic_Advertising_Enable. 7.8.63
  private mutating func periodicTurned(_ set: UInt8, on: Bool, _ moment: Moment) {
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

  private mutating func ownTrain(_ set: UInt8, _ moment: Moment) -> PeriodicTrains.Key {
    let key = PeriodicTrains.Key(controller: moment.controller, number: UInt16(set))
    periodic.makeRoom(forOwn: key)
    return key
  }

  /// HCI_LE_Set_Periodic_Advertising_Data. 7.8.62
  private mutating func periodicData(_ bytes: RawSpan, _ moment: Moment) {
    let set = bytes.byte(at: 3)
    let key = ownTrain(set, moment)
    // Operation: 0 and 2 go on, 1 and 3 begin, 2 and 3 end, 4 changes nothing.
    let operation = bytes.byte(at: 4)
    guard operation < 4 else { return }
    let data = 6..<6 + Int(bytes.byte(at: 5))
    guard var own = periodic.own[key] else { return }
    defer { periodic.own[key] = own }
    if operation & 1 == 1 { own.data.discard() }
    guard data.upperBound <= bytes.byteCount else { return }
    own.data.add(bytes.extracting(data))
    guard operation >= 2, own.data.isChanged(), own.data.changes <= PeriodicTrains.mostChanges
    else { return }
    emit(
      .periodic(
        .data(
          .init(
            set: set,
            content: .init(
              count: own.data.count,
              services: operation == 3 ? Self.serviceData(bytes.extracting(data)) : [])))), moment)
  }

  // MARK: With responses

  /// The Controller asks for data of subevents, and tells of responses. 7.7.65.36, 7.7.65.37
  mutating func subeventEvent(_ subevent: UInt16, _ bytes: RawSpan, _ moment: Moment) {
    guard bytes.byteCount > 6 || subevent == 0x27 && bytes.byteCount > 5 else { return }
    let key = ownTrain(bytes.byte(at: 3), moment)
    guard var own = periodic.own[key] else { return }
    defer { periodic.own[key] = own }
    guard subevent == 0x28 else {
      own.requests += Int(bytes.byte(at: 5))
      return
    }
    var start = 7
    for _ in 0..<Int(bytes.byte(at: 6)) where start + 5 < bytes.byteCount {
      // Data_Status: 0 whole, 1 more is to come, 2 not whole, 0xFF not received.
      switch bytes.byte(at: start + 4) {
      case 0: own.heard += 1
      case 1: break
      default: own.missing += 1
      }
      start += 6 + Int(bytes.byte(at: start + 5))
    }
  }

  /// One line for all responses of a train.
  private mutating func tellResponses(of key: PeriodicTrains.Key, _ moment: Moment) {
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
  mutating func endPeriodic(_ moment: Moment, of controller: UInt16? = nil) {
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
  mutating func resetPeriodic(_ moment: Moment) {
    endPeriodic(moment, of: moment.controller)
    periodic.own = periodic.own.filter { $0.key.controller != moment.controller }
    periodic.followed = periodic.followed.filter { $0.key.controller != moment.controller }
    periodic.groups = periodic.groups.filter { $0.key.controller != moment.controller }
  }
}
