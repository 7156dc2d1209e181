import HarkCore
import HarkDissection

/// Periodic advertising that controllers follow. Core Specification, Vol 4, Part E, 7.7.65.
struct PeriodicFollower {
  var trains = PeriodicTrains()

  /// Subevents of the LE Meta event.
  mutating func take(
    _ event: LEPeriodicEvent, _ bytes: RawSpan, _ moment: PacketContext, _ tables: inout Tables,
    _ traffic: inout TrafficFollower
  ) {
    let isWanted = tables.framings.usesAdvertising
    switch event {
    case .syncEstablished(let sync):
      established(sync, isTransfer: false, moment, &tables)
      if isWanted { traffic.accessory.synchronized(sync, moment) }
    case .syncTransferReceived(let sync):
      established(sync, isTransfer: true, moment, &tables)
      if isWanted { traffic.accessory.synchronized(sync, moment) }
    case .report(let report):
      reported(report, bytes, moment, &tables)
      if isWanted { traffic.accessory.advertised(report, bytes, moment, &tables) }
    case .syncLost(let handle):
      lost(handle, moment, &tables)
      if isWanted {
        traffic.accessory.advertisements.synchronized(handle, moment.controller, with: nil)
      }
    case .bigInfoReport(let info): grouped(info, moment, &tables)
    case .subeventDataRequest(let set, let count):
      subeventsRequested(set, count, moment)
    case .responseReport(let responses): responded(responses, bytes, moment, &tables)
    }
  }

  private func train(_ handle: UInt16, _ moment: PacketContext) -> PeriodicTrains.Key {
    PeriodicTrains.Key(controller: moment.controller, number: handle)
  }

  /// 7.7.65.16
  private mutating func lost(_ handle: UInt16, _ moment: PacketContext, _ tables: inout Tables) {
    let key = train(handle, moment)
    let followed = trains.followed.removeValue(forKey: key)
    tables.emit(
      .periodic(.lost(.init(sync: key.number, account: followed?.account ?? .init()))), moment,
      severity: .warning, device: followed?.device)
  }

  /// 7.7.65.14, 7.7.65.24
  private mutating func established(
    _ sync: LEPeriodicEvent.SyncEstablished, isTransfer: Bool, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    guard sync.status == 0 else {
      let isCancelled = HCIErrorCode(rawValue: sync.status) == .operationCancelledByHost
      return tables.emit(
        .periodic(.failed(.init(status: sync.status, isTransfer: isTransfer))), moment,
        severity: isCancelled ? .info : .warning)
    }
    let key = train(sync.syncHandle, moment)
    // The handle may have been that of another train.
    if !tables.advertising.fragments.isEmpty {
      tables.advertising.fragments.end(train: sync.syncHandle, moment.controller)
    }
    let found = PeriodicEvent.Train(
      advertiser: .init(sid: sync.sid, address: sync.advertiser), phy: sync.phy,
      interval: sync.interval,
      subevents: sync.subevents.map { .init(count: $0.count, interval: $0.interval) })
    let device = tables.devices.device(at: sync.advertiser, moment.packet)
    trains.follow(key, device)
    tables.emit(
      .periodic(
        isTransfer
          ? .received(.init(sync: key.number, train: found))
          : .synchronized(.init(sync: key.number, train: found))),
      moment, device: device)
  }

