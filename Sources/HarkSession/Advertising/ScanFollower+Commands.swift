import HarkCore
import HarkDissection

// Scanning and advertising of this host, as commands and events show them. Core Specification, Vol 4, Part E, 7.7.65, 7.8.
extension ScanFollower {
  mutating func scan(isOn: Bool, _ moment: PacketContext, _ tables: inout Tables) {
    let scan = tables.controllers[moment.controller].scan
    tables.controllers[moment.controller].isScanKnown = true
    if isOn, scan == nil {
      tables.controllers[moment.controller].scan = Scan()
      tables.emit(.controller(.discovery(.scanStarted)), moment)
    } else if !isOn, let scan {
      tables.controllers[moment.controller].scan = nil
      tables.emit(
        .controller(.discovery(.scanStopped(.init(devices: scan.devices, reports: scan.reports)))),
        moment)
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
    tables.emit(
      .controller(.discovery(.advertisingStarted(.init(sets: sets, solicited: solicited)))), moment)
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
    tables.emit(
      .controller(.discovery(.advertisingStopped(.init(sets: sets, wasOn: wasOn)))), moment)
  }

  /// Only sets that are off can be removed. 7.8.59, 7.8.60
  mutating func advertisingRemoved(_ sets: [UInt8], _ moment: PacketContext, _ tables: inout Tables)
  {
    tables.controllers[moment.controller].advertising.remove(sets)
    if sets.isEmpty { _ = tables.controllers[moment.controller].sets.stopAll() }
    for set in sets { _ = tables.controllers[moment.controller].sets.turn(UInt16(set), on: false) }
    tables.emit(.controller(.discovery(.advertisingRemoved(.init(sets: sets)))), moment)
  }

  /// HCI_LE_Monitored_Advertisers_Report. 7.7.65.46
  func monitored(
    _ address: BluetoothAddress, _ condition: UInt8, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    tables.emit(
      .controller(.discovery(.monitored(.init(address: address, condition: condition)))), moment,
      device: tables.devices.device(at: address, moment.packet))
  }

  /// HCI_LE_Advertising_Set_Terminated: a connection was made, or a limit of the set is reached.
  /// 7.7.65.18
  mutating func advertisingEnded(
    _ end: LEAdvertisingEvent.SetTerminated, _ moment: PacketContext, _ tables: inout Tables
  ) {
    let set = end.advertisingHandle
    guard tables.controllers[moment.controller].sets.turn(UInt16(set), on: false) != false else {
      return
    }
    var moment = moment
    if end.status != 0 { moment.link = nil }
    tables.emit(
      .controller(
        .discovery(
          .advertisingEnded(.init(set: set, status: end.status, events: end.completedEvents)))),
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
      .controller(.discovery(.advertisingEnded(.init(set: nil, status: status, events: nil)))),
      moment)
  }

  mutating func advertisingData(
    _ command: PendingCommands.Command, _ moment: PacketContext, _ tables: inout Tables,
    _ accessory: inout AccessoryFollower
  ) {
    guard let data = command.message.advertisingData else { return }
    let bytes = command.bytes.raw
    ownAdvertising(data, bytes, moment, &tables)
    let own = AppleAdvertisers.OwnData(
      controller: moment.controller, set: data.advertisingHandle,
      isScanResponse: data.isScanResponse)
    if data.operation == .complete {
      accessory.ownAppleAdvertising(bytes, data.data, own, moment, &tables)
    }
    let joined = tables.controllers[moment.controller].advertising.take(data, of: bytes)
    if let joined {
      accessory.ownAppleAdvertising(joined.raw, joined.indices, own, moment, &tables)
    }
  }

  /// 7.3.2
  mutating func reset(_ moment: PacketContext, _ tables: inout Tables) {
    tables.controllers.update(moment.controller) { controller in
      (controller.scan, controller.isScanKnown) = (nil, true)
      (controller.inquiry, controller.isInquiryKnown) = (nil, true)
      controller.advertising = AdvertisedServices()
      controller.sets = AdvertisingSets(isKnown: true)
    }
  }
}
