/// Messages of iAP2's control session about calls: what their parameters are called, as independent
/// implementations name them.
struct IAP2Telephony: Sendable {
  typealias Identifier = IAP2ParameterNames.Identifier

  static let statuses: [UInt64: StaticString] = [
    0: "Disconnected", 1: "Sending", 2: "Ringing", 3: "Connecting", 4: "Active", 5: "Held",
    6: "Disconnecting",
  ]
  static let directions: [UInt64: StaticString] = [0: "Unknown", 1: "Incoming", 2: "Outgoing"]
  static let services: [UInt64: StaticString] = [
    0: "Unknown", 1: "Telephony", 2: "FaceTime Audio", 3: "FaceTime Video",
  ]
  static let disconnectReasons: [UInt64: StaticString] = [
    0: "No Reason", 1: "Call Declined", 2: "Call Failed",
  ]
  static let registrationStatuses: [UInt64: StaticString] = [
    0: "Unknown", 1: "Not Registered", 2: "Searching", 3: "Denied", 4: "Registered, Home",
    5: "Registered, Roaming", 6: "Emergency Calls Only",
  ]
  static let callTypes: [UInt64: StaticString] = [0: "Destination", 1: "Voicemail", 2: "Redial"]
  static let acceptActions: [UInt64: StaticString] = [
    0: "Accept, or Hold and Accept", 1: "End and Accept",
  ]
  static let endActions: [UInt64: StaticString] = [0: "End or Decline", 1: "End All"]
  static let tones: [UInt64: StaticString] = [10: "*", 11: "#"]
  static let recentTypes: [UInt64: StaticString] = [
    0: "Unknown", 1: "Incoming", 2: "Outgoing", 3: "Missed",
  ]

  let callState = Identifier([
    0: "RemoteID", 1: "DisplayName", 2: "Status", 3: "Direction", 4: "CallUUID",
    6: "AddressBookID", 7: "Label", 8: "Service", 9: "IsConferenced", 10: "ConferenceGroup",
    11: "DisconnectReason", 12: "StartTimestamp",
  ])
  let communications = Identifier([
    0: "SignalStrength", 1: "RegistrationStatus", 2: "AirplaneModeStatus", 4: "CarrierName",
    5: "CellularSupported", 6: "TelephonyEnabled", 7: "FaceTimeAudioEnabled",
    8: "FaceTimeVideoEnabled", 9: "MuteStatus", 10: "CurrentCallCount", 11: "NewVoicemailCount",
    12: "InitiateCallAvailable", 13: "EndAndAcceptAvailable", 14: "HoldAndAcceptAvailable",
    15: "SwapAvailable", 16: "MergeAvailable", 17: "HoldAvailable",
  ])
  let initiateCall = Identifier([
    0: "Type", 1: "DestinationID", 2: "Service", 3: "AddressBookID",
  ])
  let acceptCall = Identifier([0: "AcceptAction", 1: "CallUUID"])
  let endCall = Identifier([0: "EndAction", 1: "CallUUID"])
  let holdStatus = Identifier([0: "HoldStatus", 1: "CallUUID"])
  let muteStatus = Identifier([0: "MuteStatus"])
  let sendDTMF = Identifier([0: "Tone", 1: "CallUUID"])
  let startLists = Identifier([
    1: "RecentsListProperties", 3: "RecentsListMax", 4: "RecentsListCombine",
    6: "FavoritesListProperties", 8: "FavoritesListMax",
  ])
  let lists = Identifier([
    0: "RecentsListAvailable", 1: "RecentsList", 2: "RecentsListCount",
    5: "FavoritesListAvailable", 6: "FavoritesList", 7: "FavoritesListCount",
  ])
  let recents = Identifier(
    listed.merging([6: "Type", 7: "UnixTimestamp", 8: "Duration", 9: "Occurrences"]) { $1 })
  let favorites = Identifier(listed)

  let callStatus = Field("Status", names: statuses, inLine: true)
  let callDirection = Field("Direction", names: directions, inLine: true)
  let callService = Field("Service", names: services)
  let disconnectReason = Field("Disconnect Reason", names: disconnectReasons)
  let registrationStatus = Field("Registration Status", names: registrationStatuses)
  let callType = Field("Type", names: callTypes)
  let acceptAction = Field("Accept Action", names: acceptActions)
  let endAction = Field("End Action", names: endActions)
  let tone = Field("Tone", names: tones)
  let recentType = Field("Type", names: recentTypes)

  private static let listed: [UInt64: StaticString] = [
    0: "Index", 1: "RemoteID", 2: "DisplayName", 3: "Label", 4: "AddressBookID", 5: "Service",
  ]

  static let shared = IAP2Telephony()
}

extension IAP2ParameterSet {
  private static let names = IAP2Telephony.shared

  /// Those of messages 0x4154 to 0x4172.
  static let telephony: [UInt16: IAP2ParameterSet] = [
    0x4154: callState, 0x4155: callState, 0x4157: communications, 0x4158: communications,
    0x415A: IAP2ParameterSet(
      names.initiateCall,
      [0: .number(names.callType), 1: phoneNumber, 2: .number(names.callService), 3: personal]),
    0x415B: IAP2ParameterSet(names.acceptCall, [0: .number(names.acceptAction), 1: text]),
    0x415C: IAP2ParameterSet(names.endCall, [0: .number(names.endAction), 1: text]),
    0x415F: IAP2ParameterSet(names.holdStatus, [0: boolean, 1: text]),
    0x4160: IAP2ParameterSet(names.muteStatus, [0: boolean]),
    0x4161: IAP2ParameterSet(names.sendDTMF, [0: .number(names.tone), 1: text]),
    0x4170: IAP2ParameterSet(
      names.startLists,
      [1: .group(recents), 3: number, 4: boolean, 6: .group(favorites), 8: number]),
    0x4171: IAP2ParameterSet(
      names.lists,
      [0: boolean, 1: .group(recents), 2: number, 5: boolean, 6: .group(favorites), 7: number]),
  ]

  private static let callState = IAP2ParameterSet(
    names.callState,
    [
      0: phoneNumber, 1: personal, 2: .number(names.callStatus), 3: .number(names.callDirection),
      4: text,
      6: personal, 7: personal, 8: .number(names.callService), 9: boolean, 10: number,
      11: .number(names.disconnectReason), 12: seconds,
    ])
  private static let communications = IAP2ParameterSet(
    names.communications,
    [
      0: number, 1: .number(names.registrationStatus), 2: boolean, 4: personal, 5: boolean,
      6: boolean, 7: boolean, 8: boolean, 9: boolean, 10: number, 11: number, 12: boolean,
      13: boolean, 14: boolean, 15: boolean, 16: boolean, 17: boolean,
    ])
  private static let favorites = IAP2ParameterSet(names.favorites, listed)
  private static let recents = IAP2ParameterSet(
    names.recents,
    listed.merging([6: .number(names.recentType), 7: seconds, 8: seconds, 9: number]) { $1 })
  private static let listed: [UInt16: Form] = [
    0: number, 1: phoneNumber, 2: personal, 3: personal, 4: personal,
    5: .number(names.callService),
  ]
}
