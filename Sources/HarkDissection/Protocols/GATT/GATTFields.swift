import HarkCore

/// The fields of the values in `GATTValue`, and what their codes mean.
struct GATTFields: Sendable {
  // Descriptors. Vol 3, Part G, 3.3.3
  let extendedProperties = Field(
    "Characteristic Extended Properties", .hex,
    flags: [0: "Reliable Write", 1: "Writable Auxiliaries"], inLine: true)
  let userDescription = Field("Characteristic User Description", .text, inLine: true)
  let clientConfiguration = Field(
    "Client Characteristic Configuration", .hex, flags: [0: "Notification", 1: "Indication"],
    inLine: true)
  let serverConfiguration = Field(
    "Server Characteristic Configuration", .hex, flags: [0: "Broadcast"], inLine: true)
  let format = Field("Format", .hex, names: GATTCodes.formats, inLine: true)
  let exponent = Field("Exponent", .signed, inLine: true)
  let unit = Field("Unit", .uuid, inLine: true)
  let nameSpace = Field("Name Space", .hex, names: [1: "Bluetooth SIG"])
  let description = Field("Description", .hex)
  let externalReference = Field("External Report Reference", .uuid, inLine: true)
  let reportID = Field("Report ID", inLine: true)
  let reportType = Field(
    "Report Type", names: [1: "Input Report", 2: "Output Report", 3: "Feature Report"],
    inLine: true)

  // GAP. Vol 3, Part C, 12
  let deviceName = Field("Device Name", .text, inLine: true, personal: .name)
  let appearance = Field(
    "Appearance", .hex, lookup: { AssignedNumbers.appearance(UInt16(truncatingIfNeeded: $0)) },
    inLine: true)
  let intervalMin = Field(
    "Connection Interval Min", unit: "1.25 ms", special: [0xFFFF: "no specific value"],
    inLine: true)
  let intervalMax = Field(
    "Connection Interval Max", unit: "1.25 ms", special: [0xFFFF: "no specific value"],
    inLine: true)
  let latency = Field("Latency", inLine: true)
  let timeout = Field(
    "Timeout", unit: "10 ms", special: [0xFFFF: "no specific value"], inLine: true)
  let addressResolution = Field(
    "Central Address Resolution", names: [0: "not supported", 1: "supported"], inLine: true)
  let privateAddressOnly = Field(
    "Resolvable Private Address Only", names: [0: "after bonding, the resolvable address only"],
    inLine: true)

  // GATT. Vol 3, Part G, 7
  let start = Field("Start of Affected Attribute Handle Range", .hex, inLine: true)
  let end = Field("End of Affected Attribute Handle Range", .hex, inLine: true)
  let clientFeatures = Field(
    "Client Supported Features", .hex,
    flags: [
      0: "Robust Caching", 1: "Enhanced ATT bearer", 2: "Multiple Handle Value Notifications",
    ],
    inLine: true)
  let serverFeatures = Field(
    "Server Supported Features", .hex, flags: [0: "EATT Supported"], inLine: true)
  let hash = Field("Database Hash", .bytes, inLine: true)

  // Battery Service 1.1, 3
  let batteryLevel = Field("Battery Level", unit: "%", inLine: true)
  let statusFlags = Field(
    "Flags", .hex,
    flags: [0: "Identifier Present", 1: "Battery Level Present", 2: "Additional Status Present"])
  let batteryPresent = Field("Battery Present", names: GATTCodes.noYesUnknown, inLine: true)
  let wiredPower = Field(
    "Wired External Power Source Connected", names: GATTCodes.noYesUnknown, inLine: true)
  let wirelessPower = Field(
    "Wireless External Power Source Connected", names: GATTCodes.noYesUnknown)
  let chargeState = Field("Battery Charge State", names: GATTCodes.chargeStates, inLine: true)
  let chargeLevel = Field("Battery Charge Level", names: GATTCodes.chargeLevels, inLine: true)
  let chargingType = Field("Charging Type", names: GATTCodes.chargingTypes)
  let chargingFault = Field(
    "Charging Fault Reason", .hex,
    flags: [0: "Battery", 1: "External Power source", 2: "Other"])
  let identifier = Field("Identifier", .hex)
  let additionalStatus = Field("Additional Status", .hex)

  // Device Information Service 1.2, 3
  let manufacturerID = Field(
    "Manufacturer-defined Identifier", .hex, inLine: true, personal: .identifier)
  let oui = Field("Organizationally Unique Identifier", .hex, inLine: true)
  let text = Field("Text", .text, inLine: true)
  let serialNumber = SerialNumber()
  let model = Model()
  let certification = Field(
    "Regulatory Certification Data List", .bytes, inLine: true, personal: .opaque)
  let vendorIDSource = Field(
    "Vendor ID Source", .hex, names: AdvertisingData.vendorSources, inLine: true)
  let vendorID = Field(
    "Vendor ID", .hex, lookup: { AssignedNumbers.company(UInt16(truncatingIfNeeded: $0)) },
    inLine: true)
  let productID = Field("Product ID", .hex, inLine: true)
  let productVersion = Field(
    "Product Version", .hex, lookup: { GATTCodes.version($0) }, inLine: true)
  let usb = USB()