  /// 7.7.65.15
  private mutating func reported(
    _ report: LEPeriodicAdvertisingReport, _ bytes: RawSpan, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    let key = train(report.syncHandle, moment)
    let joined = joined(report, bytes, moment, &tables)
    if trains.followed[key] == nil { trains.follow(key, nil) }
    // Changed in place, each member would cost an allocation.
    guard var followed = trains.followed[key] else { return }
    defer { trains.followed[key] = followed }
    guard report.status != .notReceived else {
      followed.notReceived += 1
      followed.data.discard()
      return
    }
    followed.reports += 1
    guard report.status != .incomplete, let data = report.data else {
      followed.data.discard()
      if !moment.isTruncated { followed.truncated += 1 }
      return
    }
    if let subevent = report.subevent, subevent < 128 {
      // The data of subevents differs by design, so it is only counted.
      let bit: UInt64 = 1 << UInt64(subevent & 63)
      if subevent < 64 {
        followed.subevents.low |= bit
      } else {
        followed.subevents.high |= bit
      }
      return
    }
    // The end of the data before it is not in the capture.
    if tables.record.continuedData == 0 { followed.data.discard() }
    followed.data.add(bytes.extracting(data))
    guard report.status == .complete, followed.data.isChanged() else { return }
    guard followed.data.changes <= PeriodicTrains.mostChanges else {
      followed.unreported += 1
      return
    }
    tables.emit(
      .periodic(
        .changed(
          .init(
            sync: key.number,
            content: .init(
              count: followed.data.count,
              services: tables.record.continuedData == 0
                ? ServiceStructures.withData(bytes.extracting(data))
                : joined.map { ServiceStructures.withData($0.bytes.raw) } ?? []),
            isFirst: followed.data.changes == 1))), moment, device: followed.device)
  }

  /// The data whose last part a report has; nil for others, and for data that comes in one report.
  private func joined(
    _ report: LEPeriodicAdvertisingReport, _ bytes: RawSpan, _ moment: PacketContext,
    _ tables: inout Tables
  ) -> AdvertisingFragments.Joined? {
    guard report.status == .moreToCome || tables.record.continuedData != 0 else { return nil }
    let source = AdvertisingFragments.Source(
      train: report.syncHandle, subevent: report.subevent, moment.controller)
    guard report.status == .complete || report.status == .moreToCome else {
      tables.advertising.fragments.end(source)
      return nil
    }
    let joined = tables.advertising.fragments.join(
      report.data.map { bytes.array($0) }, of: source, isMoreToCome: report.status == .moreToCome,
      moment)
    if let joined { tables.completeAdvertising(joined, moment) }
    return joined
  }

  /// HCI_LE_BIGInfo_Advertising_Report comes with each report of the train. 7.7.65.34
  private mutating func grouped(
    _ info: LEPeriodicEvent.BIGInfo, _ moment: PacketContext, _ tables: inout Tables
  ) {
    let key = train(info.syncHandle, moment)
    if trains.followed[key] == nil { trains.follow(key, nil) }
    let group = PeriodicEvent.Group(
      streams: info.streams, isoInterval: info.isoInterval, maxPDU: info.maxPDU,
      sduInterval: info.sduInterval, maxSDU: info.maxSDU, phy: info.phy,
      isEncrypted: info.isEncrypted)
    guard trains.followed[key]?.group != group else { return }
    trains.followed[key]?.group = group
    tables.emit(
      .periodic(.group(.init(sync: key.number, group: group))), moment,
      device: trains.followed[key]?.device)
  }

  /// The host no longer follows a train. 7.8.69
  mutating func stopFollowing(_ sync: UInt16, _ moment: PacketContext, _ tables: inout Tables) {
    let key = PeriodicTrains.Key(controller: moment.controller, number: sync)
    let followed = trains.followed.removeValue(forKey: key)
    tables.emit(
      .periodic(.ended(.init(sync: key.number, account: followed?.account ?? .init()))), moment,
      device: followed?.device)
  }

  /// The train that leads to a broadcast group. 7.8.106
  mutating func groupRequested(_ command: HCICommandMessage, _ moment: PacketContext) {
    guard let big = command.big, let sync = command.syncHandle else { return }
    let group = PeriodicTrains.Key(controller: moment.controller, number: UInt16(big))
    if trains.groups.count >= PeriodicTrains.most { trains.groups = [:] }
    trains.groups[group] = train(sync, moment)
  }

  /// The sender of the broadcast group.
  func broadcaster(ofGroup big: UInt8, _ moment: PacketContext) -> DeviceID? {
    trains.groups[.init(controller: moment.controller, number: UInt16(big))]
      .flatMap { trains.followed[$0]?.device }
  }
}
