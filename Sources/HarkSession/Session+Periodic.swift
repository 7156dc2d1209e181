import HarkCore
import HarkDissection

// Periodic advertising that controllers follow. Core Specification, Vol 4, Part E, 7.7.65.
extension Session {
  /// Subevents of the LE Meta event.
  mutating func periodic(_ subevent: UInt16, _ bytes: RawSpan, _ moment: inout Moment) {
    switch subevent {
    case 0x0E, 0x24: established(bytes, 4, isTransfer: false, moment)
    case 0x18, 0x26:
      if bytes.byteCount > 5 {
        let handle = UInt16(truncatingIfNeeded: bytes.unsigned(at: 4, 2)) & 0x0FFF
        moment.link = linkTable.find(moment.controller, handle)
      }
      established(bytes, 8, isTransfer: true, moment)
    case 0x0F: reported(bytes, status: 8, subevent: nil, moment)
    case 0x25: reported(bytes, status: 11, subevent: bytes.byte(at: 10), moment)
    case 0x10 where bytes.byteCount > 4:
      let key = train(bytes, 3, moment)
      let followed = periodic.followed.removeValue(forKey: key)
      emit(
        .periodic(.lost(.init(sync: key.number, account: followed?.account ?? .init()))), moment,
        severity: .warning, device: followed?.device)
    case 0x22 where bytes.byteCount > 21: grouped(bytes, moment)
    case 0x27, 0x28: subeventEvent(subevent, bytes, moment)
    default: break
    }
    guard accessories.framings.usesAdvertising else { return }
    if subevent == 0x0F || subevent == 0x25 {
      advertised(bytes, moment)
    } else if subevent < 0x20 || subevent == 0x24 || subevent == 0x26 {
      synchronized(subevent, bytes, moment)
    }
  }

  private func train(
    _ bytes: RawSpan, _ position: Int, _ moment: Moment
  ) -> PeriodicTrains.Key {
    PeriodicTrains.Key(
      controller: moment.controller,
      number: UInt16(truncatingIfNeeded: bytes.unsigned(at: position, 2)) & 0x0FFF)
  }

  /// The Sync_Handle is at `start`. 7.7.65.14, 7.7.65.24
  private mutating func established(
    _ bytes: RawSpan, _ start: Int, isTransfer: Bool, _ moment: Moment
  ) {
    guard bytes.byteCount >= start + 14 else { return }
    let status = bytes.byte(at: 3)
    guard status == 0 else {
      // 0x44: Operation Cancelled by Host.
      return emit(
        .periodic(.failed(.init(status: status, isTransfer: isTransfer))), moment,
        severity: status == 0x44 ? .info : .warning)
    }
    let key = train(bytes, start, moment)
    let address = BluetoothAddress(
      bytes.unsigned(at: start + 4, 6), hciType: bytes.byte(at: start + 3))
    let hasSubevents = bytes.byteCount >= start + 16 && bytes.byte(at: start + 14) > 0
    let found = PeriodicEvent.Train(
      advertiser: .init(sid: bytes.byte(at: start + 2), address: address),
      phy: bytes.byte(at: start + 10),
      interval: UInt16(truncatingIfNeeded: bytes.unsigned(at: start + 11, 2)),
      subevents: hasSubevents
        ? .init(count: bytes.byte(at: start + 14), interval: bytes.byte(at: start + 15)) : nil)
    let device = deviceTable.device(at: address, moment.packet)
    periodic.follow(key, device)
    emit(
      .periodic(
        isTransfer
          ? .received(.init(sync: key.number, train: found))
          : .synchronized(.init(sync: key.number, train: found))),
      moment, device: device)
  }

