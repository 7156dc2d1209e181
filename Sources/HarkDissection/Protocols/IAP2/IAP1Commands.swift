/// The commands of iAP1 by lingo, as open implementations name them (oandrew/ipod and others).
enum IAP1Commands {
  static let general: [UInt64: StaticString] = [
    0x00: "RequestIdentify", 0x01: "Identify", 0x02: "ACK", 0x03: "RequestRemoteUIMode",
    0x04: "ReturnRemoteUIMode", 0x05: "EnterRemoteUIMode", 0x06: "ExitRemoteUIMode",
    0x07: "RequestiPodName", 0x08: "ReturniPodName", 0x09: "RequestiPodSoftwareVersion",
    0x0A: "ReturniPodSoftwareVersion", 0x0B: "RequestiPodSerialNum", 0x0C: "ReturniPodSerialNum",
    0x0D: "RequestiPodModelNum", 0x0E: "ReturniPodModelNum", 0x0F: "RequestLingoProtocolVersion",
    0x10: "ReturnLingoProtocolVersion", 0x11: "RequestTransportMaxPayloadSize",
    0x12: "ReturnTransportMaxPayloadSize", 0x13: "IdentifyDeviceLingoes",
    0x14: "GetDevAuthenticationInfo", 0x15: "RetDevAuthenticationInfo",
    0x16: "AckDevAuthenticationInfo", 0x17: "GetDevAuthenticationSignature",
    0x18: "RetDevAuthenticationSignature", 0x19: "AckDevAuthenticationStatus",
    0x1A: "GetiPodAuthenticationInfo", 0x1B: "RetiPodAuthenticationInfo",
    0x1C: "AckiPodAuthenticationInfo", 0x1D: "GetiPodAuthenticationSignature",
    0x1E: "RetiPodAuthenticationSignature", 0x1F: "AckiPodAuthenticationStatus",
    0x23: "NotifyiPodStateChange", 0x24: "GetiPodOptions", 0x25: "RetiPodOptions",
    0x27: "GetAccessoryInfo", 0x28: "RetAccessoryInfo", 0x29: "GetiPodPreferences",
    0x2A: "RetiPodPreferences", 0x2B: "SetiPodPreferences", 0x35: "GetUIMode", 0x36: "RetUIMode",
    0x37: "SetUIMode", 0x38: "StartIDPS", 0x39: "SetFIDTokenValues",
    0x3A: "RetFIDTokenValueACKs", 0x3B: "EndIDPS", 0x3C: "IDPSStatus",
    0x3F: "OpenDataSessionForProtocol", 0x40: "CloseDataSession", 0x41: "DevACK",
    0x42: "DevDataTransfer", 0x43: "iPodDataTransfer", 0x46: "SetAccStatusNotification",
    0x47: "RetAccStatusNotification", 0x48: "AccessoryStatusNotification",
    0x49: "SetEventNotification", 0x4A: "iPodNotification", 0x4B: "GetiPodOptionsForLingo",
    0x4C: "RetiPodOptionsForLingo", 0x4D: "GetEventNotification", 0x4E: "RetEventNotification",
    0x4F: "GetSupportedEventNotification", 0x50: "CancelCommand",
    0x51: "RetSupportedEventNotification", 0x54: "SetAvailableCurrent",
    0x64: "RequestApplicationLaunch", 0x65: "GetNowPlayingFocusApp",
    0x66: "RetNowPlayingFocusApp",
  ]
  static let simpleRemote: [UInt64: StaticString] = [
    0x00: "ContextButtonStatus", 0x01: "ACK", 0x03: "VideoButtonStatus",
    0x04: "AudioButtonStatus", 0x0B: "iPodOutButtonStatus", 0x0C: "RotationInputStatus",
    0x0D: "RadioButtonStatus", 0x0E: "CameraButtonStatus", 0x0F: "RegisterDescriptor",
    0x10: "SendHIDReportToiPod", 0x11: "SendHIDReportToAcc", 0x12: "UnregisterDescriptor",
    0x13: "AccessibilityEvent", 0x14: "GetAccessibilityParameter",
    0x15: "RetAccessibilityParameter", 0x16: "SetAccessibilityParameter",
    0x17: "GetCurrentItemProperty", 0x18: "RetCurrentItemProperty", 0x19: "SetContext",
    0x1A: "AccParameterChanged", 0x81: "DevACK",
  ]
  static let displayRemote: [UInt64: StaticString] = [
    0x00: "ACK", 0x01: "GetCurrentEQProfileIndex", 0x02: "RetCurrentEQProfileIndex",
    0x03: "SetCurrentEQProfileIndex", 0x04: "GetNumEQProfiles", 0x05: "RetNumEQProfiles",
    0x06: "GetIndexedEQProfileName", 0x07: "RetIndexedEQProfileName",
    0x08: "SetRemoteEventNotification", 0x09: "RemoteEventNotification",
    0x0A: "GetRemoteEventStatus", 0x0B: "RetRemoteEventStatus", 0x0C: "GetiPodStateInfo",
    0x0D: "RetiPodStateInfo", 0x0E: "SetiPodStateInfo", 0x0F: "GetPlayStatus",
    0x10: "RetPlayStatus", 0x11: "SetCurrentPlayingTrack", 0x12: "GetIndexedPlayingTrackInfo",
    0x13: "RetIndexedPlayingTrackInfo", 0x14: "GetNumPlayingTracks",
    0x15: "RetNumPlayingTracks", 0x16: "GetArtworkFormats", 0x17: "RetArtworkFormats",
    0x18: "GetTrackArtworkData", 0x19: "RetTrackArtworkData", 0x1A: "GetPowerBatteryState",
    0x1B: "RetPowerBatteryState", 0x1C: "GetSoundCheckState", 0x1D: "RetSoundCheckState",
    0x1E: "SetSoundCheckState", 0x1F: "GetTrackArtworkTimes", 0x20: "RetTrackArtworkTimes",
  ]
  static let extendedInterface: [UInt64: StaticString] = [
    0x01: "ACK", 0x02: "GetCurrentPlayingTrackChapterInfo",
    0x03: "ReturnCurrentPlayingTrackChapterInfo", 0x04: "SetCurrentPlayingTrackChapter",
    0x05: "GetCurrentPlayingTrackChapterPlayStatus",
    0x06: "ReturnCurrentPlayingTrackChapterPlayStatus",
    0x07: "GetCurrentPlayingTrackChapterName", 0x08: "ReturnCurrentPlayingTrackChapterName",
    0x09: "GetAudiobookSpeed", 0x0A: "ReturnAudiobookSpeed", 0x0B: "SetAudiobookSpeed",
    0x0C: "GetIndexedPlayingTrackInfo", 0x0D: "ReturnIndexedPlayingTrackInfo",
    0x0E: "GetArtworkFormats", 0x0F: "RetArtworkFormats", 0x10: "GetTrackArtworkData",
    0x11: "RetTrackArtworkData", 0x16: "ResetDBSelection", 0x17: "SelectDBRecord",
    0x18: "GetNumberCategorizedDBRecords", 0x19: "ReturnNumberCategorizedDBRecords",
    0x1A: "RetrieveCategorizedDatabaseRecords", 0x1B: "ReturnCategorizedDatabaseRecord",
    0x1C: "GetPlayStatus", 0x1D: "ReturnPlayStatus", 0x1E: "GetCurrentPlayingTrackIndex",
    0x1F: "ReturnCurrentPlayingTrackIndex", 0x20: "GetIndexedPlayingTrackTitle",
    0x21: "ReturnIndexedPlayingTrackTitle", 0x22: "GetIndexedPlayingTrackArtistName",
    0x23: "ReturnIndexedPlayingTrackArtistName", 0x24: "GetIndexedPlayingTrackAlbumName",
    0x25: "ReturnIndexedPlayingTrackAlbumName", 0x26: "SetPlayStatusChangeNotification",
    0x27: "PlayStatusChangeNotification", 0x28: "PlayCurrentSelection", 0x29: "PlayControl",
    0x2A: "GetTrackArtworkTimes", 0x2B: "RetTrackArtworkTimes", 0x2C: "GetShuffle",
    0x2D: "ReturnShuffle", 0x2E: "SetShuffle", 0x2F: "GetRepeat", 0x30: "ReturnRepeat",
    0x31: "SetRepeat", 0x32: "SetDisplayImage", 0x33: "GetMonoDisplayImageLimits",
    0x34: "ReturnMonoDisplayImageLimits", 0x35: "GetNumPlayingTracks",
    0x36: "ReturnNumPlayingTracks", 0x37: "SetCurrentPlayingTrack", 0x38: "SelectSortDBRecord",
    0x39: "GetColorDisplayImageLimits", 0x3A: "ReturnColorDisplayImageLimits",
    0x3B: "ResetDBSelectionHierarchy", 0x3C: "GetDBiTunesInfo", 0x3D: "RetDBiTunesInfo",
    0x3E: "GetUIDTrackInfo", 0x3F: "RetUIDTrackInfo", 0x40: "GetDBTrackInfo",
    0x41: "RetDBTrackInfo", 0x42: "GetPBTrackInfo", 0x43: "RetPBTrackInfo",
  ]
  static let digitalAudio: [UInt64: StaticString] = [
    0x00: "AccAck", 0x01: "iPodAck", 0x02: "GetAccSampleRateCaps", 0x03: "RetAccSampleRateCaps",
    0x04: "TrackNewAudioAttributes", 0x05: "SetVideoDelay",
  ]

