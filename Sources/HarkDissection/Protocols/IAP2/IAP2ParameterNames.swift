/// The identifiers of parameters, each group with its own names.
struct IAP2ParameterNames: Sendable {
  /// The identifier field of one message or group.
  struct Identifier: Sendable {
    let id: Field

    init(_ names: [UInt64: StaticString]) { id = Field("Parameter ID", names: names) }
  }

  let unnamed = Identifier([:])
  let identification = Identifier([
    0: "Name", 1: "ModelIdentifier", 2: "Manufacturer", 3: "SerialNumber", 4: "FirmwareVersion",
    5: "HardwareVersion", 6: "MessagesSentByAccessory", 7: "MessagesReceivedFromDevice",
    8: "PowerProvidingCapability", 9: "MaximumCurrentDrawnFromDevice",
    10: "SupportedExternalAccessoryProtocol", 11: "AppMatchTeamID", 12: "CurrentLanguage",
    13: "SupportedLanguage", 14: "SerialTransportComponent", 15: "USBDeviceTransportComponent",
    16: "USBHostTransportComponent", 17: "BluetoothTransportComponent", 18: "iAP2HIDComponent",
    20: "VehicleInformationComponent", 21: "VehicleStatusComponent",
    22: "LocationInformationComponent", 24: "WirelessCarPlayTransportComponent",
    30: "RouteGuidanceDisplayComponent", 33: "RoadObjectDetectionComponent",
  ])
  let externalAccessoryProtocol = Identifier([
    0: "ExternalAccessoryProtocolIdentifier", 1: "ExternalAccessoryProtocolName",
    2: "ExternalAccessoryProtocolMatchAction", 3: "NativeTransportComponentIdentifier",
  ])
  let serialTransport = Identifier(transport)
  let usbDeviceTransport = Identifier(
    transport.merging([3: "USBDeviceSupportedAudioSampleRate"]) { $1 })
  let usbHostTransport = Identifier(
    transport.merging([3: "CarPlayInterfaceNumber", 4: "TransportSupportsCarPlay"]) { $1 })
  let bluetoothTransport = Identifier(
    transport.merging([3: "BluetoothTransportMediaAccessControlAddress"]) { $1 })
  let wirelessCarPlayTransport = Identifier(
    transport.merging([4: "TransportSupportsCarPlay"]) { $1 })
  let hidComponent = Identifier([
    0: "HIDComponentIdentifier", 1: "HIDComponentName", 2: "HIDComponentFunction",
  ])
  let vehicleInformation = Identifier([
    0: "VehicleInformationComponentIdentifier", 1: "VehicleInformationComponentName",
    2: "EngineType",
  ])
  let vehicleStatus = Identifier([
    0: "VehicleStatusComponentIdentifier", 1: "VehicleStatusComponentName", 3: "Range",
    4: "OutsideTemperature", 5: "RangeWarning",
  ])
  let component = Identifier([0: "Identifier", 1: "Name"])
  let certificate = Identifier([0: "Certificate"])
  let challenge = Identifier([0: "Challenge"])
  let response = Identifier([0: "Response"])
  let serialNumber = Identifier([0: "SerialNumber"])
  let startExternalAccessory = Identifier([
    0: "ExternalAccessoryProtocolIdentifier", 1: "ExternalAccessoryProtocolSessionIdentifier",
  ])
  let stopExternalAccessory = Identifier([0: "ExternalAccessoryProtocolSessionIdentifier"])
  let statusExternalAccessory = Identifier([
    0: "ExternalAccessoryProtocolSessionIdentifier", 1: "ExternalAccessoryProtocolSessionStatus",
  ])
  let appLaunch = Identifier([0: "AppBundleID", 1: "LaunchOption"])
  let power = Identifier([
    0: "MaximumCurrentDrawnFromAccessory", 1: "DeviceBatteryWillChargeIfPowerIsPresent",
    2: "AccessoryPowerMode", 4: "IsExternalChargerConnected", 5: "BatteryChargingState",
    6: "BatteryChargeLevel",
  ])
  let powerSource = Identifier([
    0: "AvailableCurrentForDevice", 1: "DeviceBatteryShouldChargeIfPowerIsPresent",
  ])
  let deviceInformation = Identifier([0: "DeviceName"])
  let deviceLanguage = Identifier([0: "DeviceLanguage"])
  let deviceTime = Identifier([
    0: "SecondsSinceReferenceDate", 1: "TimeZoneOffsetMinutes", 2: "DaylightSavingsOffsetMinutes",
  ])
  let deviceUUID = Identifier([0: "DeviceUUID"])
  let wirelessCarPlay = Identifier([0: "WirelessCarPlayStatus"])
  let transportIdentifiers = Identifier([
    0: "BluetoothTransportIdentifier", 1: "USBTransportIdentifier",
  ])

  private static let transport: [UInt64: StaticString] = [
    0: "TransportComponentIdentifier", 1: "TransportComponentName",
    2: "TransportSupportsiAP2Connection",
  ]

  static let shared = IAP2ParameterNames()
}
