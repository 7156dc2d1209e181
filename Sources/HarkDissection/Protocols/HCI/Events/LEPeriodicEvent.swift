import HarkCore

/// Subevents of the LE Meta event: periodic advertising.
/// Core Specification, Vol 4, Part E, 7.7.65.14 to 7.7.65.16, 7.7.65.24, 7.7.65.34, 7.7.65.36, 7.7.65.37.
package enum LEPeriodicEvent: HCIEventGroup {
  case syncEstablished(SyncEstablished)
  case syncTransferReceived(SyncEstablished)
  case report(LEPeriodicAdvertisingReport)
  case syncLost(syncHandle: UInt16)
  case bigInfoReport(BIGInfo)
  case subeventDataRequest(advertisingHandle: UInt8, count: UInt8)
  case responseReport(LEPeriodicAdvertisingResponses)

  /// 7.7.65.14, 7.7.65.24
  package struct SyncEstablished: Sendable {
    package let status: UInt8
    package let syncHandle: UInt16
    package let sid: UInt8
    package let advertiser: BluetoothAddress
    package let phy: UInt8
    /// In units of 1.25 ms.
    package let interval: UInt16
    /// Nil for trains without subevents.
    package let subevents: LEPeriodicSubevents?

    init?(_ values: ParameterValues) {
      guard let status = values.u8(p.status), let syncHandle = values.u16(a.syncHandle),
        let sid = values.u8(a.sid),
        let advertiser = values.address(a.advertiserAddress, type: a.advertiserAddressType),
        let phy = values.u8(a.advertiserPHY), let interval = values.u16(a.periodicInterval),
        values[a.advertiserClockAccuracy] != nil
      else { return nil }
      (self.status, self.syncHandle, self.sid) = (status, syncHandle, sid)
      (self.advertiser, self.phy, self.interval) = (advertiser, phy, interval)
      subevents = LEPeriodicSubevents(values)
    }
  }

  /// 7.7.65.34
  package struct BIGInfo: Sendable {
    package let syncHandle: UInt16
    package let streams: UInt8
    /// In units of 1.25 ms.
    package let isoInterval: UInt16
    package let maxPDU: UInt16
    /// In microseconds.
    package let sduInterval: UInt32
    package let maxSDU: UInt16
    package let phy: UInt8
    package let isEncrypted: Bool

    init?(_ values: ParameterValues) {
      guard let syncHandle = values.u16(a.syncHandle), let streams = values.u8(s.numBIS),
        let isoInterval = values.u16(s.isoInterval), let maxPDU = values.u16(s.maxPDU),
        let sduInterval = values.u32(s.sduInterval), let maxSDU = values.u16(s.maxSDU),
        let phy = values.u8(s.phy), let encryption = values.u8(s.encryption)
      else { return nil }
      (self.syncHandle, self.streams, self.isoInterval) = (syncHandle, streams, isoInterval)
      (self.maxPDU, self.sduInterval, self.maxSDU) = (maxPDU, sduInterval, maxSDU)
      (self.phy, isEncrypted) = (phy, encryption == 1)
    }
  }

  private static let p = HCIParameters.shared
  private static let a = HCIParameters.shared.advertising
  private static let s = HCIParameters.shared.isochronous
  private static let advertiser: [Parameter] = [
    .u8(a.sid), .u8(a.advertiserAddressType), .address(a.advertiserAddress),
    .u8(a.advertiserPHY), .u16(a.periodicInterval), .u8(a.advertiserClockAccuracy),
  ]
  private static let subevents2: [Parameter] = [
    .u8(a.numSubevents), .u8(a.subeventInterval), .u8(a.responseSlotDelay),
    .u8(a.responseSlotSpacing),
  ]
  private static let established: [Parameter] =
    [.u8(p.status), .u12(a.syncHandle)] + advertiser
  private static let transferred: [Parameter] =
    [.u8(p.status), .handle(p.handle), .u16(a.serviceData), .u12(a.syncHandle)] + advertiser
  private static let periodicReport: [Parameter] = [
    .u12(a.syncHandle), .u8(a.txPower), .u8(p.rssi), .u8(a.cteType),
  ]
  private static let periodicData: [Parameter] = [
    .u8(a.dataStatus), .advertisingData(a.dataLength, a.data, partOf: .train),
  ]

  static let rows: [Row] = [
    Row(0x0E, "HCI_LE_Periodic_Advertising_Sync_Established", established),
    Row(
      0x24, "HCI_LE_Periodic_Advertising_Sync_Established [v2]", established + subevents2),
    Row(0x0F, "HCI_LE_Periodic_Advertising_Report", periodicReport + periodicData),
    Row(
      0x25, "HCI_LE_Periodic_Advertising_Report [v2]",
      periodicReport + [.u16(a.periodicEventCounter), .u8(a.subeventNumber)] + periodicData),
    Row(0x10, "HCI_LE_Periodic_Advertising_Sync_Lost", [.u12(a.syncHandle)]),
    Row(0x18, "HCI_LE_Periodic_Advertising_Sync_Transfer_Received", transferred),
    Row(
      0x26, "HCI_LE_Periodic_Advertising_Sync_Transfer_Received [v2]",
      transferred + subevents2),
    Row(
      0x27, "HCI_LE_Periodic_Advertising_Subevent_Data_Request",
      [.u8(a.advertisingHandle), .u8(a.subeventDataStart), .u8(a.subeventDataCount)]),
    Row(
      0x28, "HCI_LE_Periodic_Advertising_Response_Report",
      [
        .u8(a.advertisingHandle), .u8(a.subeventNumber), .u8(a.txStatus),
        .each(
          a.numResponseReports, a.responseReport,
          [
            .u8(a.txPower), .u8(p.rssi), .u8(a.cteType), .u8(a.responseSlot),
            .u8(a.dataStatus), .advertisingData(a.dataLength, a.data, partOf: .train),
          ]),
      ]),
    Row(
      0x22, "HCI_LE_BIGInfo_Advertising_Report",
      [
        .u12(a.syncHandle), .u8(s.numBIS), .u8(s.nse), .u16(s.isoInterval),
        .u8(s.bn), .u8(s.pto), .u8(s.irc), .u16(s.maxPDU), .u24(s.sduInterval), .u16(s.maxSDU),
        .u8(s.phy), .u8(s.framing), .u8(s.encryption),
      ]),
  ]

  enum Code: UInt8 {
    case periodicAdvertisingSyncEstablished = 0x0E
    case periodicAdvertisingReport = 0x0F
    case periodicAdvertisingSyncLost = 0x10
    case periodicAdvertisingSyncTransferReceived = 0x18
    case bigInfoAdvertisingReport = 0x22
    case periodicAdvertisingSyncEstablishedV2 = 0x24
    case periodicAdvertisingReportV2 = 0x25
    case periodicAdvertisingSyncTransferReceivedV2 = 0x26
    case periodicAdvertisingSubeventDataRequest = 0x27
    case periodicAdvertisingResponseReport = 0x28
  }

  static func read(_ code: Code, _ event: RawSpan, _ context: Context) -> LEPeriodicEvent? {
    switch code {
    case .periodicAdvertisingReport, .periodicAdvertisingReportV2:
      LEPeriodicAdvertisingReport(event, hasSubevent: code == .periodicAdvertisingReportV2)
        .map { .report($0) }
    case .periodicAdvertisingResponseReport:
      LEPeriodicAdvertisingResponses(event).map { .responseReport($0) }
    default: read(code, HCIEvent.values(event, context))
    }
  }

  static func read(_ code: Code, _ values: ParameterValues) -> LEPeriodicEvent? {
    switch code {
    case .periodicAdvertisingSyncEstablished, .periodicAdvertisingSyncEstablishedV2:
      return SyncEstablished(values).map { .syncEstablished($0) }
    case .periodicAdvertisingSyncTransferReceived, .periodicAdvertisingSyncTransferReceivedV2:
      return SyncEstablished(values).map { .syncTransferReceived($0) }
    case .periodicAdvertisingSyncLost:
      return values.u16(a.syncHandle).map { .syncLost(syncHandle: $0) }
    case .bigInfoAdvertisingReport: return BIGInfo(values).map { .bigInfoReport($0) }
    case .periodicAdvertisingSubeventDataRequest:
      guard let set = values.u8(a.advertisingHandle), let count = values.u8(a.subeventDataCount)
      else { return nil }
      return .subeventDataRequest(advertisingHandle: set, count: count)
    case .periodicAdvertisingReport, .periodicAdvertisingReportV2,
      .periodicAdvertisingResponseReport:
      return nil
    }
  }
}

/// The subevents of a periodic advertising train with responses.
package struct LEPeriodicSubevents: Sendable {
  package let count: UInt8
  /// In units of 1.25 ms.
  package let interval: UInt8

  init?(_ values: ParameterValues) {
    let a = HCIParameters.shared.advertising
    guard let count = values.u8(a.numSubevents), count > 0,
      let interval = values.u8(a.subeventInterval)
    else { return nil }
    (self.count, self.interval) = (count, interval)
  }
}
