/// Messages of iAP2's control session about what the Apple device and the accessory do for each
/// other (HID, power, Wi-Fi, Bluetooth, apps, accessibility): what their parameters are called, as
/// independent implementations name them.
struct IAP2Device: Sendable {
  typealias Identifier = IAP2ParameterNames.Identifier

  static let requestStatuses: [UInt64: StaticString] = [
    0: "Success", 1: "User Declined", 2: "Network Information Unavailable",
  ]
  static let networkSecurities: [UInt64: StaticString] = [
    0: "WEP", 1: "WPA", 2: "WPA2", 3: "Mixed WPA/WPA2",
  ]
  static let accessorySecurities: [UInt64: StaticString] = [
    0: "None", 1: "WEP", 2: "WPA2 Personal/WPA3 Personal",
  ]
  static let powerModes: [UInt64: StaticString] = [
    0: "Reserved", 1: "Low Power", 2: "Intermittent High Power", 3: "Ultra High Power",
  ]
  static let appListStates: [UInt64: StaticString] = [0: "Unknown", 1: "Declined", 2: "Accepted"]
  static let accessoryAppListStates: [UInt64: StaticString] = [
    0: "Unknown", 1: "Unavailable", 2: "Available",
  ]

  let startHID = Identifier([
    0: "HIDComponentIdentifier", 1: "VendorIdentifier", 2: "ProductIdentifier",
    4: "HIDReportDescriptor",
  ])
  let hidReport = Identifier([0: "HIDComponentIdentifier", 1: "HIDReport"])
  let hidUpdate = Identifier([0: "HIDComponentIdentifier", 1: "HIDComponentEnabled"])
  let power = Identifier([
    0: "MaximumCurrentDrawnFromAccessory", 1: "DeviceBatteryWillChargeIfPowerIsPresent",
    2: "AccessoryPowerMode", 3: "AvailableSiphoningCurrent", 4: "IsExternalChargerConnected",
    5: "BatteryChargingState", 6: "BatteryChargeLevel", 7: "MaximumCurrentDrawnFromDevice",
    8: "ChargerCurrent", 9: "ChargerVoltage", 10: "ReserveCurrent", 11: "MinSiphoningCurrent",
    12: "MaxNonSiphoningCurrent",
  ])
  let powerSource = Identifier([
    0: "AvailableCurrentForDevice", 1: "DeviceBatteryShouldChargeIfPowerIsPresent",
  ])
  let network = Identifier([
    0: "RequestStatus", 1: "SecurityType", 2: "WiFiSSID", 3: "WiFiPassphrase",
  ])
  let accessoryNetwork = Identifier([
    1: "WiFiSSID", 2: "Passphrase", 3: "SecurityType", 4: "Channel",
  ])
  let connection = Identifier([
    0: "BluetoothTransportComponentIdentifier", 1: "ConnectedBluetoothProfiles",
  ])
  let profiles = Identifier([
    0: "HandsFree", 1: "PhoneBookAccess", 3: "AVRemoteControl", 4: "A2DP", 5: "HID",
    6: "SensorService", 7: "iAP2Link", 8: "PANAccessPoint", 9: "MessageAccess",
    10: "Passthrough", 11: "Gaming", 12: "PANClient", 13: "Braille", 14: "MultiStream",
    15: "LEGATTClient", 16: "LEA",
  ])
  let startAppDiscovery = Identifier([
    0: "CarPlayAppCategories", 1: "CarPlayAppListMax", 2: "CarPlayAppIconSize",
    3: "ExternalAccessoryAppCategories", 4: "ExternalAccessoryAppListMax",
  ])
  let appCategories = Identifier([0: "AllCarPlayApps"])
  let appDiscovery = Identifier([
    0: "CarPlayAppListAvailable", 1: "CarPlayAppList", 2: "CarPlayAppListCount",
    3: "ExternalAccessoryAppListAvailable", 4: "ExternalAccessoryAppList",
    5: "ExternalAccessoryAppListCount",
  ])
  let app = Identifier([
    0: "Index", 1: "AppBundleID", 2: "AppDisplayName", 3: "AppCategoryID",
    4: "AppIconIdentifier",
  ])
  let appIcon = Identifier([0: "AppBundleID", 1: "AppIconAvailable", 2: "AppIconTransferID"])
  let assistiveTouch = Identifier([0: "Enabled"])
  let voiceOver = Identifier([0: "SpeakingVolume", 1: "SpeakingRate", 2: "Enabled"])
  let voiceOverCursor = Identifier([0: "Label", 1: "Value", 2: "Hint", 3: "Traits"])