  /// In place of the field of the same name: the SIG did not hand it out.
  struct USB: Sendable {
    let vendorID = Field("Vendor ID", .hex, inLine: true)
  }

  // What is somebody's: Alert Notification Service 1.0, 3; Object Transfer Service 1.0, 3; Indoor
  // Positioning Service 1.0, 3; Location and Navigation Service 1.0, 3; HTTP Proxy Service 1.0, 3
  let reconnectionAddress = Field("Reconnection Address", .address, inLine: true)
  let alertCategory = Field("Category ID", names: GATTCodes.alertCategories, inLine: true)
  let alertCount = Field("Number of New Alert", inLine: true)
  let own = Own()

  /// In place of the fields of the same name, where the value is somebody's.
  struct Own: Sendable {
    let text = Field("Text", .text, inLine: true, personal: .text)
    let value = Field("Value", .bytes, inLine: true, personal: .input)
    let identifier = Field("Identifier", .bytes, inLine: true, personal: .identifier)
  }

  // Current Time Service 1.1, 3; Reference Time Update Service 1.0, 3
  let year = Field("Year", special: [0: "unknown"], inLine: true)
  let month = Field("Month", special: [0: "unknown"], inLine: true)
  let day = Field("Day", special: [0: "unknown"], inLine: true)
  // The capture has the time in UTC: beside it, a local time shows the time zone.
  let hours = Field("Hours", inLine: true, personal: .health)
  let minutes = Field("Minutes", inLine: true, personal: .health)
  let seconds = Field("Seconds", inLine: true)
  let dayOfWeek = Field("Day of Week", names: GATTCodes.daysOfWeek, inLine: true)
  let fractions = Field("Fractions256")
  let adjustReason = Field("Adjust Reason", .hex, flags: GATTCodes.adjustReasons, inLine: true)
  let timeZone = Field(
    "Time Zone", .signed, unit: "15 min", special: [0x80: "unknown"], inLine: true,
    personal: .health)
  let dstOffset = Field(
    "DST Offset", names: GATTCodes.dstOffsets, inLine: true, personal: .health)
  let timeSource = Field("Time Source", names: GATTCodes.timeSources, inLine: true)
  let timeAccuracy = Field(
    "Time Accuracy", unit: "125 ms", special: [254: "out of range", 255: "unknown"], inLine: true)
  let daysSinceUpdate = Field(
    "Days Since Update", special: [255: "255 or more"], inLine: true)
  let hoursSinceUpdate = Field(
    "Hours Since Update", special: [255: "255 or more"], inLine: true)
  let timeUpdate = Field(
    "Time Update Control Point", names: [1: "Get Reference Update", 2: "Cancel Reference Update"],
    inLine: true)
  let updateState = Field("Current State", names: [0: "Idle", 1: "Update Pending"], inLine: true)
  let updateResult = Field("Result", names: GATTCodes.updateResults, inLine: true)

  // HID Service 1.0, 3; Device Class Definition for HID 1.11, 6.2.2
  let bcdHID = Field("bcdHID", .hex, lookup: { GATTCodes.version($0) }, inLine: true)
  let countryCode = Field("bCountryCode", inLine: true)
  let hidFlags = Field(
    "Flags", .hex, flags: [0: "RemoteWake", 1: "NormallyConnectable"], inLine: true)
  let hidControl = Field(
    "HID Control Point", names: [0: "Suspend", 1: "Exit Suspend"], inLine: true)
  let protocolMode = Field(
    "Protocol Mode", names: [0: "Boot Protocol Mode", 1: "Report Protocol Mode"], inLine: true)
  let reportMap = HIDReportMap()

  // Scan Parameters Service 1.0, 3
  let scanInterval = Field("LE_Scan_Interval", unit: "0.625 ms", inLine: true)
  let scanWindow = Field("LE_Scan_Window", unit: "0.625 ms", inLine: true)
  let scanRefresh = Field(
    "Scan Refresh Value", names: [0: "Server requires refresh"], inLine: true)

  // Immediate Alert Service 1.0, Tx Power Service 1.0
  let alertLevel = Field(
    "Alert Level", names: [0: "No Alert", 1: "Mild Alert", 2: "High Alert"], inLine: true)
  let txPower = Field("Tx Power Level", .signed, unit: "dBm", inLine: true)

  /// In place of the field of the same name, for what is not the same in all devices.
  struct SerialNumber: Sendable {
    let text = Field("Text", .text, inLine: true, personal: .serialNumber)
  }

  /// The same for what is the same in all devices of a model.
  struct Model: Sendable {
    let text = Field("Text", .text, inLine: true, personal: .model)
  }
}