  /// A report: its Data_Status is at `start`, behind it length and data. 7.7.65.15
  private mutating func reported(
    _ bytes: RawSpan, status start: Int, subevent: UInt8?, _ moment: Moment
  ) {
    guard bytes.byteCount > start + 1 else { return }
    let key = train(bytes, 3, moment)
    if periodic.followed[key] == nil { periodic.follow(key, nil) }
    // Changed in place, each member would cost an allocation.
    guard var followed = periodic.followed[key] else { return }
    defer { periodic.followed[key] = followed }
    followed.reports += 1
    let data = start + 2..<start + 2 + Int(bytes.byte(at: start + 1))
    let status = bytes.byte(at: start)
    guard status < 2, data.upperBound <= bytes.byteCount else {
      followed.data.discard()
      if !moment.isSliced { followed.truncated += 1 }
      return
    }
    if let subevent, subevent < 128 {
      // What subevents say differs by design: it is only counted.
      let bit: UInt64 = 1 << UInt64(subevent & 63)
      if subevent < 64 {
        followed.subevents.low |= bit
      } else {
        followed.subevents.high |= bit
      }
      return
    }
    let isInParts = followed.data.isInParts
    followed.data.add(bytes.extracting(data))
    guard status == 0, followed.data.isChanged() else { return }
    guard followed.data.changes <= PeriodicTrains.mostChanges else {
      followed.untold += 1
      return
    }
    emit(
      .periodic(
        .changed(
          .init(
            sync: key.number,
            content: .init(
              count: followed.data.count,
              services: isInParts ? [] : Self.serviceData(bytes.extracting(data))),
            isFirst: followed.data.changes == 1))), moment, device: followed.device)
  }

  /// HCI_LE_BIGInfo_Advertising_Report comes with each report of the train. 7.7.65.34
  private mutating func grouped(_ bytes: RawSpan, _ moment: Moment) {
    let key = train(bytes, 3, moment)
    if periodic.followed[key] == nil { periodic.follow(key, nil) }
    let group = PeriodicEvent.Group(
      streams: bytes.byte(at: 5), isoInterval: UInt16(truncatingIfNeeded: bytes.unsigned(at: 7, 2)),
      maxPDU: UInt16(truncatingIfNeeded: bytes.unsigned(at: 12, 2)),
      sduInterval: UInt32(truncatingIfNeeded: bytes.unsigned(at: 14, 3)),
      maxSDU: UInt16(truncatingIfNeeded: bytes.unsigned(at: 17, 2)), phy: bytes.byte(at: 19),
      isEncrypted: bytes.byte(at: 21) == 1)
    guard periodic.followed[key]?.group != group else { return }
    periodic.followed[key]?.group = group
    emit(
      .periodic(.group(.init(sync: key.number, group: group))), moment,
      device: periodic.followed[key]?.device)
  }

  /// The services that AD structures of the type Service Data name. Supplement, Part A, 1.11
  static func serviceData(_ data: RawSpan) -> [BluetoothUUID] {
    var services: [BluetoothUUID] = []
    var start = 0
    while start + 1 < data.byteCount, data.byte(at: start) > 0 {
      let size =
        switch data.byte(at: start + 1) {
        case 0x16: 2
        case 0x20: 4
        case 0x21: 16
        default: 0
        }
      let end = start + 1 + Int(data.byte(at: start))
      if size > 0, start + 2 + size <= min(end, data.byteCount),
        let uuid = BluetoothUUID(littleEndian: data.extracting(start + 2..<start + 2 + size))
      {
        services.append(uuid)
      }
      start = end
    }
    return services
  }

  /// The host follows a train no longer. 7.8.69
  mutating func stopFollowing(_ sync: UInt16, _ moment: Moment) {
    let key = PeriodicTrains.Key(controller: moment.controller, number: sync)
    let followed = periodic.followed.removeValue(forKey: key)
    emit(
      .periodic(.ended(.init(sync: key.number, account: followed?.account ?? .init()))), moment,
      device: followed?.device)
  }

  /// The train that a broadcast group is found by. 7.8.106
  mutating func groupRequested(_ bytes: RawSpan, _ moment: Moment) {
    guard bytes.byteCount > 5 else { return }
    let group = PeriodicTrains.Key(
      controller: moment.controller, number: UInt16(bytes.byte(at: 3)))
    if periodic.groups.count >= PeriodicTrains.most { periodic.groups = [:] }
    periodic.groups[group] = train(bytes, 4, moment)
  }

  /// Who sends the broadcast group.
  func broadcaster(ofGroup big: UInt8, _ moment: Moment) -> DeviceID? {
    periodic.groups[.init(controller: moment.controller, number: UInt16(big))]
      .flatMap { periodic.followed[$0]?.device }
  }
}
