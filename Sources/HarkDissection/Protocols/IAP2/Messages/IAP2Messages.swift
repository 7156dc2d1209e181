/// The messages of iAP2's control session, as independent implementations name them.
///
/// The authentication plane of accessories with an MFi 4 coprocessor has messages of its own with
/// identifiers from 0x5100 to 0x54FF: they do not occur in a control session.
enum IAP2Messages {
  static let names: [UInt64: StaticString] = [
    0x00B0: "StartOOBBTPairing", 0x00B1: "OOBBTPairingAccessoryInformation",
    0x00B2: "OOBBTPairingLinkKeyInformation", 0x00B3: "OOBBTPairingCompletionInformation",
    0x00B4: "StopOOBBTPairing", 0x0B00: "StartBluetoothPairing",
    0x0B01: "BluetoothPairingAccessoryInformation", 0x0B02: "BluetoothPairingStatus",
    0x0B03: "StopBluetoothPairing", 0x0D00: "StartRoadObjectDetectionUpdates",
    0x0D01: "RoadObjectDetectionUpdate", 0x0D02: "StopRoadObjectDetectionUpdates",
    0x10DA: "StartDestinationInformation", 0x10DB: "DestinationInformation",
    0x10DC: "StopDestinationInformation", 0x10DD: "DestinationInformationStatus",
    0x1D00: "StartIdentification", 0x1D01: "IdentificationInformation",
    0x1D02: "IdentificationAccepted", 0x1D03: "IdentificationRejected",
    0x1D05: "CancelIdentification", 0x1D06: "IdentificationInformationUpdate",
    0x4154: "StartCallStateUpdates", 0x4155: "CallStateUpdate", 0x4156: "StopCallStateUpdates",
    0x4157: "StartCommunicationsUpdates", 0x4158: "CommunicationsUpdate",
    0x4159: "StopCommunicationsUpdates", 0x415A: "InitiateCall", 0x415B: "AcceptCall",
    0x415C: "EndCall", 0x415D: "SwapCalls", 0x415E: "MergeCalls", 0x415F: "HoldStatusUpdate",
    0x4160: "MuteStatusUpdate", 0x4161: "SendDTMF", 0x4170: "StartListUpdates",
    0x4171: "ListUpdate", 0x4172: "StopListUpdates", 0x4300: "CarPlayAvailability",
    0x4301: "CarPlayStartSession", 0x4302: "AvailableDigitalCarKeys",
    0x4303: "MatchedDigitalCarKeys", 0x4C00: "StartMediaLibraryInformation",
    0x4C01: "MediaLibraryInformation", 0x4C02: "StopMediaLibraryInformation",
    0x4C03: "StartMediaLibraryUpdates", 0x4C04: "MediaLibraryUpdate",
    0x4C05: "StopMediaLibraryUpdates", 0x4C06: "PlayMediaLibraryCurrentSelection",
    0x4C07: "PlayMediaLibraryItems", 0x4C08: "PlayMediaLibraryCollection",
    0x4C09: "PlayMediaLibrarySpecial", 0x4E01: "BluetoothComponentInformation",
    0x4E03: "StartBluetoothConnectionUpdates", 0x4E04: "BluetoothConnectionUpdate",
    0x4E05: "StopBluetoothConnectionUpdates", 0x4E09: "DeviceInformationUpdate",
    0x4E0A: "DeviceLanguageUpdate", 0x4E0B: "DeviceTimeUpdate", 0x4E0C: "DeviceUUIDUpdate",
    0x4E0D: "WirelessCarPlayUpdate", 0x4E0E: "DeviceTransportIdentifierNotification",
    0x5000: "StartNowPlayingUpdates", 0x5001: "NowPlayingUpdate", 0x5002: "StopNowPlayingUpdates",
    0x5003: "SetNowPlayingInformation", 0x5200: "StartRouteGuidanceUpdates",
    0x5201: "RouteGuidanceUpdate", 0x5202: "RouteGuidanceManeuverInformation",
    0x5203: "StopRouteGuidanceUpdates", 0x5204: "LaneGuidanceInformation",
    0x5400: "StartAssistiveTouch", 0x5401: "StopAssistiveTouch",
    0x5402: "StartAssistiveTouchInformation", 0x5403: "AssistiveTouchInformation",
    0x5404: "StopAssistiveTouchInformation", 0x5601: "RequestVoiceOverMoveCursor",
    0x5602: "RequestVoiceOverActivateCursor", 0x5603: "RequestVoiceOverScrollPage",
    0x5606: "RequestVoiceOverSpeakText", 0x5608: "RequestVoiceOverPauseText",
    0x5609: "RequestVoiceOverResumeText", 0x560B: "StartVoiceOverUpdates",
    0x560C: "VoiceOverUpdate", 0x560D: "StopVoiceOverUpdates",
    0x560E: "RequestVoiceOverConfiguration", 0x560F: "StartVoiceOverCursorUpdates",
    0x5610: "VoiceOverCursorUpdate", 0x5611: "StopVoiceOverCursorUpdates", 0x5612: "StartVoiceOver",
    0x5613: "StopVoiceOver", 0x5700: "RequestWiFiInformation", 0x5701: "WiFiInformation",
    0x5702: "RequestAccessoryWiFiConfigurationInformation",
    0x5703: "AccessoryWiFiConfigurationInformation", 0x6800: "StartHID", 0x6801: "DeviceHIDReport",
    0x6802: "AccessoryHIDReport", 0x6803: "StopHID", 0x6806: "StartNativeHID",
    0x6807: "HIDComponentUpdate", 0x7E00: "StartUSBHostMode", 0x7E01: "USBModeNotification",
    0x7E02: "StopUSBHostMode", 0xA100: "StartVehicleStatusUpdates", 0xA101: "VehicleStatusUpdate",
    0xA102: "StopVehicleStatusUpdates", 0xAA00: "RequestAuthenticationCertificate",
    0xAA01: "AuthenticationCertificate", 0xAA02: "RequestAuthenticationChallengeResponse",
    0xAA03: "AuthenticationResponse", 0xAA04: "AuthenticationFailed",
    0xAA05: "AuthenticationSucceeded", 0xAA06: "AccessoryAuthenticationSerialNumber",
    0xAA10: "RequestDeviceAuthenticationCertificate", 0xAA11: "DeviceAuthenticationCertificate",
    0xAA12: "RequestDeviceAuthenticationChallengeResponse", 0xAA13: "DeviceAuthenticationResponse",
    0xAA14: "DeviceAuthenticationFailed", 0xAA15: "DeviceAuthenticationSucceeded",
    0xAD00: "StartAppDiscoveryUpdates", 0xAD01: "AppDiscoveryUpdate",
    0xAD02: "StopAppDiscoveryUpdates", 0xAD03: "RequestAppDiscoveryAppIcons",
    0xAD04: "AppDiscoveryAppIcon", 0xAE00: "StartPowerUpdates", 0xAE01: "PowerUpdate",
    0xAE02: "StopPowerUpdates", 0xAE03: "PowerSourceUpdate", 0xAE05: "AccessoryPowerUpdate",
    0xB100: "StartBluetoothLowEnergyUpdates", 0xB101: "DeviceBluetoothLowEnergyUpdate",
    0xB102: "AccessoryBluetoothLowEnergyUpdate",
    0xB103: "AccessoryBluetoothLowEnergyPairingInformation",
    0xB104: "DeviceBluetoothLowEnergyPairingData", 0xB105: "AccessoryBluetoothLowEnergyPairingData",
    0xB106: "DeviceBluetoothLowEnergyPairingInformation", 0xB107: "StopBluetoothLowEnergyUpdates",
    0xDA00: "StartUSBDeviceModeAudio", 0xDA01: "USBDeviceModeAudioInformation",
    0xDA02: "StopUSBDeviceModeAudio", 0xEA00: "StartExternalAccessoryProtocolSession",
    0xEA01: "StopExternalAccessoryProtocolSession", 0xEA02: "RequestAppLaunch",
    0xEA03: "StatusExternalAccessoryProtocolSession", 0xFFF0: "GPRMCDataStatusValuesNotification",
    0xFFFA: "StartLocationInformation", 0xFFFB: "LocationInformation",
    0xFFFC: "StopLocationInformation",
  ]

