import HarkCore
import HarkDissection

// Periodic advertising of this host, and its requests about others' trains.
// Core Specification, Vol 4, Part E, 7.8.61 to 7.8.70, 7.8.89, 7.8.90, 7.8.125.
extension PeriodicFollower {
  /// A command of periodic advertising succeeded; HCI_LE_Periodic_Advertising_Create_Sync has only started.
  mutating func done(
    _ command: PendingCommands.Command, _ purpose: CommandPurpose, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    switch purpose.kind {
    case .periodicAdvertisingParameters: periodicParameters(command.message, moment)
    case .periodicAdvertisingData: periodicData(command, moment, &tables)
    case .periodicAdvertisingStart, .periodicAdvertisingStop:
      guard let set = purpose.sets.first else { return }
      periodicTurned(set, on: purpose.kind == .periodicAdvertisingStart, moment, &tables)
    case .syncStart:
      guard let sid = command.message.sid else { return }
      let advertiser = purpose.peer.map { PeriodicEvent.Advertiser(sid: sid, address: $0) }
      tables.emit(.periodic(.requested(.init(advertiser: advertiser))), moment)
    case .syncEnd:
      if let sync = purpose.number { stopFollowing(sync, moment, &tables) }
    case .periodicHandOver:
      if let sync = purpose.number {
        tables.emit(.periodic(.handedOver(.init(source: .sync(sync)))), moment)
      } else if let set = purpose.sets.first {
        tables.emit(.periodic(.handedOver(.init(source: .set(set)))), moment)
      }
    case .broadcastGroupSync: groupRequested(command.message, moment)
    default: break
    }
  }

  /// HCI_LE_Set_Periodic_Advertising_Parameters. 7.8.61
  private mutating func periodicParameters(_ command: HCICommandMessage, _ moment: PacketContext) {
    guard let parameters = command.periodicParameters else { return }
    let key = ownTrain(parameters.advertisingHandle, moment)
    trains.own[key]?.parameters = PeriodicEvent.Parameters(
      shortest: parameters.intervalMin, longest: parameters.intervalMax,
      subevents: parameters.subevents.map { .init(count: $0.count, interval: $0.interval) })
  }

  /// HCI_LE_Set_Periodic_Advertising_Enable. 7.8.63
  private mutating func periodicTurned(
    _ set: UInt8, on: Bool, _ moment: PacketContext, _ tables: inout Tables
  ) {
    let key = ownTrain(set, moment)
    let wasOn =
      trains.own[key]?.isOn ?? (tables.controllers[moment.controller].sets.isKnown ? false : nil)
    trains.own[key]?.isOn = on
    guard wasOn != on else { return }
    guard !on else {
      return tables.emit(
        .periodic(.started(.init(set: set, parameters: trains.own[key]?.parameters))), moment)
    }
    reportResponses(of: key, moment, &tables)
    tables.emit(.periodic(.stopped(.init(set: set, wasOn: wasOn == true))), moment)
  }

  private mutating func ownTrain(_ set: UInt8, _ moment: PacketContext) -> PeriodicTrains.Key {
    let key = PeriodicTrains.Key(controller: moment.controller, number: UInt16(set))
    trains.makeRoom(forOwn: key)
    return key
  }

  /// HCI_LE_Set_Periodic_Advertising_Data. 7.8.62
  private mutating func periodicData(
    _ command: PendingCommands.Command, _ moment: PacketContext, _ tables: inout Tables
  ) {
    guard let reported = command.message.advertisingData, let set = reported.advertisingHandle,
      let operation = reported.operation, operation != .unchanged
    else { return }
    let key = ownTrain(set, moment)
    guard var own = trains.own[key] else { return }
    defer { trains.own[key] = own }
    let bytes = command.bytes.raw
    if operation == .firstFragment || operation == .complete { own.data.discard() }
    if operation == .firstFragment { own.fragments = [] }
    guard reported.data.upperBound <= bytes.byteCount else {
      own.fragments = nil
      return
    }
    own.data.add(bytes.extracting(reported.data))
    own.fragments?.append(contentsOf: bytes.array(reported.data))
    // More is not allowed. 7.8.62
    if own.fragments?.count ?? 0 > AdvertisingFragments.longest { own.fragments = nil }
    let fragments = own.fragments
    if operation == .lastFragment || operation == .complete { own.fragments = nil }
    guard operation == .lastFragment || operation == .complete, own.data.isChanged(),
      own.data.changes <= PeriodicTrains.mostChanges
    else { return }
    tables.emit(
      .periodic(
        .data(
          .init(
            set: set,
            content: .init(
              count: own.data.count,
              services: operation == .complete
                ? ServiceStructures.withData(bytes.extracting(reported.data))
                : fragments.map { ServiceStructures.withData($0.raw) } ?? [])))), moment)
  }

