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
    22: "LocationInformationComponent", 23: "USBHostHIDComponent",
    24: "WirelessCarPlayTransportComponent", 26: "BLETransportComponent",
    29: "BluetoothHIDComponent", 30: "RouteGuidanceDisplayComponent",
    33: "RoadObjectDetectionComponent", 34: "ProductPlanUID", 35: "PhysicalDeviceCompatibility",
    36: "Color", 37: "SecondaryColor", 38: "VehicleDigitalCarKeyInformation",
    240: "MaximumCurrentDrawnInUHPM", 241: "PowerDuringSleep",
  ])
  /// Those of IdentificationInformationUpdate, which are fewer and end otherwise.
  let identificationUpdate = Identifier([
    0: "Name", 1: "ModelIdentifier", 2: "Manufacturer", 3: "SerialNumber", 4: "FirmwareVersion",
    5: "HardwareVersion", 6: "CurrentLanguage",
  ])
  let externalAccessoryProtocol = Identifier([
    0: "ExternalAccessoryProtocolIdentifier", 1: "ExternalAccessoryProtocolName",
    2: "ExternalAccessoryProtocolMatchAction", 3: "NativeTransportComponentIdentifier",
    4: "ExternalAccessoryProtocolCarPlay",
  ])
  let serialTransport = Identifier(transport)
  let usbDeviceTransport = Identifier(
    transport.merging([3: "USBDeviceSupportedAudioSampleRate"]) { $1 })
  let usbHostTransport = Identifier(
    transport.merging([
      3: "USBHostTransportCarPlayInterfaceNumber", 4: "TransportSupportsCarPlay",
    ]) { $1 })
  let bluetoothTransport = Identifier(
    transport.merging([3: "BluetoothTransportMediaAccessControlAddress"]) { $1 })
  let wirelessCarPlayTransport = Identifier(
    transport.merging([4: "TransportSupportsCarPlay"]) { $1 })
  let hidComponent = Identifier(hid)
  let usbHostHID = Identifier(
    hid.merging([
      3: "USBHostTransportComponentIdentifier", 4: "USBHostTransportInterfaceNumber",
    ]) { $1 })
  let bluetoothHID = Identifier(hid.merging([3: "BluetoothTransportComponentIdentifier"]) { $1 })
  let vehicleInformation = Identifier(
    component.merging([
      2: "EngineType", 6: "DisplayName", 8: "MapsDisplayName", 9: "SiriName",
      10: "VehicleColorHexCode", 11: "SupportedChargingConnectors",
      12: "PowerForConnectorTypeCCS1", 13: "PowerForConnectorTypeCCS2",
      14: "PowerForConnectorTypeJ1772", 15: "PowerForConnectorTypeCHAdeMO",
      16: "PowerForConnectorTypeMennekes", 17: "PowerForConnectorTypeGBT_DC",
      18: "PowerForConnectorTypeGBT_AC", 19: "PowerForConnectorTypeNACS_DC",
      20: "PowerForConnectorTypeNACS_AC",
    ]) { $1 })
  let vehicleStatus = Identifier(component.merging(IAP2Vehicle.statusNames) { $1 })
  let locationInformation = Identifier(
    component.merging([
      17: "GlobalPositioningSystemFixData", 18: "RecommendedMinimumSpecificGPSTransitData",
      19: "GPSSatellitesInView", 20: "VehicleSpeedData", 21: "VehicleGyroData",
      22: "VehicleAccelerometerData", 23: "VehicleHeadingData",
    ]) { $1 })
  let routeGuidanceDisplay = Identifier(
    component.merging([
      2: "MaxCurrentRoadNameLength", 3: "MaxDestinationNameLength",
      4: "MaxAfterManeuverRoadNameLength", 5: "MaxManeuverDescriptionLength",
      6: "MaxGuidanceManeuverStorageCapacity", 7: "MaxLaneGuidanceDescriptionLength",
      8: "MaxLaneGuidanceStorageCapacity",
    ]) { $1 })
  let roadObjectDetection = Identifier(
    component.merging([2: "SupportedRoadObjectDetectionType"]) { $1 })
  let certificateRequest = Identifier([0: "RequestAuthenticationCertificateSerialNumber"])
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

  private static let component: [UInt64: StaticString] = [0: "Identifier", 1: "Name"]
  private static let hid: [UInt64: StaticString] = [
    0: "HIDComponentIdentifier", 1: "HIDComponentName", 2: "HIDComponentFunction",
  ]

  static let shared = IAP2ParameterNames()
}
