import HarkCore

/// Subevents of the LE Meta event: advertising reports, advertising sets, scans.
/// Core Specification, Vol 4, Part E, 7.7.65.
package enum LEAdvertisingEvent: HCIEventGroup {
  /// `LEAdvertisingReports` reads it.
  case report
  case scanTimeout
  case setTerminated(SetTerminated)
  /// An advertiser that the Controller watches appears or disappears. 7.7.65.46
  case monitoredAdvertiser(BluetoothAddress, condition: UInt8)

  package struct SetTerminated: Sendable {
    package let status: UInt8
    package let advertisingHandle: UInt8
    package let completedEvents: UInt8
  }

  private static let p = HCIParameters.shared
  private static let a = HCIParameters.shared.advertising

  static let rows: [Row] = [
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
            .advertisingData(a.dataLength, a.data, partOf: .report),
          ])
      ]),
    Row(0x11, "HCI_LE_Scan_Timeout", []),
    Row(
      0x34, "HCI_LE_Monitored_Advertisers_Report",
      [.u8(a.addressType), .address(p.address), .u8(a.condition)]),
    Row(
      0x12, "HCI_LE_Advertising_Set_Terminated",
      [
        .u8(p.status), .u8(a.advertisingHandle), .handle(p.handle), .u8(a.numCompletedEvents),
      ]),
    Row(
      0x13, "HCI_LE_Scan_Request_Received",
      [.u8(a.advertisingHandle), .u8(a.scannerAddressType), .address(a.scannerAddress)]),
  ]

  enum Code: UInt8 {
    case advertisingReport = 0x02
    case directedAdvertisingReport = 0x0B
    case extendedAdvertisingReport = 0x0D
    case scanTimeout = 0x11
    case advertisingSetTerminated = 0x12
    case monitoredAdvertisersReport = 0x34
  }

  static func read(_ code: Code, _ values: ParameterValues) -> LEAdvertisingEvent? {
    switch code {
    case .advertisingReport, .directedAdvertisingReport, .extendedAdvertisingReport:
      return .report
    case .scanTimeout: return .scanTimeout
    case .monitoredAdvertisersReport:
      guard let address = values.address(p.address, type: a.addressType),
        let condition = values.u8(a.condition)
      else { return nil }
      return .monitoredAdvertiser(address, condition: condition)
    case .advertisingSetTerminated:
      guard let status = values.u8(p.status), let set = values.u8(a.advertisingHandle),
        let events = values.u8(a.numCompletedEvents)
      else { return nil }
      return .setTerminated(.init(status: status, advertisingHandle: set, completedEvents: events))
    }
  }
}