  // MARK: With responses

  /// The Session.Controller asks for data of subevents. 7.7.65.36
  mutating func subeventsRequested(_ set: UInt8, _ count: UInt8, _ moment: PacketContext) {
    let key = ownTrain(set, moment)
    trains.own[key]?.requests += Int(count)
  }

  /// 7.7.65.37
  mutating func responded(
    _ responses: LEPeriodicAdvertisingResponses, _ bytes: RawSpan, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    let key = ownTrain(responses.advertisingHandle, moment)
    var responses = responses
    var continued = tables.record.continuedData
    while let response = responses.next(bytes) {
      let continues = continued & 1 == 1
      continued >>= 1
      switch response.status {
      case .complete: trains.own[key]?.heard += 1
      case .incomplete, .notReceived: trains.own[key]?.missing += 1
      case .moreToCome: break
      }
      guard continues || response.status == .moreToCome else { continue }
      let source = AdvertisingFragments.Source(responses, response, moment.controller)
      guard response.status == .complete || response.status == .moreToCome else {
        tables.advertising.fragments.end(source)
        continue
      }
      let joined = tables.advertising.fragments.join(
        response.data.map { bytes.array($0) }, of: source,
        isMoreToCome: response.status == .moreToCome, moment)
      if let joined { tables.completeAdvertising(joined, moment) }
    }
  }

  /// One line for all responses of a train.
  private mutating func reportResponses(
    of key: PeriodicTrains.Key, _ moment: PacketContext, _ tables: inout Tables
  ) {
    guard let own = trains.own[key], own.requests + own.heard + own.missing > 0 else { return }
    trains.own[key]?.requests = 0
    trains.own[key]?.heard = 0
    trains.own[key]?.missing = 0
    tables.emit(
      .periodic(
        .responses(
          .init(
            set: UInt8(truncatingIfNeeded: key.number), requests: own.requests, heard: own.heard,
            missing: own.missing))), moment)
  }

  /// The capture ends, or a controller is reset: reports what was only counted.
  /// - Parameter cause: What ended all trains of the controller.
  mutating func end(
    _ moment: PacketContext, of controller: UInt16? = nil, by cause: Link.ControllerEnd? = nil,
    _ tables: inout Tables
  ) {
    var moment = moment
    func isMeant(_ key: PeriodicTrains.Key) -> Bool {
      controller == nil || key.controller == controller
    }
    func order(_ a: PeriodicTrains.Key, _ b: PeriodicTrains.Key) -> Bool {
      (a.controller, a.number) < (b.controller, b.number)
    }
    for key in trains.own.keys.filter(isMeant).sorted(by: order) {
      moment.controller = key.controller
      reportResponses(of: key, moment, &tables)
    }
    for key in trains.followed.keys.filter(isMeant).sorted(by: order) {
      guard let followed = trains.followed[key] else { continue }
      moment.controller = key.controller
      if let cause {
        tables.emit(
          .periodic(
            .ended(
              .init(sync: key.number, account: followed.account, controllerEnd: cause))), moment,
          device: followed.device)
      } else if followed.subevents != (0, 0) {
        tables.emit(
          .periodic(.heard(.init(sync: key.number, account: followed.account))), moment,
          device: followed.device)
      }
    }
  }

  /// HCI_Reset ends all trains of a controller. 7.3.2
  mutating func reset(
    by cause: Link.ControllerEnd, _ moment: PacketContext, _ tables: inout Tables
  ) {
    end(moment, of: moment.controller, by: cause, &tables)
    trains.own = trains.own.filter { $0.key.controller != moment.controller }
    trains.followed = trains.followed.filter { $0.key.controller != moment.controller }
    trains.groups = trains.groups.filter { $0.key.controller != moment.controller }
  }
}