  /// Those that the Apple device sends; the accessory sends the others.
  static let fromDevice: Set<UInt16> = [
    0x00B0, 0x00B2, 0x00B4, 0x0B00, 0x0B03, 0x0D00, 0x0D02, 0x10DB, 0x1D00, 0x1D02, 0x1D03, 0x4155,
    0x4158, 0x4171, 0x4300, 0x4303, 0x4C01, 0x4C04, 0x4E04, 0x4E09, 0x4E0A, 0x4E0B, 0x4E0C, 0x4E0D,
    0x4E0E, 0x5001, 0x5201, 0x5202, 0x5204, 0x5403, 0x560C, 0x5610, 0x5701, 0x5702, 0x6801, 0x6806,
    0x6807, 0x7E01, 0xA100, 0xA102, 0xAA00, 0xAA02, 0xAA04, 0xAA05, 0xAA11, 0xAA13, 0xAD01, 0xAD04,
    0xAE01, 0xB100, 0xB101, 0xB104, 0xB106, 0xB107, 0xDA01, 0xEA00, 0xEA01, 0xFFF0, 0xFFFA, 0xFFFC,
  ]
}

extension Catalog {
  /// Whether the Apple device sends a message of iAP2's control session, and not the accessory; nil
  /// for messages without a name.
  public static func isFromDevice(iAP2 message: UInt16) -> Bool? {
    guard IAP2Messages.names[UInt64(message)] != nil else { return nil }
    return IAP2Messages.fromDevice.contains(message)
  }
}
