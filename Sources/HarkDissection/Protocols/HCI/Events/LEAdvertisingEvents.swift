/// Subevents of the LE Meta event: advertising reports and periodic advertising.
/// Core Specification, Vol 4, Part E, 7.7.65.
extension HCIEvent {
  private static let p = HCIParameters.shared
  private static let a = HCIParameters.shared.advertising
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
    .u8(a.dataStatus), .advertisingData(a.dataLength, a.data),
  ]

  static let leAdvertisingEvents: [Row] = reports + advertisingSets + periodic

  private static let reports: [Row] = [
    Row(
      0x02, "HCI_LE_Advertising_Report",
      [
        .each(
          a.numReports, a.report,
          [
            .u8(a.eventType), .u8(a.addressType), .address(p.address),
            .advertisingData(a.dataLength, a.data), .u8(p.rssi),
          ])
      ]),
    Row(
      0x0B, "HCI_LE_Directed_Advertising_Report",
      [
        .each(
          a.numReports, a.report,
          [
            .u8(a.eventType), .u8(a.addressType), .address(p.address),
            .u8(a.directAddressType), .address(a.directAddress), .u8(p.rssi),
          ])
      ]),
    Row(
      0x0D, "HCI_LE_Extended_Advertising_Report",
      [
        .each(
          a.numReports, a.report,
          [
            .u16(a.extendedEventType), .u8(a.addressType), .address(p.address),
            .u8(a.primaryPHY), .u8(a.secondaryPHY), .u8(a.sid), .u8(a.txPower), .u8(p.rssi),
            .u16(a.periodicInterval), .u8(a.directAddressType), .address(a.directAddress),
            .advertisingData(a.dataLength, a.data),
          ])
      ]),
    Row(0x11, "HCI_LE_Scan_Timeout", []),
    Row(
      0x34, "HCI_LE_Monitored_Advertisers_Report",
      [.u8(a.addressType), .address(p.address), .u8(a.condition)]),
  ]

  private static let advertisingSets: [Row] = [
    Row(
      0x12, "HCI_LE_Advertising_Set_Terminated",
      [
        .u8(p.status), .u8(a.advertisingHandle), .handle(p.handle), .u8(a.numCompletedEvents),
      ]),
    Row(
      0x13, "HCI_LE_Scan_Request_Received",
      [.u8(a.advertisingHandle), .u8(a.scannerAddressType), .address(a.scannerAddress)]),
  ]

  private static let periodic: [Row] = [
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
            .u8(a.dataStatus), .advertisingData(a.dataLength, a.data),
          ]),
      ]),
  ]
}
