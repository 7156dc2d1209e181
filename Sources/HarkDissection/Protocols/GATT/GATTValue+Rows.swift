// One row for each characteristic or descriptor: its UUID, its name, its parts.
extension GATTValue {
  // Core Specification, Vol 3, Part G, 3.3.3; HID Service 1.0, 4
  static let descriptors: [Row] = [
    Row(0x2900, "Characteristic Extended Properties", [.u16(fields.extendedProperties)]),
    Row(0x2901, "Characteristic User Description", [.rest(fields.userDescription)]),
    Row(0x2902, "Client Characteristic Configuration", [.u16(fields.clientConfiguration)]),
    Row(0x2903, "Server Characteristic Configuration", [.u16(fields.serverConfiguration)]),
    Row(
      0x2904, "Characteristic Presentation Format",
      [
        .u8(fields.format), .bytes(1, fields.exponent), .bytes(2, fields.unit),
        .u8(fields.nameSpace), .u16(fields.description),
      ]),
    Row(0x2907, "External Report Reference", [.rest(fields.externalReference)]),
    Row(0x2908, "Report Reference", [.u8(fields.reportID), .u8(fields.reportType)]),
  ]

  // Core Specification, Vol 3, Part C, 12
  static let genericAccess: [Row] = [
    Row(0x2A00, "Device Name", [.rest(fields.deviceName)]),
    Row(0x2A01, "Appearance", [.u16(fields.appearance)]),
    Row(
      0x2A04, "Peripheral Preferred Connection Parameters",
      [
        .u16(fields.intervalMin), .u16(fields.intervalMax), .u16(fields.latency),
        .u16(fields.timeout), .special(.preferredTiming),
      ]),
    Row(0x2AA6, "Central Address Resolution", [.u8(fields.addressResolution)]),
    Row(0x2AC9, "Resolvable Private Address Only", [.u8(fields.privateAddressOnly)]),
  ]

  // Core Specification, Vol 3, Part G, 7
  static let genericAttribute: [Row] = [
    Row(0x2A05, "Service Changed", [.u16(fields.start), .u16(fields.end)]),
    Row(0x2B29, "Client Supported Features", [.rest(fields.clientFeatures)]),
    Row(0x2B3A, "Server Supported Features", [.rest(fields.serverFeatures)]),
    Row(0x2B2A, "Database Hash", [.bytes(16, fields.hash)]),
  ]

  // Battery Service 1.1, 3; Device Information Service 1.2, 3; Immediate Alert and Tx Power Service
  static let device: [Row] = [
    Row(0x2A19, "Battery Level", [.u8(fields.batteryLevel)]),
    Row(0x2A23, "System ID", [.u40(fields.manufacturerID), .u24(fields.oui)]),
    Row(0x2A24, "Model Number String", [.rest(fields.model.text)]),
    Row(0x2A25, "Serial Number String", [.rest(fields.serialNumber.text)]),
    Row(0x2A26, "Firmware Revision String", [.rest(fields.text)]),
    Row(0x2A27, "Hardware Revision String", [.rest(fields.text)]),
    Row(0x2A28, "Software Revision String", [.rest(fields.text)]),
    Row(0x2A29, "Manufacturer Name String", [.rest(fields.model.text)]),
    Row(
      0x2A2A, "IEEE 11073-20601 Regulatory Certification Data List", [.rest(fields.certification)]),
    Row(0x2A06, "Alert Level", [.u8(fields.alertLevel)]),
    Row(0x2A07, "Tx Power Level", [.bytes(1, fields.txPower)]),
  ]

  // Current Time Service 1.1, 3; Reference Time Update Service 1.0, 3
  static let dateTime: [Parameter] = [
    .u16(fields.year), .u8(fields.month), .u8(fields.day), .u8(fields.hours),
    .u8(fields.minutes), .u8(fields.seconds),
  ]
  static let time: [Row] = [
    Row(0x2A08, "Date Time", dateTime),
    Row(
      0x2A2B, "Current Time",
      dateTime + [
        .u8(fields.dayOfWeek), .u8(fields.fractions), .u8(fields.adjustReason),
      ]),
    Row(0x2A0F, "Local Time Information", [.bytes(1, fields.timeZone), .u8(fields.dstOffset)]),
    Row(
      0x2A14, "Reference Time Information",
      [
        .u8(fields.timeSource), .u8(fields.timeAccuracy), .u8(fields.daysSinceUpdate),
        .u8(fields.hoursSinceUpdate),
      ]),
    Row(0x2A11, "Time with DST", dateTime + [.u8(fields.dstOffset)]),
    Row(0x2A16, "Time Update Control Point", [.u8(fields.timeUpdate)]),
    Row(0x2A17, "Time Update State", [.u8(fields.updateState), .u8(fields.updateResult)]),
  ]

  // Alert Notification Service 1.0, 3; Object Transfer Service 1.0, 3; Indoor Positioning Service
  // 1.0, 3; Location and Navigation Service 1.0, 3; HTTP Proxy Service 1.0, 3
  static let personal: [Row] = [
    Row(0x2A03, "Reconnection Address", [.address(fields.reconnectionAddress)]),
    Row(
      0x2A46, "New Alert",
      [.u8(fields.alertCategory), .u8(fields.alertCount), .rest(fields.own.text)]),
    Row(0x2AAE, "Latitude", [.rest(fields.own.value)]),
    Row(0x2AAF, "Longitude", [.rest(fields.own.value)]),
    Row(0x2AB0, "Local North Coordinate", [.rest(fields.own.value)]),
    Row(0x2AB1, "Local East Coordinate", [.rest(fields.own.value)]),
    Row(0x2AB5, "Location Name", [.rest(fields.own.text)]),
    Row(0x2AB6, "URI", [.rest(fields.own.text)]),
    Row(0x2AB7, "HTTP Headers", [.rest(fields.own.text)]),
    Row(0x2AB9, "HTTP Entity Body", [.rest(fields.own.text)]),
    Row(0x2ABE, "Object Name", [.rest(fields.own.text)]),
    Row(0x2BFF, "UDI for Medical Devices", [.rest(fields.own.identifier)]),
  ]

  // HID Service 1.0, 2; Scan Parameters Service 1.0, 3
  static let hid: [Row] = [
    Row(0x2A31, "Scan Refresh", [.u8(fields.scanRefresh)]),
    Row(0x2A4F, "Scan Interval Window", [.u16(fields.scanInterval), .u16(fields.scanWindow)]),
    Row(
      0x2A4A, "HID Information",
      [.u16(fields.bcdHID), .u8(fields.countryCode), .u8(fields.hidFlags)]),
    Row(0x2A4C, "HID Control Point", [.u8(fields.hidControl)]),
    Row(0x2A4E, "Protocol Mode", [.u8(fields.protocolMode)]),
  ]
}