  let requestStatus = Field("Request Status", names: requestStatuses)
  let networkSecurity = Field("Security Type", names: networkSecurities)
  let accessorySecurity = Field("Security Type", names: accessorySecurities)
  let powerMode = Field("Accessory Power Mode", names: powerModes)
  let voltage = Field("Voltage", unit: "mV")
  let appListState = Field("App List", names: appListStates)
  let accessoryAppListState = Field("App List", names: accessoryAppListStates)

  static let shared = IAP2Device()
}

extension IAP2ParameterSet {
  private static let names = IAP2Device.shared

  static let device: [UInt16: IAP2ParameterSet] = [
    0x4E04: IAP2ParameterSet(
      names.connection, [0: number, 1: .group(IAP2ParameterSet(names.profiles))]),
    0x5403: IAP2ParameterSet(names.assistiveTouch, [0: boolean]),
    0x560B: voiceOver, 0x560C: voiceOver, 0x560F: voiceOverCursor, 0x5610: voiceOverCursor,
    // A passphrase is among them.
    0x5701: IAP2ParameterSet(
      names.network,
      [0: .number(names.requestStatus), 1: .number(names.networkSecurity), 2: personal],
      otherwise: .secret),
    0x5703: IAP2ParameterSet(
      names.accessoryNetwork,
      [1: personal, 3: .number(names.accessorySecurity), 4: number], otherwise: .secret),
    0x6800: IAP2ParameterSet(names.startHID, [0: number, 1: hexadecimal, 2: hexadecimal]),
    0x6801: hidReport, 0x6802: hidReport, 0x6803: hidReport,
    0x6807: IAP2ParameterSet(names.hidUpdate, [0: number, 1: boolean]),
    0xAD00: IAP2ParameterSet(
      names.startAppDiscovery,
      [0: .group(IAP2ParameterSet(names.appCategories)), 1: number, 2: number, 4: number]),
    0xAD01: IAP2ParameterSet(
      names.appDiscovery,
      [
        0: .number(names.appListState), 1: .group(app), 2: number,
        3: .number(names.accessoryAppListState), 4: .group(app), 5: number,
      ]),
    0xAD04: IAP2ParameterSet(names.appIcon, [0: text, 1: boolean, 2: number]),
    0xAE00: power, 0xAE01: power,
    0xAE03: IAP2ParameterSet(names.powerSource, [0: current, 1: boolean]),
  ]

  private static let hidReport = IAP2ParameterSet(names.hidReport, [0: number])
  private static let app = IAP2ParameterSet(names.app, [0: number, 1: text, 2: text, 3: number])
  private static let voiceOver = IAP2ParameterSet(
    names.voiceOver, [0: number, 1: number, 2: boolean])
  private static let voiceOverCursor = IAP2ParameterSet(
    names.voiceOverCursor, [0: text, 1: text, 2: text])
  private static let power = IAP2ParameterSet(
    names.power,
    [
      0: current, 1: boolean, 2: .number(names.powerMode), 3: current, 4: boolean,
      5: .number(values.chargingState), 6: .number(values.level), 7: current, 8: current,
      9: .number(names.voltage), 10: current, 11: current, 12: current,
    ])
}