  /// How many octets of data those commands of the General lingo have that always have as many,
  /// without a transaction ID.
  static let sizes: [UInt8: Int] = [
    0x00: 0, 0x02: 2, 0x03: 0, 0x04: 1, 0x05: 0, 0x06: 0, 0x07: 0, 0x09: 0, 0x0A: 3, 0x0B: 0,
    0x0D: 0, 0x0F: 1, 0x10: 3, 0x11: 0, 0x12: 2, 0x13: 12, 0x14: 0, 0x16: 1, 0x19: 1, 0x1A: 0,
    0x1C: 1, 0x1F: 1, 0x23: 1, 0x24: 0, 0x25: 8, 0x29: 1, 0x2A: 2, 0x2B: 3, 0x35: 0, 0x36: 1,
    0x37: 1, 0x38: 0, 0x3B: 1, 0x3C: 1, 0x49: 8, 0x4B: 1, 0x4C: 9, 0x4D: 0, 0x4E: 8, 0x4F: 0,
    0x51: 8, 0x65: 0,
  ]
  /// What an ACK says about a command.
  static let statuses: [UInt64: StaticString] = [
    0: "Success", 2: "Failed", 5: "Unknown ID", 6: "Pending",
  ]
}

extension Catalog {
  /// What a command of iAP1 is called; nil if it has no name.
  public static func commandName(iAP1 lingo: UInt8, _ command: UInt16) -> String? {
    let names =
      switch lingo {
      case 0x00: IAP1Commands.general
      case 0x02: IAP1Commands.simpleRemote
      case 0x03: IAP1Commands.displayRemote
      case 0x04: IAP1Commands.extendedInterface
      case 0x0A: IAP1Commands.digitalAudio
      default: [:] as [UInt64: StaticString]
      }
    return names[UInt64(command)]?.description
  }
}
